"""Labels, tones and timelines of jobs, mail and knowledge sources on pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.audit.model import AuditSubject
from almanac.http.state_labels import label_state
from almanac.jobs import JobDetail, JobStatus, RunOutcome, RunView
from almanac.kit.messages import gettext
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
_RUN_TONES: Mapping[RunOutcome | None, str] = {
    None: "running",
    RunOutcome.SUCCEEDED: "done",
    RunOutcome.RETRYING: "waiting",
    RunOutcome.PAUSED: "waiting",
    RunOutcome.FAILED: "failed",
    RunOutcome.CANCELLED: "plain",
    RunOutcome.INTERRUPTED: "waiting",
    RunOutcome.LOST: "waiting",
}


def job_timeline(detail: JobDetail) -> list[TimelineItem]:
    """Newest first: each attempt with its end and reason, and when the job was queued."""
    return [
        *(_attempt_item(run) for run in detail.runs),
        TimelineItem(gettext("Queued"), detail.job.created_at, "", "plain"),
    ]


def _attempt_item(run: RunView) -> TimelineItem:
    return TimelineItem(
        _describe_attempt(run.outcome, run.attempt),
        run.finished_at or run.started_at,
        run.reason or "",
        _RUN_TONES[run.outcome],
    )


def _describe_attempt(outcome: RunOutcome | None, attempt: int) -> str:
    words = {
        None: gettext("Attempt %(attempt)s is running", attempt=attempt),
        RunOutcome.SUCCEEDED: gettext("Attempt %(attempt)s succeeded", attempt=attempt),
        RunOutcome.RETRYING: gettext("Attempt %(attempt)s failed and will be tried again", attempt=attempt),
        RunOutcome.PAUSED: gettext("Attempt %(attempt)s waits and will continue automatically", attempt=attempt),
        RunOutcome.FAILED: gettext("Attempt %(attempt)s failed", attempt=attempt),
        RunOutcome.CANCELLED: gettext("Attempt %(attempt)s was cancelled", attempt=attempt),
        RunOutcome.INTERRUPTED: gettext(
            "Attempt %(attempt)s was interrupted because the worker stopped", attempt=attempt
        ),
        RunOutcome.LOST: gettext("Attempt %(attempt)s was lost with its worker", attempt=attempt),
    }
    return words[outcome]


MAIL_TONES: Mapping[MailOutcome, str] = {
    "queued": "waiting",
    "sending": "running",
    "sent": "done",
    "kept": "waiting",
    "failed": "failed",
    "unknown": "waiting",
}
_MAIL_LABELS = {"unknown": gettext("In doubt"), "kept": gettext("Kept here")}
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
    return _MAIL_LABELS.get(status) or label_state(status)


def mail_timeline(events: Sequence[MailEvent], outcome: MailOutcome) -> list[TimelineItem]:
    """Newest first: each event with its recipient and reason. What was kept here isn't called sent."""
    kinds = [outcome if (event.kind, outcome) == ("sent", "kept") else event.kind for event in events]
    return [
        TimelineItem(
            gettext("%(status)s for %(recipient)s", status=label_mail_status(kind), recipient=event.recipient)
            if event.recipient
            else label_mail_status(kind),
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
    SourceKind.FILE: gettext("File"),
    SourceKind.URL: gettext("Page"),
    SourceKind.FEED: gettext("Feed"),
}
VISIBILITY_LABELS: Mapping[Visibility, str] = {
    Visibility.MINE: gettext("Only its owner"),
    Visibility.EVERYONE: gettext("Everyone here"),
}


def knowledge_viewer(principal: Principal) -> KnowledgeViewer:
    """The viewer as whom a request reads or changes knowledge."""
    return KnowledgeViewer(principal.user_id)


async def record_change(services: Services, principal: Principal, action: str, source: KnowledgeSource) -> None:
    """Write a change of a source to the audit log."""
    await operator_actions.record_action(
        services, principal, action, AuditSubject("knowledge", source.id), kind=source.kind
    )
