"""Who learns what happened to a newsletter: the audit log, and through webhooks other programs.

Entries and events are written in a unit; what happens in the table is best done inside it, so that neither is without
the other unless the very commit fails.
"""

from almanac.audit import service as audit
from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue
from almanac.desks.newsletter.model.newsletter import Newsletter
from almanac.relational import Unit
from almanac.services import Services
from almanac.webhooks import EventType

COMPLETED, EXPORTED, PREPARED = "newsletter.completed", "newsletter.exported", "newsletter.prepared"
EVENTS = (
    EventType(COMPLETED, "A newsletter's draft was completed: every sentence is supported."),
    EventType(EXPORTED, "A newsletter was exported to a file."),
    EventType(PREPARED, "A schedule prepared the next issue of a newsletter, for review by a person."),
)


async def record_action(
    unit: Unit, services: Services, by: Actor, action: str, code: str, **detail: DetailValue
) -> None:
    """Enter into the audit log what somebody did to a newsletter."""
    await audit.record(unit, services.clock, AuditAction(by, action, AuditSubject("newsletter", code), detail=detail))


async def publish_event(
    unit: Unit, services: Services, by: Actor, event: str, newsletter: Newsletter, **detail: DetailValue
) -> None:
    """Enter an event into the audit log, and tell whoever wants to know."""
    await record_action(unit, services, by, event, newsletter.code, **detail)
    facts = {"code": newsletter.code, "title": newsletter.title, "owner_id": newsletter.owner_id}
    await services.webhooks.publish(unit, event, {**facts, **detail})
