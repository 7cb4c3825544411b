"""The jobs of mail: send each message soon after it is queued, and every minute what is due or in doubt."""

from collections.abc import Mapping
from typing import Protocol

from almanac.jobs import JobsPort, JobType, RunningJob, Schedule
from almanac.kit.text import counted
from almanac.mail.deliveries import Deliveries
from almanac.mail.service import Mailer
from almanac.mail.store import MailReference
from almanac.relational import Unit

QUEUE = "mail"
BATCH = 100


class MailServices(Protocol):
    """What a worker must hold to run these jobs."""

    @property
    def mailer(self) -> Mailer: ...


async def _deliver(job: RunningJob[MailServices], mail_id: str) -> None:
    await job.services.mailer.deliver(mail_id)


async def _keep_up(job: RunningJob[MailServices]) -> None:
    await job.services.mailer.reconcile()
    sent = 0
    while delivered := len(await job.services.mailer.deliver_due(limit=BATCH)):
        sent += delivered
        await job.progress(sent, None, f"{counted(sent, 'mail')} taken up")


# Neither is ever wrong to run twice: only a claim sends, and a message that was put off or whose job was lost is
# taken up by the schedule when it is due.
DELIVER = JobType("mail.deliver", _deliver, queue=QUEUE, title="Send a mail")
SEND_DUE_MAIL = Schedule(
    "mail.keep-up",
    JobType("mail.keep-up", _keep_up, queue=QUEUE, lock="mail.keep-up", title="Send due mail and settle doubts"),
    "* * * * *",
)


def send_queued_mail_by_job(mailer: Mailer, jobs: JobsPort) -> None:
    """Let every waiting message bring its own job, in the transaction that makes it wait."""

    async def announce(mail_id: str, unit: Unit) -> None:
        await jobs.defer(DELIVER, {"mail_id": mail_id}, unit=unit)

    mailer.announce_to(announce)


def notify_desks_by_job(deliveries: Deliveries, jobs: JobsPort, by_topic: Mapping[str, JobType]) -> None:
    """Let news about mail of a topic bring the task of whoever sends it, with the id of the mail."""

    async def tell(mail: MailReference, unit: Unit) -> None:
        if (task := by_topic.get(mail.topic)) is not None:
            await jobs.defer(task, {"mail_id": mail.id}, unit=unit)

    deliveries.tell(tell)
