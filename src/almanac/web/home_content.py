"""The content of the home page and its API: what waits for a person, today's jobs, and a card for every desk.

If a desk fails, only its own card is missing.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.backup.status import BackupRun, BackupStatus
from almanac.errors import AlmanacError
from almanac.http.desk import Desk
from almanac.http.failures import FailureNames, list_failures
from almanac.http.overview import MAX_WAITING_ITEMS, Overview, WaitingGroup, WaitingItem
from almanac.http.visibility import hidden_areas
from almanac.jobs import JobFilter, JobStatus, JobView
from almanac.kit.messages import gettext, ngettext, pgettext
from almanac.mail.model import MessageFilter
from almanac.services import Services

MAX_WAITING_SHOWN = 8
_MAX_RUNNING_SHOWN, _MAX_JOBS_READ, _MAX_READ = 8, 100, 50
_DESK_TIMEOUT_SECONDS = 5
_DESK_UNAVAILABLE = gettext("This desk couldn't be loaded. Open it, or reload this page.")
_NEVER = datetime.max.replace(tzinfo=UTC)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JobSummary:
    """The jobs of one type that ended today: title, count, failures, and the run to show."""

    title: str
    job: JobView
    times: int
    failed: int


@dataclass(frozen=True, slots=True)
class TodaysJobs:
    """Running jobs and those that ended today; `is_whole` is False if there were too many to read all."""

    running: Sequence[JobView]
    ran: Sequence[JobSummary]
    is_whole: bool


async def _load_todays_jobs(services: Services, desks: Sequence[Desk], principal: Principal) -> TodaysJobs | None:
    """The jobs of the day in the person's time zone; None if they may not see jobs."""
    if not principal.may("jobs.read"):
        return None
    since, hidden = _local_midnight(services, principal), hidden_areas(principal)
    names = FailureNames(services, desks, principal)
    latest = (await services.jobs.jobs(JobFilter(hidden=hidden), limit=_MAX_JOBS_READ)).items
    if len(latest) < _MAX_JOBS_READ:
        running = [job for job in latest if job.status is JobStatus.RUNNING][:_MAX_RUNNING_SHOWN]
    else:
        asked = JobFilter(status=JobStatus.RUNNING, hidden=hidden)
        running = (await services.jobs.jobs(asked, limit=_MAX_RUNNING_SHOWN)).items
    is_whole = len(latest) < _MAX_JOBS_READ or latest[-1].created_at < since
    if not is_whole:
        # What runs every minute would push out what people started.
        own = (await services.jobs.jobs(JobFilter(housekeeping=False, hidden=hidden), limit=_MAX_JOBS_READ)).items
        latest = sorted({job.id: job for job in (*latest, *own)}.values(), key=lambda job: job.id, reverse=True)
    latest = [await names.redact(job) for job in latest]
    ended = [job for job in latest if job.finished_at is not None and job.finished_at >= since]
    by_task: dict[str, list[JobView]] = {}
    for job in ended:
        by_task.setdefault(job.task, []).append(job)
    # Jobs that run every few minutes would hide the rest: failures first, then jobs that a person started.
    ran = sorted(
        (_summarize_jobs(services, jobs) for jobs in by_task.values()),
        key=lambda ran_job: (not ran_job.failed, bool(ran_job.job.schedule)),
    )
    return TodaysJobs(running, ran, is_whole)


def _summarize_jobs(services: Services, jobs: list[JobView]) -> JobSummary:
    """Shows the latest failure, or the latest run if none failed."""
    failed = [job for job in jobs if job.status is JobStatus.FAILED]
    return JobSummary(services.jobs.title_of(jobs[0].task), (failed or jobs)[0], len(jobs), len(failed))


def _local_midnight(services: Services, principal: Principal) -> datetime:
    zone = ZoneInfo(principal.preferences.time_zone or services.settings.time_zone)
    return datetime.combine(services.clock.now().astimezone(zone).date(), time(), zone)


async def _list_platform_waiting(
    services: Services, desks: Sequence[Desk], principal: Principal, backup: BackupStatus | None
) -> Sequence[WaitingGroup]:
    """Waiting items of the platform that this person may act on."""
    groups = [await _approvals(services, principal)]
    if principal.may("mail.settle"):
        groups.append(await _unknown_mail(services))
    groups.append(await _failures(services, desks, principal))
    if backup is not None:
        groups.append(_backup_problem(services, backup))
    if principal.may("account.own") and principal.via == "session" and principal.method is not SignInMethod.PASSWORD:
        groups.append(await _password(services, principal))
    return [group for group in groups if group.count]


def _backup_problem(services: Services, status: BackupStatus) -> WaitingGroup:
    problem = services.backups.describe_problem(status)
    since = status.trouble_since if problem else None
    items = (
        [WaitingItem(title=gettext("Backups need attention"), text=problem, href="/jobs", since=since)]
        if problem
        else []
    )
    return WaitingGroup(
        noun="backup problem",
        label=gettext("Backup problem"),
        words=ngettext("%(num)s backup problem", "%(num)s backup problems", len(items)),
        href="/jobs",
        count=len(items),
        items=items,
        tone="failed",
        verb=gettext("View"),
    )


