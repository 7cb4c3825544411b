"""Webhook jobs: deliver with retries over most of a day, and prune old deliveries at night."""

from datetime import timedelta
from typing import Protocol

from almanac.jobs import JobRetryPolicy, JobType, RunningJob, Schedule
from almanac.kit.messages import gettext

QUEUE = "webhooks"
RETRIES = JobRetryPolicy(attempts=10, first_seconds=5, factor=4, longest_seconds=6 * 3600)
RETENTION = timedelta(days=30)


class DeliveryRunner(Protocol):
    """Attempts deliveries and prunes old ones."""

    async def attempt(self, delivery_id: str, *, last: bool) -> None: ...

    async def prune(self, older_than: timedelta) -> int: ...


class WebhookServices(Protocol):
    """The services these jobs need."""

    @property
    def webhooks(self) -> DeliveryRunner: ...


async def _deliver(job: RunningJob[WebhookServices], delivery_id: str) -> None:
    await job.services.webhooks.attempt(delivery_id, last=job.attempt >= RETRIES.attempts)


async def _prune(job: RunningJob[WebhookServices]) -> None:
    await job.services.webhooks.prune(RETENTION)


DELIVER = JobType(
    "webhooks.deliver",
    _deliver,
    queue=QUEUE,
    retry=RETRIES,
    lock="webhook:{delivery_id}",
    title=gettext("Deliver a webhook"),
    about=("webhook delivery", "delivery_id"),
)
PRUNE = Schedule(
    "webhooks.prune",
    JobType("webhooks.prune", _prune, queue="housekeeping", title=gettext("Delete old webhook deliveries")),
    "45 3 * * *",
)
