"""Background work: declared tasks, jobs deferred in the caller's transaction, workers, schedules, run history."""

from almanac.jobs.schema import SCHEMA

__all__ = ["SCHEMA"]
