"""Actions of people on jobs, schedules and mail, shared by pages and API. Each is written to the audit log.

The guards of the routes check permissions.
"""

from collections.abc import Sequence

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject, DetailValue
from almanac.errors import FieldErrors
from almanac.http.desk import Desk
from almanac.http.failures import list_failures
from almanac.http.visibility import (
    find_visible_jobs,
    get_visible_job,
    get_visible_mail,
    hidden_areas,
    is_visible,
    require_visible_schedule,
)
from almanac.jobs import FailureFilter, JobView
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.mail.model import MailSettlement
from almanac.services import Services

MAX_WHY = 500


async def record_action(
    services: Services, principal: Principal, action: str, subject: AuditSubject, why: str = "", **detail: DetailValue
) -> None:
    """Write an action to the audit log."""
    async with services.database.unit() as unit:
        await audit.record(unit, services.clock, AuditAction(principal.actor, action, subject, why, detail))


async def retry_jobs(services: Services, principal: Principal, ids: Sequence[int]) -> int:
    """Queue these jobs again if they failed or were cancelled; returns how many."""
    ids = await find_visible_jobs(services, principal, ids)
    if retried := await services.jobs.retry(ids):
        subject = str(ids[0]) if len(ids) == 1 else "chosen"
        await record_action(
            services, principal, "jobs.retried", AuditSubject("job", subject), jobs=[str(job_id) for job_id in ids]
        )
    return retried


async def retry_failed_jobs(services: Services, principal: Principal) -> int:
    """Queue every failed job again that the person may see; returns how many."""
    if not hidden_areas(principal):
        retried = await services.jobs.retry_failed()
    else:
        queues = [counts.queue for counts in await services.jobs.counts() if is_visible(principal, counts.queue)]
        retried = sum([await services.jobs.retry_failed(queue=queue) for queue in queues])
    if retried:
        await record_action(services, principal, "jobs.retried", AuditSubject("job", "every failed"), count=retried)
    return retried


async def dismiss_failures(
    services: Services, desks: Sequence[Desk], principal: Principal, which: FailureFilter, why: str
) -> list[int]:
    """Dismiss failures that concern this person, with a reason; returns which. They come back if they fail again."""
    why = one_line(why)
    if not why:
        raise FieldErrors({"why": gettext("Say why, for those who look for this failure later.")})
    if len(why) > MAX_WHY:
        raise FieldErrors({"why": gettext("Use %(max_why)s characters at most.", max_why=MAX_WHY)})
    dismissed: list[int] = []
    while shown := await list_failures(services, desks, principal, which):
        ids = [failure.failure.job_id for failure in shown]
        async with services.database.unit() as unit:
            count = await services.jobs.dismiss(unit, ids, by=principal.user_id, why=why)
            # Within a transaction of the caller's, the list doesn't show it yet.
            if not count:
                break
            dismissed += ids
            subject = AuditSubject("job", str(ids[0]) if len(ids) == 1 else (which.task or "chosen"))
            detail: dict[str, DetailValue] = {"jobs": [str(job_id) for job_id in ids]}
            deed = AuditAction(principal.actor, "failures.dismissed", subject, why, detail)
            await audit.record(unit, services.clock, deed)
    return dismissed


async def restore_failures(services: Services, desks: Sequence[Desk], principal: Principal, ids: Sequence[int]) -> int:
    """Take back the dismissal of failures that concern this person; returns how many."""
    shown = await list_failures(services, desks, principal, FailureFilter(ids=tuple(ids), dismissed=True))
    chosen = [failure.failure.job_id for failure in shown]
    async with services.database.unit() as unit:
        restored = await services.jobs.restore(unit, chosen)
        if restored:
            subject = AuditSubject("job", str(chosen[0]) if len(chosen) == 1 else "chosen")
            detail: dict[str, DetailValue] = {"jobs": [str(job_id) for job_id in chosen]}
            deed = AuditAction(principal.actor, "failures.restored", subject, detail=detail)
            await audit.record(unit, services.clock, deed)
    return restored


async def cancel_job(services: Services, principal: Principal, job_id: int) -> JobView:
    """Cancel a queued job immediately, a running one at its next step."""
    await get_visible_job(services, principal, job_id)
    job = await services.jobs.cancel(job_id)
    await record_action(services, principal, "job.cancelled", AuditSubject("job", str(job_id)))
    return job


async def pause_schedule(services: Services, principal: Principal, name: str) -> None:
    """Pause the schedule."""
    await require_visible_schedule(services, principal, name)
    await services.jobs.pause_schedule(name)
    await record_action(services, principal, "schedule.paused", AuditSubject("schedule", name))


async def resume_schedule(services: Services, principal: Principal, name: str) -> None:
    """Resume the schedule."""
    await require_visible_schedule(services, principal, name)
    await services.jobs.resume_schedule(name)
    await record_action(services, principal, "schedule.resumed", AuditSubject("schedule", name))


async def run_schedule(services: Services, principal: Principal, name: str) -> int:
    """Run the scheduled task now, in addition to its schedule; returns the job."""
    await require_visible_schedule(services, principal, name)
    job_id = await services.jobs.run_schedule(name)
    await record_action(services, principal, "schedule.run", AuditSubject("schedule", name))
    return job_id


async def settle_mail(
    services: Services, principal: Principal, mail_id: str, outcome: MailSettlement, why: str
) -> None:
    """Record whether a mail in doubt was sent."""
    await get_visible_mail(services, principal, mail_id)
    await services.mailer.settle(mail_id, outcome, by=principal.user_id, why=why)
    await record_action(services, principal, "mail.settled", AuditSubject("mail", mail_id), why)


async def retry_mail(services: Services, principal: Principal, mail_id: str) -> None:
    """Queue a failed message again."""
    await get_visible_mail(services, principal, mail_id)
    await services.mailer.retry(mail_id, by=principal.user_id)
    await record_action(services, principal, "mail.retried", AuditSubject("mail", mail_id))


async def suppress_address(services: Services, principal: Principal, email: str, reason: str) -> bool:
    """Suppress an address; returns whether it wasn't suppressed before."""
    added = await services.suppressions.add(email, source="manual", reason=reason, by=principal.user_id)
    await record_action(services, principal, "suppression.added", AuditSubject("suppression", "manual"), reason)
    return added


async def lift_suppression(services: Services, principal: Principal, email: str, topic: str, why: str) -> None:
    """Remove an address from the suppression list."""
    await services.suppressions.lift(email, by=principal.user_id, why=why, topic=topic)
    await record_action(services, principal, "suppression.lifted", AuditSubject("suppression", "manual"), why)
