"""The jobs of notifications: sort events soon after they happened, send each message when it is due, clean up.

A message that can't be sent waits for its next attempt by itself, so these jobs don't fail: a failure would be an event
to notify people of.
"""

from datetime import timedelta
from typing import Protocol

from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.messages import gettext

QUEUE = "notifications"
RETENTION = timedelta(days=60)


class NotificationRunner(Protocol):
    """Sorts, sends and prunes."""

    async def sort_events(self) -> int: ...

    async def deliver(self, notification_id: str) -> None: ...

    async def deliver_due(self) -> int: ...

    async def send_morning_mails(self) -> int: ...

    async def prune(self, older_than: timedelta) -> int: ...


class NotificationServices(Protocol):
    """The services these jobs need."""

    @property
    def notifications(self) -> NotificationRunner: ...


async def _send(job: RunningJob[NotificationServices], notification_id: str) -> None:
    await job.services.notifications.deliver(notification_id)


async def _keep_up(job: RunningJob[NotificationServices]) -> None:
    while await job.services.notifications.sort_events():
        await job.progress(doing=gettext("sorting events"))
    while await job.services.notifications.deliver_due():
        await job.progress(doing=gettext("sending"))


async def _send_morning_mails(job: RunningJob[NotificationServices]) -> None:
    await job.services.notifications.send_morning_mails()


async def _prune(job: RunningJob[NotificationServices]) -> None:
    await job.services.notifications.prune(RETENTION)


SEND = JobType("notifications.send", _send, queue=QUEUE, title=gettext("Send a notification"))
KEEP_UP = Schedule(
    "notifications.keep-up",
    JobType(
        "notifications.keep-up",
        _keep_up,
        queue=QUEUE,
        lock="notifications.keep-up",
        title=gettext("Notify people of what happened"),
    ),
    "* * * * *",
)
MORNING = Schedule(
    "notifications.morning",
    JobType(
        "notifications.morning",
        _send_morning_mails,
        queue=QUEUE,
        lock="notifications.morning",
        title=gettext("Send morning mails"),
    ),
    "*/5 * * * *",
)
PRUNE = Schedule(
    "notifications.prune",
    JobType("notifications.prune", _prune, queue="housekeeping", title=gettext("Delete old notifications")),
    "50 3 * * *",
)
