"""What waits for a person outside the desks: questions to decide, mail to settle, failed jobs, a password to choose."""

from collections.abc import Sequence

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS
from almanac.http.overview import MOST_ITEMS, WaitingGroup, WaitingItem
from almanac.jobs import JobFilter, JobStatus
from almanac.mail.model import MessageFilter
from almanac.services import Services

_LOOKED_AT = 50


async def platform_waiting(services: Services, principal: Principal) -> Sequence[WaitingGroup]:
    """Only what this person may act on."""
    groups = [await _approvals(services, principal)]
    if principal.may("mail.settle"):
        groups.append(await _unknown_mail(services))
    if principal.may("jobs.retry"):
        groups.append(await _failed_jobs(services))
    if principal.may("account.own") and principal.via == "session":
        groups.append(await _password(services, principal))
    return [group for group in groups if group.count]


async def _approvals(services: Services, principal: Principal) -> WaitingGroup:
    async with services.database.unit() as unit:
        count = await services.approvals.count_waiting(unit, principal)
        listed = (await services.approvals.waiting(unit, principal, limit=MOST_ITEMS)).items if count else []
    items = [
        WaitingItem(
            title=approval.title or f"{approval.subject.kind} {approval.subject.id}",
            text=f"Asked for by {approval.asked_by.name}.",
            href=f"/approvals/{approval.id}",
            since=approval.asked_at,
        )
        for approval in listed
    ]
    return WaitingGroup(noun="approval", href="/approvals", count=count, items=items, verb="Decide")


async def _unknown_mail(services: Services) -> WaitingGroup:
    """Mail of a desk is settled at the desk, where it is known what it was about."""
    mails = await services.mailbox.list(MessageFilter(status="unknown"), limit=_LOOKED_AT)
    listed = [line for line in reversed(mails.items) if line.topic not in DESKS]
    items = [
        WaitingItem(
            title=line.subject,
            text="Nobody knows whether it left, so it is not sent again until somebody has looked.",
            href=f"/mail/{line.id}",
            since=line.queued_at,
        )
        for line in listed[:MOST_ITEMS]
    ]
    return WaitingGroup(
        noun="mail in doubt",
        plural="mails in doubt",
        href="/mail?status=unknown",
        count=len(listed),
        items=items,
        tone="failed",
        verb="Settle",
        or_more=mails.next_cursor is not None,
    )


async def _failed_jobs(services: Services) -> WaitingGroup:
    count = sum(queue.failed for queue in await services.jobs.counts())
    which = JobFilter(status=JobStatus.FAILED)
    listed = (await services.jobs.jobs(which, limit=_LOOKED_AT)).items if count else []
    items = [
        WaitingItem(
            title=services.jobs.title_of(job.task),
            text=job.reason or "No reason was recorded.",
            href=f"/jobs/{job.id}",
            since=job.finished_at,
            retry=f"/jobs/{job.id}/retry",
        )
        for job in list(reversed(listed))[:MOST_ITEMS]
    ]
    href = "/jobs?status=failed"
    return WaitingGroup(noun="failed job", href=href, count=count, items=items, tone="failed", verb="Look")


async def _password(services: Services, principal: Principal) -> WaitingGroup:
    user = await accounts.get_user(services.accounts, principal, principal.user_id)
    missing = not user.has_password and services.accounts.oidc is None
    item = WaitingItem(
        title="Choose a password",
        text="You came in with a one-time link. With a password you can come back without one.",
        href="/account/password",
    )
    return WaitingGroup(
        noun="password to choose",
        href="/account/password",
        count=int(missing),
        items=[item] * missing,
        tone="plain",
        verb="Choose",
    )
