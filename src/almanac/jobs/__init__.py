"""Background work: declared tasks, jobs deferred in the caller's transaction, workers, schedules, run history."""

from almanac.jobs.job_type import Arguments, CatchUp, JobType, Registry, RetryPolicy, Schedule
from almanac.jobs.port import JobsPort
from almanac.jobs.running import JobCancelled, LeaseLost, RunningJob, Unwatched
from almanac.jobs.schema import SCHEMA
from almanac.jobs.views import JobDetail, JobFilter, JobStatus, JobView, QueueCounts, RunOutcome, RunView, ScheduleView

__all__ = [
    "SCHEMA",
    "Arguments",
    "CatchUp",
    "JobCancelled",
    "JobDetail",
    "JobFilter",
    "JobStatus",
    "JobType",
    "JobView",
    "JobsPort",
    "LeaseLost",
    "QueueCounts",
    "Registry",
    "RetryPolicy",
    "RunOutcome",
    "RunView",
    "RunningJob",
    "Schedule",
    "ScheduleView",
    "Unwatched",
]
