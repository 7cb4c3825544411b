"""Jobs for subscribers: mails that are due, every five minutes; requests that nobody confirmed, every night."""

from typing import Protocol

from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.messages import gettext
from almanac.subscribers.alert_mails import AlertMails
from almanac.subscribers.service import Subscribers

QUEUE = "alerts"


class SubscriberServices(Protocol):
    """The services these jobs need."""

    @property
    def subscribers(self) -> Subscribers: ...

    @property
    def alert_mails(self) -> AlertMails: ...


async def _send_due(job: RunningJob[SubscriberServices]) -> None:
    await job.services.alert_mails.send_due()


async def _prune(job: RunningJob[SubscriberServices]) -> None:
    await job.services.subscribers.prune()


SEND_ALERTS = Schedule(
    "subscribers.mail",
    JobType(
        "subscribers.mail", _send_due, queue=QUEUE, lock="subscribers.mail", title=gettext("Mail readers what is new")
    ),
    "*/5 * * * *",
)
PRUNE_REQUESTS = Schedule(
    "subscribers.prune",
    JobType(
        "subscribers.prune",
        _prune,
        queue=QUEUE,
        lock="subscribers.prune",
        title=gettext("Delete addresses that nobody confirmed"),
    ),
    "20 3 * * *",
)
