"""Reads and writes of drafts. Every write is conditional on the ladder and the customer as they were read."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from almanac.accounts.model import Principal
from almanac.approvals import ApprovalPerson
from almanac.desks.reminders.model.draft import (
    DebtFacts,
    LetterWording,
    ReminderDraft,
    WrittenBy,
    make_draft_id,
    require_transition,
    split_draft_id,
)
from almanac.desks.reminders.model.eligibility import Case, Eligible, check_eligibility
from almanac.desks.reminders.model.ladder import (
    OPEN_STATES,
    UNSENT_STATES,
    DeclinedDraft,
    DraftState,
    Ladder,
    LadderRules,
    OpenDraft,
)
from almanac.desks.reminders.model.outbox import DraftEventFactory, OutboxEntry
from almanac.desks.reminders.model.transitions import DRAFT_RETENTION, can_reopen_rejected
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.ladders import read_case
from almanac.desks.reminders.store.ledger_queries import TableReadCache
from almanac.desks.reminders.store.transactions import (
    WriteConflict,
    commit,
    customer_check,
    ladder_write,
    outbox_writes,
    retry_on_conflict,
)
from almanac.errors import Conflict, NotFound
from almanac.kit.paging import Page
from tablature import Write, create, patch
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed

DraftTransition = Callable[[ReminderDraft, Case], ReminderDraft]
MAX_KEY_SHIFT_SECONDS = 60
_FROM_OTHER_PROGRAM = (
    "Another program wrote this draft; draft the reminder here, so that it can be checked and sent once."
)
_COUNT_CACHE: TableReadCache[int] = TableReadCache(seconds=1.0)
_WRITTEN_BY: dict[str | None, WrittenBy] = {"template": "template", "model": "model", "person": "person"}


async def find_draft(tables: AsyncDatabase, draft: str) -> ReminderDraft | None:
    moment, customer = split_draft_id(draft)
    found = await tables.get(table.EmailDraft.key(customer_id=customer, timestamp=moment), consistent=True)
    return to_draft(found) if found else None


async def find_drafts(tables: AsyncDatabase, ids: Iterable[str]) -> dict[str, ReminderDraft]:
    """Those drafts of a set that there are, by id; what can't be an id is none of them."""
    refs = []
    for one in sorted(set(ids)):
        with suppress(NotFound):
            moment, customer = split_draft_id(one)
            refs.append(table.EmailDraft.key(customer_id=customer, timestamp=moment))
    found = [to_draft(item) for item in await tables.get_many(refs, consistent=True) if item is not None]
    return {draft.id: draft for draft in found}


async def get_draft(tables: AsyncDatabase, draft: str) -> ReminderDraft:
    found = await find_draft(tables, draft)
    if found is None:
        raise NotFound(f"There is no draft {draft[:60]}; it may have been sent, or its time is over.")
    return found


async def list_drafts(
    tables: AsyncDatabase, state: DraftState = "draft", *, limit: int = 25, cursor: str | None = None
) -> Page[ReminderDraft]:
    """Drafts in one state, the oldest first."""
    page = await tables.query(table.EmailDraft.with_status(status=state), limit=limit, cursor=cursor)
    return Page([to_draft(item) for item in page.items], page.cursor)


async def iterate_drafts(tables: AsyncDatabase, state: DraftState) -> AsyncIterator[ReminderDraft]:
    """Every draft in one state."""
    async for item in tables.each(table.EmailDraft.with_status(status=state), page=100):
        yield to_draft(item)


async def list_customer_drafts(tables: AsyncDatabase, customer_id: str) -> list[ReminderDraft]:
    """A customer's drafts, the latest first."""
    query = table.EmailDraft.of_customer(customer_id=customer_id)
    return [to_draft(item) async for item in tables.each(query)]


async def count_drafts(tables: AsyncDatabase, state: DraftState, *, upto: int) -> int:
    """How many drafts are in one state. Counting reads them, so it stops at a number."""
    query = table.EmailDraft.with_status(status=state)
    return await _COUNT_CACHE.get(tables, (state, upto), lambda: tables.count(query, upto=upto))