async def _approvals(services: Services, principal: Principal) -> WaitingGroup:
    async with services.database.reading() as reading:
        count = await services.approvals.count_waiting(reading, principal)
        listed = (await services.approvals.waiting(reading, principal, limit=MAX_WAITING_ITEMS)).items if count else []
    items = [
        WaitingItem(
            title=approval.title or f"{approval.subject.kind} {approval.subject.id}",
            text=gettext("Asked for by %(name)s.", name=approval.asked_by.name),
            href=f"/approvals/{approval.id}",
            since=approval.asked_at,
        )
        for approval in listed
    ]
    return WaitingGroup(
        noun="approval",
        label=gettext("Approval"),
        words=ngettext("%(num)s approval", "%(num)s approvals", count),
        href="/approvals",
        count=count,
        items=items,
        verb=gettext("Decide"),
    )


async def _unknown_mail(services: Services) -> WaitingGroup:
    """Mail of a desk is left out: it is settled at the desk, which knows what it was about."""
    mails = await services.mailbox.list(MessageFilter(outcome="unknown"), limit=_MAX_READ)
    listed = [line for line in reversed(mails.items) if line.topic not in DESKS]
    items = [
        WaitingItem(
            title=line.subject,
            text=gettext("It may or may not have been sent. It isn't sent again until somebody checks."),
            href=f"/mail/{line.id}",
            since=line.queued_at,
        )
        for line in listed[:MAX_WAITING_ITEMS]
    ]
    return WaitingGroup(
        noun="mail in doubt",
        label=gettext("Mail in doubt"),
        words=ngettext("%(num)s mail in doubt", "%(num)s mails in doubt", len(listed)),
        href="/mail?status=unknown",
        count=len(listed),
        items=items,
        tone="failed",
        verb=gettext("Resolve"),
        or_more=mails.next_cursor is not None,
    )


async def _failures(services: Services, desks: Sequence[Desk], principal: Principal) -> WaitingGroup:
    """Failures that this person has to do something about, named by what failed."""
    shown = [failure for failure in await list_failures(services, desks, principal) if failure.is_alarm]
    may_retry = principal.may("jobs.retry")
    items = [
        WaitingItem(
            title=failure.name,
            text=f"{failure.title}: {failure.reason}" if failure.object else failure.reason,
            href=failure.object.href if failure.object else "/failures",
            since=failure.failure.failed_at,
            retry=f"/jobs/{failure.failure.job_id}/retry" if may_retry else "",
        )
        for failure in list(reversed(shown))[:MAX_WAITING_ITEMS]
    ]
    tone = "failed" if any(not failure.failure.by_input for failure in shown) else "waiting"
    return WaitingGroup(
        noun="failure",
        label=gettext("Failure"),
        words=ngettext("%(num)s failure", "%(num)s failures", len(shown)),
        href="/failures",
        count=len(shown),
        items=items,
        tone=tone,
        verb=gettext("View"),
    )


async def _password(services: Services, principal: Principal) -> WaitingGroup:
    user = await accounts.get_user(services.accounts, principal, principal.user_id)
    missing = not user.has_password and services.accounts.oidc is None
    item = WaitingItem(
        title=gettext("Choose a password"),
        text=gettext("You signed in with a one-time link. Set a password to sign in without one."),
        href="/account/password",
    )
    return WaitingGroup(
        noun="password to choose",
        label=gettext("Password to choose"),
        words=ngettext("%(num)s password to choose", "%(num)s passwords to choose", int(missing)),
        href="/account/password",
        count=int(missing),
        items=[item] * missing,
        tone="plain",
        verb=pgettext("password", "Choose"),
    )


@dataclass(frozen=True, slots=True)
class DeskCard:
    """A desk's card: its overview, or why there is none."""

    desk: Desk
    glance: Overview
    problem: str = ""


@dataclass(frozen=True, slots=True)
class HomeContent:
    """Everything on the home page. `today` is None for people who may not see jobs, `last_backup` for all but
    administrators.
    """

    waiting: Sequence[WaitingGroup]
    today: TodaysJobs | None
    desks: Sequence[DeskCard]
    last_backup: BackupRun | None = None

    @property
    def count(self) -> int:
        """How many items wait in all."""
        return sum(group.count for group in self.waiting)

    @property
    def or_more(self) -> bool:
        return any(group.or_more for group in self.waiting)

    @property
    def longest_waiting(self) -> list[tuple[WaitingGroup, WaitingItem]]:
        """The items to do first, whatever their kind; those without a time come last."""
        items = [(group, item) for group in self.waiting for item in group.items]
        return sorted(items, key=lambda pair: pair[1].since or _NEVER)[:MAX_WAITING_SHOWN]


async def load_home(services: Services, desks: Sequence[Desk], principal: Principal) -> HomeContent:
    """Load all cards and the platform's own part concurrently."""
    shown = [desk for desk in desks if principal.may(desk.read_permission)]
    backup = await services.backups.status() if principal.may("users.manage") else None
    waiting, today, cards = await asyncio.gather(
        _list_platform_waiting(services, desks, principal, backup),
        _load_todays_jobs(services, desks, principal),
        asyncio.gather(*(_load_card(services, desk, principal) for desk in shown)),
    )
    groups = [*waiting, *(group for card in cards for group in card.glance.waiting)]
    return HomeContent(groups, today, cards, backup.last_good if backup else None)


async def _load_card(services: Services, desk: Desk, principal: Principal) -> DeskCard:
    try:
        async with asyncio.timeout(_DESK_TIMEOUT_SECONDS):
            return DeskCard(desk, await desk.overview(services, principal))
    except AlmanacError as error:
        return DeskCard(desk, Overview(), error.sentence)
    except Exception:  # noqa: BLE001 - whatever a desk's own stores raise, the others are still worth seeing
        _log.exception("The overview of the %s desk failed", desk.name)
        return DeskCard(desk, Overview(), _DESK_UNAVAILABLE)
