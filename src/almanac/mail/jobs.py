"""The jobs of mail: send each message soon after it is queued, and every minute what is due or in doubt."""

from collections.abc import Mapping
from typing import Protocol

from almanac.jobs import JobsPort, JobType, RunningJob, Schedule
from almanac.kit.messages import gettext, ngettext
from almanac.mail.deliveries import Deliveries
from almanac.mail.service import Mailer
from almanac.mail.store import MailReference
from almanac.relational import Unit

QUEUE = "mail"
BATCH = 100


class MailServices(Protocol):
    """The services that the jobs need."""

    @property
    def mailer(self) -> Mailer: ...


async def _deliver(job: RunningJob[MailServices], mail_id: str) -> None:
    await job.services.mailer.deliver(mail_id)


async def _send_due(job: RunningJob[MailServices]) -> None:
    await job.services.mailer.reconcile()
    sent = 0
    while delivered := len(await job.services.mailer.deliver_due(limit=BATCH)):
        sent += delivered
        await job.progress(sent, None, ngettext("%(num)s mail processed", "%(num)s mails processed", sent))


# Both are safe to run twice: only a claim sends. The schedule sends deferred messages, and those whose job was lost,
# when they are due.
DELIVER = JobType(
    "mail.deliver",
    _deliver,
    queue=QUEUE,
    title=gettext("Send a mail"),
    about=("mail", "mail_id"),
)
SEND_DUE_MAIL = Schedule(
    "mail.keep-up",
    JobType(
        "mail.keep-up",
        _send_due,
        queue=QUEUE,
        lock="mail.keep-up",
        title=gettext("Send due mail and check uncertain deliveries"),
    ),
    "* * * * *",
)


def send_queued_mail_by_job(mailer: Mailer, jobs: JobsPort) -> None:
    """Defer a job for every queued message, in the transaction that queues it."""

    async def announce(mail_id: str, unit: Unit) -> None:
        await jobs.defer(DELIVER, {"mail_id": mail_id}, unit=unit)

    mailer.on_queued(announce)


def notify_desks_by_job(deliveries: Deliveries, jobs: JobsPort, by_topic: Mapping[str, JobType]) -> None:
    """Defer the job of a topic when its mail has new delivery events; it gets the id of the mail."""

    async def notify(mail: MailReference, unit: Unit) -> None:
        if (job_type := by_topic.get(mail.topic)) is not None:
            await jobs.defer(job_type, {"mail_id": mail.id}, unit=unit)

    deliveries.add_listener(notify)