async def create_draft(
    tables: AsyncDatabase,
    eligible: Eligible,
    wording: LetterWording,
    *,
    rules: LadderRules,
    by: Principal,
    now: datetime,
    record_event: DraftEventFactory | None = None,
) -> ReminderDraft:
    """A new draft that takes its level. Where that isn't possible any more, or the debt changed, it is a Conflict."""
    customer, currency = eligible.debt.customer_id, eligible.debt.currency

    async def attempt() -> ReminderDraft:
        case = await read_case(tables, customer, currency)
        decision = check_eligibility(case, rules, now)
        if not isinstance(decision, Eligible):
            raise Conflict(f"No reminder can be drafted: {decision.why}", rule=decision.rule)
        same = (decision.level, decision.cycle, decision.debt.fingerprint)
        if same != (eligible.level, eligible.cycle, eligible.debt.fingerprint):
            raise Conflict("The debt changed while this was written; draft it again.", rule="debt")
        draft = _make_draft(case, decision, wording, by, now)
        return await _store_new_draft(tables, case, draft, now, record_event)

    return await retry_on_conflict(attempt)


def _make_draft(case: Case, eligible: Eligible, wording: LetterWording, by: Principal, now: datetime) -> ReminderDraft:
    return ReminderDraft(
        id="",
        customer_id=case.customer.id,
        customer_name=case.customer.name,
        level=eligible.level,
        currency=case.currency,
        cycle=eligible.cycle,
        state="draft",
        wording=replace(wording, recipients=case.customer.recipients),
        facts=DebtFacts.of(eligible.debt),
        created_at=now.replace(microsecond=0),
        created_by=ApprovalPerson.of(by),
        authors=frozenset({by.user_id}),
        expires_at=now.replace(microsecond=0) + DRAFT_RETENTION,
        version=1,
    )


async def _store_new_draft(
    tables: AsyncDatabase, case: Case, draft: ReminderDraft, now: datetime, record_event: DraftEventFactory | None
) -> ReminderDraft:
    """Under the first second that is free: the documented key tells a customer's drafts apart by seconds."""
    for second in range(MAX_KEY_SHIFT_SECONDS):
        moment = draft.created_at + timedelta(seconds=second)
        named = replace(draft, id=make_draft_id(draft.customer_id, moment))
        writes = (
            ladder_write(case.ladder.with_open(_open_draft_entry(named, now))),
            create(new_draft_item(named, moment)),
            customer_check(case.customer),
            *(outbox_writes(record_event(None, named)) if record_event else ()),
        )
        try:
            await commit(tables, *writes)
        except AlreadyExists:
            continue
        return named
    raise WriteConflict


def _open_draft_entry(draft: ReminderDraft, now: datetime) -> OpenDraft:
    fingerprint = draft.facts.fingerprint if draft.facts else ""
    return OpenDraft(draft.id, draft.level, draft.cycle, draft.state, fingerprint, now, draft.expires_at)


async def change_draft(
    tables: AsyncDatabase,
    draft: str,
    change: DraftTransition,
    *,
    rules: LadderRules,
    now: datetime,
    expected: int | None = None,
    record_event: DraftEventFactory | None = None,
) -> ReminderDraft:
    """Change a draft as decided by a pure function of it and its case, again if anything it saw moved meanwhile.

    `expected` is the version that a person saw; a draft of another version is a Conflict. What `tell` says of the
    change is kept in its transaction.
    """

    async def attempt() -> ReminderDraft:
        known = await get_draft(tables, draft)
        if expected is not None and known.version != expected:
            raise Conflict("This draft changed after you opened it; look at it again.", state=known.state)
        if known.currency is None:
            raise Conflict(_FROM_OTHER_PROGRAM, state=known.state)
        case = await read_case(tables, known.customer_id, known.currency)
        changed = change(known, case)
        notice = record_event(known, changed) if record_event else None
        if changed == known:
            return known
        changed = replace(changed, version=known.version + 1)
        await _store_change(tables, known, changed, case, rules=rules, now=now, notice=notice)
        return changed

    return await retry_on_conflict(attempt)


async def _store_change(
    tables: AsyncDatabase,
    known: ReminderDraft,
    changed: ReminderDraft,
    case: Case,
    *,
    rules: LadderRules,
    now: datetime,
    notice: OutboxEntry | None = None,
) -> None:
    """One transaction: the draft, the ladder, the customer as they were seen, and what there is to tell."""
    if changed.state != known.state:
        require_transition(known.state, changed.state)
    ladder = _ladder_after(case, known, changed, rules, now)
    try:
        await commit(
            tables,
            ladder_write(ladder),
            draft_write(known, changed, now),
            customer_check(case.customer),
            *outbox_writes(notice),
        )
    except ConditionFailed as error:
        raise WriteConflict from error


def draft_write(known: ReminderDraft, changed: ReminderDraft, now: datetime) -> Write[table.EmailDraft]:
    moment, customer = split_draft_id(known.id)
    fields: dict[str, Any] = draft_fields(changed)
    if changed.state not in OPEN_STATES and changed.expires_at is None:
        fields["expires_at"] = now.replace(microsecond=0) + DRAFT_RETENTION
    seen = (table.EmailDraft.status == known.state) & (table.EmailDraft.revision == (known.version or None))
    return patch(table.EmailDraft.key(customer_id=customer, timestamp=moment), when=seen, **fields)


