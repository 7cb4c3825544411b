"""The platform's own part of a day: approvals, mail in doubt, failures, backups; and what the records say happened."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.audit import service as audit
from almanac.audit.model import ActionSummary
from almanac.backup.status import BackupStatus
from almanac.http.day import MAX_WAITING_ITEMS, Day, DayEvent, Deed, WaitingGroup, WaitingItem
from almanac.http.desk import Desk
from almanac.http.failures import FailureNames, ShownFailure, list_failures
from almanac.http.visibility import is_visible
from almanac.jobs import JobFailure
from almanac.kit.messages import gettext, join_sentences, ngettext, pgettext
from almanac.mail.model import EndedMail, MailOutcome, MessageFilter
from almanac.services import Services

_MAX_READ = 50
# A session of an unknown kind is that of a mail or a program, which can do nothing about it.
_NO_HINT = (SignInMethod.UNKNOWN, SignInMethod.PASSWORD)
_FAILURES_BY_NAME = 3
"""More failures of the same work than this are one event."""
DEEDS = {
    "approval.approved": Deed(
        lambda number: ngettext("%(num)s request was approved", "%(num)s requests were approved", number),
        href="/approvals",
    ),
    "approval.rejected": Deed(
        lambda number: ngettext("%(num)s request was rejected", "%(num)s requests were rejected", number),
        href="/approvals",
    ),
    "mail.settled": Deed(
        lambda number: ngettext("%(num)s mail in doubt was settled", "%(num)s mails in doubt were settled", number),
        href="/mail",
    ),
    "failures.dismissed": Deed(
        lambda number: ngettext("Failures were dismissed once", "Failures were dismissed %(num)s times", number),
        href="/failures",
    ),
    "jobs.retried": Deed(
        lambda number: ngettext("Failed work was retried once", "Failed work was retried %(num)s times", number),
        href="/jobs",
    ),
}


@dataclass(frozen=True, slots=True)
class PlatformRecords:
    """What both parts of a day are made of: the backups for administrators, mail by its outcome for who may see it."""

    backup: BackupStatus | None
    mail: Sequence[EndedMail]


async def read_records(services: Services, principal: Principal, day: Day) -> PlatformRecords:
    """Mail of desks is left out: a desk tells what it sent, and settles what is in doubt."""
    may_see_mail = principal.may("mail.read") or principal.may("mail.settle")
    return PlatformRecords(
        backup=await services.backups.status() if principal.may("users.manage") else None,
        mail=await services.mailbox.summarize(day.since, day.until, hidden=DESKS) if may_see_mail else (),
    )


async def list_platform_waiting(
    services: Services,
    desks: Sequence[Desk],
    principal: Principal,
    records: PlatformRecords,
    failures: Sequence[JobFailure] | None = None,
) -> Sequence[WaitingGroup]:
    """Waiting items of the platform that this person may act on; `failures` are the open ones, if they were read."""
    groups = [await _approvals(services, principal)]
    if principal.may("mail.settle") and any(mail.outcome == "unknown" for mail in records.mail):
        groups.append(await _unknown_mail(services))
    groups.append(await _failures(services, desks, principal, failures))
    if records.backup is not None:
        groups.append(_backup_problem(services, records.backup))
    if principal.may("account.own") and principal.method not in _NO_HINT:
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
        words=gettext("Backups need attention"),
        href="/jobs",
        icon="alert",
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
        words=ngettext("%(num)s approval", "%(num)s approvals", count),
        href="/approvals",
        icon="check",
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
        words=ngettext("%(num)s mail in doubt", "%(num)s mails in doubt", len(listed)),
        href="/mail?status=unknown",
        icon="mail",
        count=len(listed),
        items=items,
        verb=gettext("Resolve"),
        or_more=mails.next_cursor is not None,
    )


async def _failures(
    services: Services, desks: Sequence[Desk], principal: Principal, failures: Sequence[JobFailure] | None
) -> WaitingGroup:
    """Failures that this person has to do something about, named by what failed."""
    listed = await list_failures(services, desks, principal, failures=failures)
    shown = [failure for failure in listed if failure.is_alarm]
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
    return WaitingGroup(
        noun="failure",
        words=ngettext("%(num)s failure", "%(num)s failures", len(shown)),
        href="/failures",
        icon="alert",
        count=len(shown),
        items=items,
        tone="failed" if any(not failure.failure.by_input for failure in shown) else "waiting",
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
        words=gettext("Choose a password"),
        href="/account/password",
        icon="key",
        count=int(missing),
        items=[item] * missing,
        tone="plain",
        verb=pgettext("password", "Choose"),
    )


async def list_platform_events(
    services: Services, desks: Sequence[Desk], principal: Principal, day: Day, records: PlatformRecords
) -> list[DayEvent]:
    """What the audit log, the jobs, the mail and the backups say about a day, as far as this person may see it."""
    events = await _list_deeds(services, desks, principal, day)
    events += await _list_failed(services, desks, principal, day)
    if principal.may("mail.read"):
        events += describe_mail(records.mail)
    return [*events, *_describe_backup(records.backup, day)] if records.backup else events


async def _list_deeds(services: Services, desks: Sequence[Desk], principal: Principal, day: Day) -> list[DayEvent]:
    """What people and Almanac decided and did; of others only what everybody at the desk may know, unless the person
    may read the audit log."""
    readable = [desk.deeds for desk in desks if principal.may(desk.read_permission)]
    deeds: dict[str, Deed] = {name: deed for listed in (DEEDS, *readable) for name, deed in listed.items()}
    actions = await audit.summarize_actions(
        services.database,
        day.since,
        day.until,
        open_actions=[name for name, deed in deeds.items() if deed.is_open],
        actions=[name for name, deed in deeds.items() if not deed.is_open],
        actor_id=None if principal.may("audit.read") else principal.user_id,
    )
    return describe_actions(actions, deeds, principal.user_id)


def describe_actions(actions: Iterable[ActionSummary], deeds: Mapping[str, Deed], own_id: str) -> list[DayEvent]:
    """One event for each action of each actor, with who it was and, if it is a single one, the reason they gave."""
    return [
        DayEvent(
            kind=deeds[action.action].kind,
            sentence=deeds[action.action].describe(action.number),
            at=action.last_at,
            text=_describe_actor(action, own_id),
            href=deeds[action.action].href,
        )
        for action in actions
    ]


def _describe_actor(action: ActionSummary, own_id: str) -> str:
    """By whom, and why: what was said about one of several isn't said of all."""
    why = (action.why or "") if action.number == 1 else ""
    if action.actor_id == own_id:
        by = gettext("By you.")
    elif action.actor_name:
        by = gettext("By %(name)s.", name=action.actor_name)
    else:
        return why
    return join_sentences([by, why]) if why else by


