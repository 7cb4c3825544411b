"""The desk's part of the day: reminders to decide with their amounts, replies, and what was sent or decided."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import REMINDER_CANCELLED, REMINDER_FAILED, REMINDER_UNKNOWN
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.labels import level_label
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.ledger import Customer, Hold
from almanac.desks.reminders.model.outbox import PAYMENT_RECORDED
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.permissions import APPROVE, READ, SEND, WRITE
from almanac.desks.reminders.store.ledger_queries import list_oldest_replies
from almanac.desks.reminders.urls import queue_url
from almanac.http.day import (
    MAX_WAITING_ITEMS,
    Day,
    DayEvent,
    DayLink,
    Deed,
    DeskDay,
    WaitingGroup,
    WaitingItem,
    add_amounts,
    describe_amounts,
)
from almanac.http.desk import MAX_COUNTED, NamedObject
from almanac.kit.messages import gettext, join_sentences, ngettext
from almanac.kit.money import Money
from almanac.kit.text import shorten
from almanac.services import Services
from tablature.kept_reads import KeptReads

_MAX_SENT, _MAX_REPLIES = 500, 100
DEEDS = {
    "reminder.drafted": Deed(
        lambda number: ngettext("%(num)s reminder was drafted", "%(num)s reminders were drafted", number),
        kind="collected",
        href="/reminders",
        is_open=True,
    ),
    "reminder.approved": Deed(
        lambda number: ngettext("%(num)s reminder was approved", "%(num)s reminders were approved", number),
        href="/reminders?state=approved",
        is_open=True,
    ),
    "reminder.rejected": Deed(
        lambda number: ngettext("%(num)s reminder was rejected", "%(num)s reminders were rejected", number),
        is_open=True,
    ),
    "reminder.snoozed": Deed(
        lambda number: ngettext("%(num)s reminder was put off", "%(num)s reminders were put off", number),
        href="/reminders?state=snoozed",
        is_open=True,
    ),
    REMINDER_CANCELLED: Deed(
        lambda number: ngettext("%(num)s reminder was cancelled", "%(num)s reminders were cancelled", number),
        is_open=True,
    ),
    REMINDER_FAILED: Deed(
        lambda number: ngettext("%(num)s reminder failed", "%(num)s reminders failed", number),
        kind="failed",
        href="/reminders?state=failed",
        is_open=True,
    ),
    REMINDER_UNKNOWN: Deed(
        lambda number: ngettext("%(num)s reminder came into doubt", "%(num)s reminders came into doubt", number),
        kind="failed",
        href="/reminders?state=unknown",
        is_open=True,
    ),
    PAYMENT_RECORDED: Deed(
        lambda number: ngettext("%(num)s payment was recorded", "%(num)s payments were recorded", number),
        kind="collected",
        is_open=True,
    ),
}


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
class ReminderDay:
    """What the day is made of: drafts of some states, what was sent, replies, and whether there is any customer."""

    drafts: dict[DraftState, list[ReminderDraft]]
    sent: list[SentReminder]
    replies: list[Hold]
    has_more_replies: bool
    repliers: dict[str, Customer]
    has_customers: bool


_DAYS: KeptReads[ReminderDay] = KeptReads()


async def _read_day(services: Services, principal: Principal, day: Day) -> ReminderDay:
    """Kept as long as nothing changes. Reads up to a limit, so that the page costs the same however much there is."""
    tables, listed = services.tables, _list_states(principal, day)
    with_replies = day.is_today and principal.may(WRITE)

    async def load() -> ReminderDay:
        drafts = {state: (await store.list_drafts(tables, state, limit=MAX_COUNTED)).items for state in listed}
        last = day.until - timedelta(seconds=1)
        sent = [] if day.is_future else (await store.list_sent(tables, day.since, last, limit=_MAX_SENT)).items
        replies, more = await list_oldest_replies(tables, among=_MAX_REPLIES) if with_replies else ([], False)
        repliers = await store.find_customers(tables, [hold.customer_id for hold in replies[:MAX_WAITING_ITEMS]])
        is_used = bool(sent or any(drafts.values())) or bool((await store.list_customers(tables, limit=1)).items)
        return ReminderDay(drafts, sent, replies, more, repliers, is_used)

    return await _DAYS.get(tables, (day.on, day.zone, day.is_today, *listed, with_replies), load)


def _list_states(principal: Principal, day: Day) -> list[DraftState]:
    if day.is_past:
        return []
    if day.is_future:
        return ["snoozed"]
    asked: list[tuple[DraftState, str]] = [("draft", APPROVE), ("unknown", SEND)]
    return [state for state, permission in asked if principal.may(permission)]


async def load_day(services: Services, principal: Principal, day: Day) -> DeskDay:
    """The desk as this person may see it."""
    content = await _read_day(services, principal, day)
    if day.is_future:
        return DeskDay(events=_planned(content.drafts["snoozed"], day))
    step = DayLink(gettext("Import customers and invoices"), "/reminders/import")
    return DeskDay(
        waiting=_list_waiting(content),
        events=await _sent(services, content.sent),
        first_step=step if day.is_today and principal.may(WRITE) and not content.has_customers else None,
    )


def _planned(drafts: Sequence[ReminderDraft], day: Day) -> list[DayEvent]:
    """Reminders that were put off until that day."""
    due = [draft for draft in drafts if draft.snoozed_until and day.since <= draft.snoozed_until < day.until]
    if not due:
        return []
    sentence = ngettext("%(num)s reminder comes back", "%(num)s reminders come back", len(due))
    return [DayEvent(kind="planned", sentence=sentence, href=queue_url(state="snoozed"), text=_describe_owed(due))]


async def _sent(services: Services, sent: Sequence[SentReminder]) -> list[DayEvent]:
    """What was sent, apart from what was only kept here."""
    if not sent:
        return []
    kept = await services.mailbox.find_kept(reminder.mail_id for reminder in sent if reminder.mail_id)
    left = [reminder for reminder in sent if reminder.mail_id not in kept]
    stayed = [reminder for reminder in sent if reminder.mail_id in kept]
    sentences = (
        (left, ngettext("%(num)s reminder was sent", "%(num)s reminders were sent", len(left))),
        (stayed, ngettext("%(num)s reminder was kept here", "%(num)s reminders were kept here", len(stayed))),
    )
    return [
        DayEvent(
            kind="sent",
            sentence=sentence,
            at=max(reminder.sent_at for reminder in group),
            text=describe_amounts(
                add_amounts(
                    Money(reminder.amount, reminder.currency)
                    for reminder in group
                    if reminder.amount is not None and reminder.currency
                )
            ),
            href="/reminders/sent",
        )
        for group, sentence in sentences
        if group
    ]


def _owed(drafts: Sequence[ReminderDraft]) -> list[Money]:
    return add_amounts(Money(draft.facts.total, draft.facts.currency) for draft in drafts if draft.facts)


def _describe_owed(drafts: Sequence[ReminderDraft]) -> str:
    return describe_amounts(_owed(drafts))


def _list_waiting(content: ReminderDay) -> Sequence[WaitingGroup]:
    groups = [_waiting_drafts(state, drafts) for state, drafts in content.drafts.items()]
    return [group for group in (*groups, _waiting_replies(content)) if group.count]


def _waiting_drafts(state: DraftState, drafts: Sequence[ReminderDraft]) -> WaitingGroup:
    count, is_draft = len(drafts), state == "draft"
    return WaitingGroup(
        noun="reminder to decide" if is_draft else "reminder in doubt",
        words=ngettext("%(num)s reminder", "%(num)s reminders", count)
        if is_draft
        else ngettext("%(num)s reminder in doubt", "%(num)s reminders in doubt", count),
        href=queue_url(state=state),
        count=count,
        icon="reminders",
        items=[_waiting_item(draft) for draft in drafts[:MAX_WAITING_ITEMS]],
        amounts=_owed(drafts),
        verb=gettext("Decide") if is_draft else gettext("Resolve"),
        or_more=count == MAX_COUNTED,
    )


def _waiting_item(draft: ReminderDraft) -> WaitingItem:
    about = draft.reason if draft.state == "unknown" else gettext("%(level)s reminder.", level=level_label(draft.level))
    owed = Money(draft.facts.total, draft.facts.currency) if draft.facts else None
    text = join_sentences([gettext("%(amount)s open.", amount=owed), about]) if owed else about
    return WaitingItem(
        title=draft.customer_name, text=text, href=queue_url(draft.id, draft.state), since=draft.created_at
    )


def _waiting_replies(content: ReminderDay) -> WaitingGroup:
    """Replies among the oldest holds; a reply pauses reminders until somebody has read it."""
    holds, customers = content.replies, content.repliers
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
    return WaitingGroup(
        noun="reply",
        words=ngettext("%(num)s reply", "%(num)s replies", len(holds)),
        href=href,
        count=len(holds),
        icon="reminders",
        items=items,
        verb=gettext("Read"),
        or_more=content.has_more_replies,
    )
