"""Labels, tones and timelines of jobs, mail and knowledge sources on pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.audit.model import AuditSubject
from almanac.jobs import JobDetail, JobStatus, RunOutcome, RunView
from almanac.knowledge import KnowledgeSource, KnowledgeViewer, SourceKind, SourceStatus, Visibility
from almanac.mail.model import MailEvent, MailOutcome
from almanac.services import Services
from almanac.web import operator_actions


@dataclass(frozen=True, slots=True)
class TimelineItem:
    """An entry of a timeline."""

    title: str
    when: datetime | None
    text: str
    tone: str


JOB_TONES = {
    JobStatus.QUEUED: "waiting",
    JobStatus.RUNNING: "running",
    JobStatus.SUCCEEDED: "done",
    JobStatus.FAILED: "failed",
    JobStatus.CANCELLED: "plain",
}
_RUN_OUTCOMES: dict[RunOutcome | None, tuple[str, str]] = {
    None: ("is running", "running"),
    RunOutcome.SUCCEEDED: ("succeeded", "done"),
    RunOutcome.RETRYING: ("failed and will be tried again", "waiting"),
    RunOutcome.PAUSED: ("waits and will continue automatically", "waiting"),
    RunOutcome.FAILED: ("failed", "failed"),
    RunOutcome.CANCELLED: ("was cancelled", "plain"),
    RunOutcome.INTERRUPTED: ("was interrupted because the worker stopped", "waiting"),
    RunOutcome.LOST: ("was lost with its worker", "waiting"),
}


def describe_cron(cron: str) -> str:
    """A cron line in plain words if it is a common one, otherwise the line itself."""
    minute, hour, *days = cron.split()
    if days != ["*", "*", "*"]:
        return cron
    match minute, hour:
        case "*", "*":
            return "Every minute"
        case _, "*" if minute.startswith("*/"):
            return f"Every {minute[2:]} minutes"
        case _, "*" if minute.isdecimal():
            return f"Every hour at minute {minute}"
        case _ if minute.isdecimal() and hour.isdecimal():
            return f"Every day at {int(hour):02}:{int(minute):02}"
    return cron


def job_timeline(detail: JobDetail) -> list[TimelineItem]:
    """Newest first: each attempt with its end and reason, and when the job was queued."""
    return [*(_attempt_item(run) for run in detail.runs), TimelineItem("Queued", detail.job.created_at, "", "plain")]


def _attempt_item(run: RunView) -> TimelineItem:
    words, tone = _RUN_OUTCOMES[run.outcome]
    return TimelineItem(f"Attempt {run.attempt} {words}", run.finished_at or run.started_at, run.reason or "", tone)


MAIL_TONES: Mapping[MailOutcome, str] = {
    "queued": "waiting",
    "sending": "running",
    "sent": "done",
    "kept": "waiting",
    "failed": "failed",
    "unknown": "waiting",
}
_MAIL_LABELS = {"unknown": "In doubt", "kept": "Kept here"}
_MAIL_EVENT_TONES = {
    "sent": "done",
    "kept": "waiting",
    "delivered": "done",
    "failed": "failed",
    "refused": "failed",
    "bounced": "failed",
    "complained": "failed",
    "unknown": "waiting",
    "deferred": "waiting",
    "delayed": "waiting",
}


def label_mail_status(status: str) -> str:
    """The label of a mail status, the same at every desk."""
    return _MAIL_LABELS.get(status, status.capitalize())


def mail_timeline(events: Sequence[MailEvent], outcome: MailOutcome) -> list[TimelineItem]:
    """Newest first: each event with its recipient and reason. What was kept here isn't called sent."""
    kinds = [outcome if (event.kind, outcome) == ("sent", "kept") else event.kind for event in events]
    return [
        TimelineItem(
            label_mail_status(kind) + (f" for {event.recipient}" if event.recipient else ""),
            event.happened_at,
            event.detail,
            _MAIL_EVENT_TONES.get(kind, "plain"),
        )
        for kind, event in reversed(list(zip(kinds, events, strict=True)))
    ]


SOURCE_TONES: Mapping[SourceStatus, str] = {
    SourceStatus.WAITING: "waiting",
    SourceStatus.READING: "running",
    SourceStatus.READY: "done",
    SourceStatus.FAILED: "failed",
}
SOURCE_KIND_LABELS: Mapping[SourceKind, str] = {
    SourceKind.FILE: "File",
    SourceKind.URL: "Page",
    SourceKind.FEED: "Feed",
}
VISIBILITY_LABELS: Mapping[Visibility, str] = {
    Visibility.MINE: "Only its owner",
    Visibility.EVERYONE: "Everyone here",
}


def knowledge_viewer(principal: Principal) -> KnowledgeViewer:
    """The viewer as whom a request reads or changes knowledge."""
    return KnowledgeViewer(principal.user_id)


async def record_change(services: Services, principal: Principal, action: str, source: KnowledgeSource) -> None:
    """Write a change of a source to the audit log."""
    await operator_actions.record_action(
        services, principal, f"knowledge.{action}", AuditSubject("knowledge", source.id), kind=source.kind
    )
