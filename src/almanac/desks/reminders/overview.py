"""The desk's overview on the home page: drafts by state, recently sent reminders, and what waits for a decision."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.labels import STATES, level_label
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.ledger import Customer, Hold
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.permissions import APPROVE, READ, SEND, WRITE
from almanac.desks.reminders.store.ledger_queries import list_oldest_replies
from almanac.desks.reminders.store.sent import count_sent
from almanac.desks.reminders.urls import queue_url, sent_mail_url
from almanac.http.desk import MAX_COUNTED
from almanac.http.overview import (
    MAX_WAITING_ITEMS,
    Figure,
    NamedObject,
    Overview,
    OverviewLink,
    Series,
    WaitingGroup,
    WaitingItem,
)
from almanac.kit.messages import gettext, join_sentences, ngettext
from almanac.kit.money import Money
from almanac.kit.text import shorten
from almanac.services import Services
from tablature.kept_reads import KeptReads

SHOWN_STATES: dict[DraftState, str] = {
    state: STATES[state] for state in ("draft", "approved", "snoozed", "unknown", "failed")
}
_WEEK, _YEAR, _COUNT_LIMIT = timedelta(days=7), timedelta(days=365), 100


async def name_reminder(services: Services, principal: Principal, draft_id: str) -> NamedObject:
    """The reminder that a job worked on. Raises NotFound, also once it was sent."""
    principal.require(READ)
    draft = await store.get_draft(services.tables, draft_id)
    return NamedObject(
        gettext("Reminder to %(customer_name)s", customer_name=draft.customer_name),
        queue_url(draft_id, draft.state),
        draft.created_by.id,
    )


async def name_customers(services: Services, principal: Principal, ids: Collection[str]) -> dict[str, str]:
    """What customers are called, for the audit log; those who were erased are left out."""
    principal.require(READ)
    customers = await store.find_customers(services.tables, ids)
    return {customer_id: customer.name for customer_id, customer in customers.items() if not customer.erased_at}


@dataclass(frozen=True, slots=True)
class ReminderFigures:
    """What the overview is made of: counts, the latest reminder, the first drafts of some states, and replies."""

    counts: dict[DraftState, int]
    sent: int
    last: SentReminder | None
    drafts: dict[DraftState, list[ReminderDraft]]
    replies: list[Hold]
    has_more_replies: bool
    repliers: dict[str, Customer]


_FIGURES: KeptReads[ReminderFigures] = KeptReads()


async def _read_figures(services: Services, principal: Principal) -> ReminderFigures:
    """As of now; kept for a minute as long as nothing changes. Counts stop at a limit, so that the page costs the same
    however much there is."""
    tables, now = services.tables, services.clock.now()
    listed: list[DraftState] = ["draft"] if principal.may(APPROVE) else []
    if principal.may(SEND):
        listed.append("unknown")
    with_replies = principal.may(WRITE)

    async def load() -> ReminderFigures:
        latest = await store.list_sent(tables, now - _YEAR, now, newest_first=True, limit=1)
        sent, *counted = await asyncio.gather(
            count_sent(tables, now - _WEEK, now, upto=_COUNT_LIMIT),
            *(store.count_drafts(tables, state, upto=MAX_COUNTED) for state in SHOWN_STATES),
        )
        counts = dict(zip(SHOWN_STATES, counted, strict=True))
        drafts = {
            state: (await store.list_drafts(tables, state, limit=MAX_WAITING_ITEMS)).items
            for state in listed
            if counts[state]
        }
        replies, more = await list_oldest_replies(tables, among=_COUNT_LIMIT) if with_replies else ([], False)
        repliers = await store.find_customers(tables, [hold.customer_id for hold in replies[:MAX_WAITING_ITEMS]])
        return ReminderFigures(counts, sent, latest.items[0] if latest.items else None, drafts, replies, more, repliers)

    return await _FIGURES.get(tables, (now.replace(second=0, microsecond=0), *listed, with_replies), load)


async def get_overview(services: Services, principal: Principal) -> Overview:
    """The desk as this person may see it."""
    figures = await _read_figures(services, principal)
    counts, sent, last = figures.counts, figures.sent, figures.last
    is_kept = last is not None and last.mail_id in await services.mailbox.find_kept([last.mail_id or ""])
    return Overview(
        figures=(
            Figure(counts["draft"], gettext("to decide"), "/reminders", or_more=counts["draft"] == MAX_COUNTED),
            Figure(
                sent,
                gettext("sent in 7 days") if services.mail_leaves else gettext("kept here in 7 days"),
                "/reminders/sent",
                or_more=sent == _COUNT_LIMIT,
            ),
        ),
        series=Series(
            gettext("Drafts by state"),
            [(words, counts[state]) for state, words in SHOWN_STATES.items()],
            over_time=False,
        ),
        last=OverviewLink(
            gettext("Kept here: %(subject)s", subject=last.subject)
            if is_kept
            else gettext("Sent: %(subject)s", subject=last.subject),
            sent_mail_url(last.id),
            last.sent_at,
        )
        if last
        else None,
        waiting=_list_waiting(figures, principal),
        first_step=None if last or any(counts.values()) else await _first_step(services, principal),
    )


async def _first_step(services: Services, principal: Principal) -> OverviewLink | None:
    if not principal.may(WRITE) or (await store.list_customers(services.tables, limit=1)).items:
        return None
    return OverviewLink(gettext("Import customers and invoices"), "/reminders/import")


def _list_waiting(figures: ReminderFigures, principal: Principal) -> Sequence[WaitingGroup]:
    groups = [_waiting_drafts(state, figures.counts[state], drafts) for state, drafts in figures.drafts.items()]
    replies = _waiting_replies(figures) if principal.may(WRITE) else ()
    return [group for group in (*groups, *replies) if group.count]


def _waiting_drafts(state: DraftState, count: int, listed: Sequence[ReminderDraft]) -> WaitingGroup:
    href, items = queue_url(state=state), [_waiting_item(draft) for draft in listed]
    if state == "draft":
        return WaitingGroup(
            noun="reminder to decide",
            label=gettext("Reminder to decide"),
            words=ngettext("%(num)s reminder to decide", "%(num)s reminders to decide", count),
            href=href,
            count=count,
            items=items,
            verb=gettext("Decide"),
            or_more=count == MAX_COUNTED,
        )
    return WaitingGroup(
        noun="reminder in doubt",
        label=gettext("Reminder in doubt"),
        words=ngettext("%(num)s reminder in doubt", "%(num)s reminders in doubt", count),
        href=href,
        count=count,
        items=items,
        tone="failed",
        verb=gettext("Resolve"),
        or_more=count == MAX_COUNTED,
    )


def _waiting_item(draft: ReminderDraft) -> WaitingItem:
    about = draft.reason if draft.state == "unknown" else gettext("%(level)s reminder.", level=level_label(draft.level))
    owed = Money(draft.facts.total, draft.facts.currency) if draft.facts else None
    text = join_sentences([gettext("%(amount)s open.", amount=owed), about]) if owed else about
    return WaitingItem(
        title=draft.customer_name, text=text, href=queue_url(draft.id, draft.state), since=draft.created_at
    )


def _waiting_replies(figures: ReminderFigures) -> tuple[WaitingGroup, ...]:
    """Replies among the oldest holds; a reply pauses reminders until somebody has read it."""
    holds, customers = figures.replies, figures.repliers
    items = [
        WaitingItem(
            title=gettext("%(name)s replied", name=customers[hold.customer_id].name),
            text=shorten(hold.note, 120),
            href="/reminders/replies",
            since=hold.created_at,
        )
        for hold in holds[:MAX_WAITING_ITEMS]
        if hold.customer_id in customers
    ]
    href = "/reminders/replies"
    return (
        WaitingGroup(
            noun="reply",
            label=gettext("Reply"),
            words=ngettext("%(num)s reply", "%(num)s replies", len(holds)),
            href=href,
            count=len(holds),
            items=items,
            verb=gettext("Read"),
            or_more=figures.has_more_replies,
        ),
    )
