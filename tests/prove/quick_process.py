"""`quick_process.py serve|worker`: the same program with leases of seconds, so that a short proof needn't wait long."""

import sys
from datetime import timedelta
from functools import partial

from almanac.bootstrap import adapters, assembly
from almanac.cli import server
from almanac.desks.recap.store.table import Task
from almanac.jobs.worker import WorkerSettings
from almanac.mail.claims import SendPolicy
from almanac.mail.service import Mailer

LEASES = {"lease_seconds": 8.0, "heartbeat_seconds": 1.0, "poll_seconds": 0.3, "schedule_seconds": 1.0}
MAIL = SendPolicy(send_seconds=3, lease_seconds=5, attempts=20, first_wait_seconds=0.2, longest_wait_seconds=1)
SITTING = timedelta(seconds=12)


def main(role: str) -> None:
    """Only the figures differ: the code that runs is the product's."""
    adapters.Mailer = partial(Mailer, policy=MAIL)
    assembly.WorkerSettings = partial(WorkerSettings, **LEASES)
    object.__setattr__(Task.work.schema, "lease", SITTING)
    {"serve": server.serve, "worker": server.worker}[role]()


if __name__ == "__main__":
    main(sys.argv[1])
