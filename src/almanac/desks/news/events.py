"""Who learns what happened at the desk: the audit log, and through webhooks other programs."""

from almanac.audit import service as audit
from almanac.audit.model import Actor, Deed, DetailValue, Subject
from almanac.relational import Unit
from almanac.services import Services
from almanac.webhooks import EventType

COMPLETED, SITE_BLOCKED = "news.completed", "news.site_blocked"
EVENTS = (
    EventType(COMPLETED, "A link was read: its story is there, with checked points."),
    EventType(SITE_BLOCKED, "A site refused us again and again, and is not asked for a while."),
)


async def record(unit: Unit, services: Services, by: Actor, action: str, what: str, **detail: DetailValue) -> None:
    """Enter into the audit log what somebody did at the desk."""
    await audit.record(unit, services.clock, Deed(by, action, Subject("news", what), detail=detail))
