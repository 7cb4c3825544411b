"""What monitoring asks of PostgreSQL: sums that only grow, how long work waits, and how far behind we are."""

from almanac.metrics.store import (
    Backlog,
    CountedFailures,
    OperationTally,
    QueueAge,
    ScheduleSuccess,
    SyncLag,
    compact_operation_tallies,
    count_sessions,
    list_backlogs,
    list_failure_counts,
    list_last_successes,
    list_operation_tallies,
    list_queue_ages,
    read_sync_lag,
)

__all__ = [
    "Backlog",
    "CountedFailures",
    "OperationTally",
    "QueueAge",
    "ScheduleSuccess",
    "SyncLag",
    "compact_operation_tallies",
    "count_sessions",
    "list_backlogs",
    "list_failure_counts",
    "list_last_successes",
    "list_operation_tallies",
    "list_queue_ages",
    "read_sync_lag",
]
