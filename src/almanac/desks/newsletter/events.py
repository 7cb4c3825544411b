"""Audit entries and webhook events about newsletters.

They are written in a database unit. Change the table inside the unit too, so that one exists without the other only if
the commit itself fails.
"""

from almanac.audit import service as audit
from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue
from almanac.audit.sentences import SLOTS
from almanac.desks.newsletter.model.newsletter import Newsletter
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services
from almanac.webhooks import EventType

COMPLETED, EXPORTED, PREPARED = "newsletter.completed", "newsletter.exported", "newsletter.prepared"
EVENTS = (
    EventType(
        COMPLETED,
        gettext(
            "A newsletter's draft was completed: each sentence passed the rules, was confirmed, or is the editor's own."
        ),
    ),
    EventType(EXPORTED, gettext("A newsletter was exported to a file.")),
    EventType(PREPARED, gettext("A schedule prepared the next issue of a newsletter, for review by a person.")),
)
AUDIT_SENTENCES = {
    "newsletter.created": gettext("%(actor)s began the newsletter %(name)s", **SLOTS),
    "newsletter.deleted": gettext("%(actor)s deleted the newsletter %(name)s", **SLOTS),
    "newsletter.completed": gettext("%(actor)s completed the newsletter %(name)s", **SLOTS),
    "newsletter.exported": gettext("%(actor)s exported the newsletter %(name)s", **SLOTS),
    "newsletter.prepared": gettext("%(actor)s prepared the next issue of the newsletter %(name)s", **SLOTS),
    "newsletter.published": gettext("%(actor)s published the newsletter %(name)s", **SLOTS),
    "newsletter.withdrawn": gettext("%(actor)s withdrew the published newsletter %(name)s", **SLOTS),
    "newsletter.restored": gettext("%(actor)s restored an older version of the newsletter %(name)s", **SLOTS),
    "newsletter.confirmation_withdrawn": gettext(
        "%(actor)s withdrew a confirmation in the newsletter %(name)s", **SLOTS
    ),
    "newsletter.sentence_marked": gettext(
        "%(actor)s marked a sentence of the newsletter %(name)s as their own", **SLOTS
    ),
    "newsletter.sentence_unmarked": gettext(
        "%(actor)s took back that a sentence of the newsletter %(name)s is their own", **SLOTS
    ),
    "newsletter.sentence_dropped": gettext("%(actor)s removed a sentence from the newsletter %(name)s", **SLOTS),
}


async def record_action(
    unit: Unit, services: Services, by: Actor, action: str, code: str, **detail: DetailValue
) -> None:
    """Write an action on a newsletter to the audit log."""
    await audit.record(unit, services.clock, AuditAction(by, action, AuditSubject("newsletter", code), detail=detail))


async def publish_event(
    unit: Unit, services: Services, by: Actor, event: str, newsletter: Newsletter, **detail: DetailValue
) -> None:
    """Write an event to the audit log and publish it to webhooks."""
    await record_action(unit, services, by, event, newsletter.code, **detail)
    facts = {"code": newsletter.code, "title": newsletter.title, "owner_id": newsletter.owner_id}
    await services.webhooks.publish(unit, event, {**facts, **detail})
