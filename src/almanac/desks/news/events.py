"""Events of the desk: entries in the audit log, and what webhooks announce."""

from almanac.audit import service as audit
from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services
from almanac.webhooks import EventType

COMPLETED, SITE_BLOCKED = "news.completed", "news.site_blocked"
EVENTS = (
    EventType(COMPLETED, gettext("A link was read and its story is available.")),
    EventType(SITE_BLOCKED, gettext("A site refused us repeatedly and is blocked for a while.")),
)


async def record_event(
    unit: Unit, services: Services, by: Actor, action: str, subject: str, **detail: DetailValue
) -> None:
    """Write an entry to the audit log."""
    await audit.record(unit, services.clock, AuditAction(by, action, AuditSubject("news", subject), detail=detail))
