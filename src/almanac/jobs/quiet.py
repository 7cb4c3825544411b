"""Keeps arguments of jobs out of the logs: procrastinate writes them into its lines, and they may be personal."""

import logging

_TELLING = ("job", "jobs")
_TELLING_ACTIONS = ("ending_job",)


class WithoutArguments(logging.Filter):
    """Drops the lines about single jobs; runs are recorded in the database and failures are logged by us."""

    def filter(self, record: logging.LogRecord) -> bool:
        told = any(hasattr(record, name) for name in _TELLING)
        return not told and getattr(record, "action", None) not in _TELLING_ACTIONS


_FILTER = WithoutArguments()


def keep_arguments_out_of_logs(worker_name: str) -> None:
    """Apply the filter to each of procrastinate's loggers that names jobs, and to that of the worker."""
    for name in ("procrastinate.worker", f"procrastinate.worker.{worker_name}", "procrastinate.jobs"):
        logging.getLogger(name).addFilter(_FILTER)
