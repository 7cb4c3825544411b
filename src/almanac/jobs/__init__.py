"""Background work: declared tasks, jobs deferred in the caller's transaction, workers, schedules, run history."""

from almanac.jobs.job_type import Arguments, CatchUp, JobRegistry, JobRetryPolicy, JobType, Schedule
from almanac.jobs.model import JobDetail, JobFilter, JobStatus, JobView, QueueCounts, RunOutcome, RunView, ScheduleView
from almanac.jobs.port import InlineLedger, JobCancelled, JobLeaseLost, JobsPort, RunningJob
from almanac.jobs.store import SCHEMA

__all__ = [
    "SCHEMA",
    "Arguments",
    "CatchUp",
    "InlineLedger",
    "JobCancelled",
    "JobDetail",
    "JobFilter",
    "JobLeaseLost",
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
]
