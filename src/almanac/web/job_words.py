"""How jobs are told to people: tones of their statuses, and the story of one job as a timeline."""

from almanac.jobs import JobDetail, JobStatus, RunOutcome, RunView
from almanac.web.timeline import TimelineItem

STATUS_TONES = {
    JobStatus.QUEUED: "waiting",
    JobStatus.RUNNING: "running",
    JobStatus.SUCCEEDED: "done",
    JobStatus.FAILED: "failed",
    JobStatus.CANCELLED: "plain",
}
_OUTCOMES: dict[RunOutcome | None, tuple[str, str]] = {
    None: ("is running", "running"),
    RunOutcome.SUCCEEDED: ("succeeded", "done"),
    RunOutcome.RETRYING: ("failed and will be tried again", "waiting"),
    RunOutcome.PAUSED: ("waits and will go on by itself", "waiting"),
    RunOutcome.FAILED: ("failed", "failed"),
    RunOutcome.CANCELLED: ("was cancelled", "plain"),
    RunOutcome.INTERRUPTED: ("was interrupted by a stop of the worker", "waiting"),
    RunOutcome.LOST: ("was lost with its worker", "waiting"),
}


def cron_words(cron: str) -> str:
    """When a schedule runs, in plain words where its line is one of the usual ones."""
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
    """Newest first: each attempt with its end and reason, and the moment the job was queued."""
    return [*(_attempt(run) for run in detail.runs), TimelineItem("Queued", detail.job.created_at, "", "plain")]


def _attempt(run: RunView) -> TimelineItem:
    words, tone = _OUTCOMES[run.outcome]
    return TimelineItem(f"Attempt {run.attempt} {words}", run.finished_at or run.started_at, run.reason or "", tone)