def _ladder_after(
    case: Case, known: ReminderDraft, changed: ReminderDraft, rules: LadderRules, now: datetime
) -> Ladder:
    """The ladder as this change of a draft makes it."""
    ladder = case.ladder
    if known.state == "rejected":
        return _ladder_after_reopen(case, changed, rules, now)
    if known.state in OPEN_STATES and (ladder.open is None or ladder.open.draft_id != known.id):
        raise Conflict("This draft lost its turn to another one; draft the reminder again.", state=known.state)
    if changed.state == "rejected" and changed.facts is not None:
        ladder = replace(ladder, declined=DeclinedDraft(changed.level, changed.cycle, changed.facts.fingerprint, now))
    if changed.state in UNSENT_STATES:
        return ladder.with_open(_open_draft_entry(changed, now))
    ladder = ladder.in_state(changed.state, now)
    return ladder.with_open(replace(ladder.open, expires_at=None)) if ladder.open else ladder


def _ladder_after_reopen(case: Case, changed: ReminderDraft, rules: LadderRules, now: datetime) -> Ladder:
    """A rejection undone: the level must still be free, and it must still be its turn."""
    if not can_reopen_rejected(check_eligibility(case, rules, now), changed):
        raise Conflict("Another reminder has taken this one's place; draft it again.", state="rejected")
    return replace(case.ladder.with_open(_open_draft_entry(changed, now)), declined=None)


def to_draft(item: table.EmailDraft) -> ReminderDraft:
    author = item.created_by or ""
    return ReminderDraft(
        id=make_draft_id(item.customer_id, item.timestamp),
        customer_id=item.customer_id,
        customer_name=item.customer_name or "",
        level=item.reminder_type,
        currency=item.currency,
        cycle=item.cycle or 0,
        state=item.status,
        wording=_to_wording(item),
        facts=item.facts,
        created_at=item.created_date,
        created_by=ApprovalPerson(author, item.created_by_name or author),
        authors=frozenset(item.authors or ()),
        approved=item.decided,
        reason=item.reason or "",
        outdated=item.outdated or "",
        snoozed_until=item.snoozed_until,
        send_at=item.send_at,
        mail_key=item.mail_key,
        mail_id=item.mail_id,
        expires_at=item.expires_at,
        version=item.revision or 0,
    )


def _to_wording(item: table.EmailDraft) -> LetterWording:
    known = item.recipients if item.recipients is not None else [item.customer_email] if item.customer_email else []
    return LetterWording(
        subject=item.email_subject,
        text=item.email_content,
        recipients=tuple(known),
        html=item.email_html,
        template_id=item.template_id,
        template_version=item.template_version,
        written_by=_WRITTEN_BY.get(item.written_by, "template"),
    )


def draft_fields(draft: ReminderDraft) -> dict[str, Any]:
    """Everything of a draft that may change, by field; None removes it."""
    wording = draft.wording
    return {
        "status": draft.state,
        "email_subject": wording.subject,
        "email_content": wording.text,
        "email_html": wording.html,
        "recipients": list(wording.recipients),
        "customer_email": wording.recipients[0] if wording.recipients else None,
        "template_id": wording.template_id,
        "template_version": wording.template_version,
        "written_by": wording.written_by,
        "facts": draft.facts,
        "overdue_amount": draft.facts.total if draft.facts else None,
        "overdue_invoices": [fact.number for fact in draft.facts.invoices] if draft.facts else [],
        "authors": sorted(draft.authors),
        "decided": draft.approved,
        "reason": draft.reason or None,
        "outdated": draft.outdated or None,
        "snoozed_until": draft.snoozed_until,
        "send_at": draft.send_at,
        "mail_key": draft.mail_key,
        "mail_id": draft.mail_id,
        "expires_at": draft.expires_at,
        "revision": draft.version,
    }


def new_draft_item(draft: ReminderDraft, moment: datetime) -> table.EmailDraft:
    """The item of a draft that is not stored yet."""
    return table.EmailDraft(
        customer_id=draft.customer_id,
        timestamp=moment,
        customer_name=draft.customer_name,
        reminder_type=draft.level,
        created_date=draft.created_at,
        created_by=draft.created_by.id,
        created_by_name=draft.created_by.name,
        currency=draft.currency,
        cycle=draft.cycle,
        **draft_fields(draft),
    )