async def _list_failed(services: Services, desks: Sequence[Desk], principal: Principal, day: Day) -> list[DayEvent]:
    if not principal.may("jobs.read"):
        return []
    names = FailureNames(services, desks, principal)
    failures = await services.jobs.failed_between(day.since, day.until)
    shown = [await names.show(failure) for failure in failures if is_visible(principal, failure.task)]
    return describe_failures([failure for failure in shown if failure is not None])


def describe_failures(shown: Iterable[ShownFailure]) -> list[DayEvent]:
    """Each failure by its name; where the same work failed on many objects, one event with the last reason."""
    events = []
    for title, group in groupby(sorted(shown, key=lambda failure: failure.title), key=lambda failure: failure.title):
        failures = sorted(group, key=lambda failure: failure.failure.job_id, reverse=True)
        if len(failures) > _FAILURES_BY_NAME:
            times = sum(failure.failure.times for failure in failures)
            events.append(_failed_event(title, times, failures[0], "/failures"))
        else:
            events += [
                _failed_event(
                    failure.name,
                    failure.failure.times,
                    failure,
                    failure.object.href if failure.object else f"/jobs/{failure.failure.job_id}",
                )
                for failure in failures
            ]
    return events


def _failed_event(name: str, times: int, failure: ShownFailure, href: str) -> DayEvent:
    sentence = ngettext("%(name)s failed", "%(name)s failed %(num)s times", times, name=name)
    return DayEvent(kind="failed", sentence=sentence, at=failure.failure.failed_at, text=failure.reason, href=href)


def describe_mail(ended: Iterable[EndedMail]) -> list[DayEvent]:
    """One event for each outcome. Mail in doubt waits for a decision and isn't an event."""
    by_outcome: dict[MailOutcome, list[EndedMail]] = {}
    for mail in ended:
        by_outcome.setdefault(mail.outcome, []).append(mail)
    return [
        DayEvent(
            kind="failed" if outcome == "failed" else "sent",
            sentence=sentence,
            at=max((mail.last_at for mail in mails if mail.last_at), default=None),
            text=next((mail.reason for mail in mails if mail.reason), "") if outcome == "failed" else "",
            href=f"/mail?status={outcome}",
        )
        for outcome, mails in by_outcome.items()
        if (sentence := _count_mail(outcome, sum(mail.number for mail in mails)))
    ]


def _count_mail(outcome: MailOutcome, number: int) -> str:
    match outcome:
        case "sent":
            return ngettext("%(num)s mail was sent", "%(num)s mails were sent", number)
        case "kept":
            return ngettext("%(num)s mail was kept here", "%(num)s mails were kept here", number)
        case "failed":
            return ngettext("%(num)s mail failed", "%(num)s mails failed", number)
    return ""


def _describe_backup(status: BackupStatus, day: Day) -> list[DayEvent]:
    good = status.last_good
    if good is None or not day.since <= good.finished_at < day.until:
        return []
    rows = good.row_count
    text = (
        ngettext("Restored on trial, %(num)s row, encrypted.", "Restored on trial, %(num)s rows, encrypted.", rows)
        if good.encrypted
        else ngettext("Restored on trial, %(num)s row.", "Restored on trial, %(num)s rows.", rows)
    )
    return [DayEvent(kind="collected", sentence=gettext("Backed up"), at=good.finished_at, text=text, href="/jobs")]
