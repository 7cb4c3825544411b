"""Each queued mail has its own job, and a schedule sends what was deferred or lost and reconciles unknown outcomes."""

import pytest

from almanac.jobs import JobRegistry
from almanac.jobs.fake import FakeJobs
from almanac.mail import MailDeferred, OutcomeUnknown
from almanac.mail.jobs import DELIVER, SEND_DUE_MAIL, send_queued_mail_by_job


@pytest.fixture
def jobs(mailroom, clock) -> FakeJobs:
    return FakeJobs(JobRegistry([DELIVER], [SEND_DUE_MAIL]), clock, mailroom, mailroom.database)


async def keep_up(jobs: FakeJobs) -> None:
    await jobs.run_schedule(SEND_DUE_MAIL.name)
    await jobs.drain()


async def test_a_queued_mail_is_sent_by_its_own_job(mailroom, message, jobs) -> None:
    send_queued_mail_by_job(mailroom.mailer, jobs)
    mail_id = await mailroom.queue(message())
    await jobs.drain()
    assert (await mailroom.mailer.deliver(mail_id)).status == "sent"


async def test_a_mail_put_off_is_taken_up_when_it_is_due(mailroom, message, jobs, clock) -> None:
    send_queued_mail_by_job(mailroom.mailer, jobs)
    mailroom.transport.failures.append(MailDeferred("Busy."))
    mail_id = await mailroom.queue(message())
    await jobs.drain()
    await keep_up(jobs)
    assert (await mailroom.mailer.deliver(mail_id)).status == "queued"
    clock.advance(minutes=1)
    await keep_up(jobs)
    assert len(mailroom.transport.sent) == 1


async def test_a_mail_whose_job_was_lost_is_taken_up_too(mailroom, message, jobs) -> None:
    await mailroom.queue(message())
    await keep_up(jobs)
    assert len(mailroom.transport.sent) == 1


async def test_a_doubt_is_settled_and_what_is_absent_sent_in_one_run(mailroom, message, jobs) -> None:
    mailroom.transport.failures.append(OutcomeUnknown("Silence."))
    mail_id = await mailroom.queue(message())
    await mailroom.mailer.deliver(mail_id)
    await keep_up(jobs)
    assert (await mailroom.mailbox.get(mail_id)).line.status == "sent"
