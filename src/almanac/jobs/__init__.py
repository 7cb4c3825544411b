"""Background work: declared tasks, jobs deferred in the caller's transaction, workers, schedules, run history."""

from almanac.jobs.job_type import (
    SCHEDULE_KIND,
    Arguments,
    CatchUp,
    JobObject,
    JobRegistry,
    JobRetryPolicy,
    JobType,
    Schedule,
    WorkNames,
)
from almanac.jobs.model import (
    Dismissal,
    FailureFilter,
    JobDetail,
    JobFailure,
    JobFilter,
    JobStatus,
    JobView,
    QueueCounts,
    RunOutcome,
    RunView,
    ScheduleView,
)
from almanac.jobs.port import InlineLedger, JobCancelled, JobLeaseLost, JobsPort, RunningJob
from almanac.jobs.store import SCHEMA

__all__ = [
    "SCHEDULE_KIND",
    "SCHEMA",
    "Arguments",
    "CatchUp",
    "Dismissal",
    "FailureFilter",
    "InlineLedger",
    "JobCancelled",
    "JobDetail",
    "JobFailure",
    "JobFilter",
    "JobLeaseLost",
    "JobObject",
    "JobRegistry",
    "JobRetryPolicy",
    "JobStatus",
    "JobType",
    "JobView",
    "JobsPort",
    "QueueCounts",
    "RunOutcome",
    "RunView",
    "RunningJob",
    "Schedule",
    "ScheduleView",
    "WorkNames",
]
