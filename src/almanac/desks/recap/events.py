"""Events of articles and tasks, for the audit log and webhooks."""

from almanac.audit import service as audit
from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue
from almanac.audit.sentences import SLOTS
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services
from almanac.webhooks import EventType

PUBLISHED, REMADE, REPORTED = "recap.published", "recap.remade", "recap.reported"
HELD, RELEASED, WITHDRAWN, CORRECTED = "recap.held", "recap.released", "recap.withdrawn", "recap.corrected"
EVENTS = (
    EventType(PUBLISHED, gettext("A meeting became an article.")),
    EventType(REMADE, gettext("An article was rewritten and has a new version.")),
    EventType(REPORTED, gettext("A reader reported an error in an article.")),
    EventType(HELD, gettext("An article is held, so that no reader sees it, until a person releases it.")),
    EventType(RELEASED, gettext("An article that was held or withdrawn is published again.")),
    EventType(WITHDRAWN, gettext("An article was withdrawn.")),
    EventType(CORRECTED, gettext("An article was corrected, with a note for readers.")),
)
AUDIT_SENTENCES = {
    "recap.collecting": gettext("%(actor)s started collecting meetings", **SLOTS),
    "recap.published": gettext("%(actor)s published the article %(name)s", **SLOTS),
    "recap.remade": gettext("%(actor)s rewrote the article %(name)s", **SLOTS),
    "recap.reported": gettext("%(actor)s reported an error in the article %(name)s", **SLOTS),
    "recap.publicly-reported": gettext(
        "Somebody without an account reported an error in the article %(name)s", **SLOTS
    ),
    "recap.report-closed": gettext("%(actor)s closed a report about the article %(name)s", **SLOTS),
    "recap.held": gettext("%(actor)s held the article %(name)s", **SLOTS),
    "recap.released": gettext("%(actor)s released the article %(name)s", **SLOTS),
    "recap.withdrawn": gettext("%(actor)s withdrew the article %(name)s", **SLOTS),
    "recap.corrected": gettext("%(actor)s corrected the article %(name)s", **SLOTS),
    "recap.correction-undone": gettext("%(actor)s took back a correction of the article %(name)s", **SLOTS),
    "recap.task-retried": gettext("%(actor)s tried a failed meeting again", **SLOTS),
    "recap.task-taken": gettext("%(actor)s had a meeting of another program written about here", **SLOTS),
    "recap.task-remade": gettext("%(actor)s had the article of a meeting written again", **SLOTS),
}


async def record_audit(
    unit: Unit, services: Services, by: Actor, action: str, subject: AuditSubject, **detail: DetailValue
) -> None:
    """Record an action in the audit log."""
    await audit.record(unit, services.clock, AuditAction(by, action, subject, detail=detail))


async def record_event(
    unit: Unit, services: Services, by: Actor, event: str, article_id: str, **detail: DetailValue
) -> None:
    """Record an event in the audit log and send it to webhooks."""
    await record_audit(unit, services, by, event, AuditSubject("recap", article_id), **detail)
    await services.webhooks.publish(unit, event, {"article_id": article_id, **detail})
