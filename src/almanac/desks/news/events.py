"""Events of the desk: entries in the audit log, and what webhooks announce."""

from almanac.audit import service as audit
from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue
from almanac.audit.sentences import SLOTS
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services
from almanac.webhooks import EventType

COMPLETED, SITE_BLOCKED = "news.completed", "news.site_blocked"
EVENTS = (
    EventType(COMPLETED, gettext("A link was read and its story is available.")),
    EventType(SITE_BLOCKED, gettext("A site refused us repeatedly and is blocked for a while.")),
)
AUDIT_SENTENCES = {
    "news.links.added": gettext("%(actor)s added links", **SLOTS),
    "news.link.retried": gettext("%(actor)s tried a failed link again", **SLOTS),
    "news.links.retried": gettext("%(actor)s tried failed links again", **SLOTS),
    "news.story.retried": gettext("%(actor)s had a story written again", **SLOTS),
    "news.rule.added": gettext("%(actor)s added the rule %(name)s", **SLOTS),
    "news.rule.changed": gettext("%(actor)s changed the rule %(name)s", **SLOTS),
    "news.rule.deleted": gettext("%(actor)s deleted the rule %(name)s", **SLOTS),
    "news.site.blocked": gettext("%(actor)s blocked the site %(name)s", **SLOTS),
    "news.site.unblocked": gettext("%(actor)s unblocked the site %(name)s", **SLOTS),
    "news.site.allowed": gettext("%(actor)s always allowed the site %(name)s", **SLOTS),
    "news.task.created": gettext("%(actor)s made the task %(name)s", **SLOTS),
    "news.task.changed": gettext("%(actor)s changed the task %(name)s", **SLOTS),
    "news.task.deleted": gettext("%(actor)s deleted the task %(name)s", **SLOTS),
    "news.task.run": gettext("%(actor)s ran the task %(name)s", **SLOTS),
    "news.task.previewed": gettext("%(actor)s previewed a task", **SLOTS),
}


async def record_event(
    unit: Unit, services: Services, by: Actor, action: str, subject: str, **detail: DetailValue
) -> None:
    """Write an entry to the audit log."""
    await audit.record(unit, services.clock, AuditAction(by, action, AuditSubject("news", subject), detail=detail))
