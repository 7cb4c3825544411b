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
from almanac.desks.reminders.store.transactions import commit, customer_check, ladder_write, outbox_writes
from almanac.errors import Conflict, NotFound, StaleEdit
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.kit.retry import WriteConflict, retry_on_conflict
from tablature import Write, create, patch
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed

DraftTransition = Callable[[ReminderDraft, Case], ReminderDraft]
MAX_KEY_SHIFT_SECONDS = 60
_FROM_OTHER_PROGRAM = gettext(
    "Another program wrote this draft; draft the reminder here so that it can be checked and sent once."
)
_COUNT_CACHE: TableReadCache[int] = TableReadCache(seconds=1.0)
_WRITTEN_BY: dict[str | None, WrittenBy] = {"template": "template", "model": "model", "person": "person"}


async def find_draft(tables: AsyncDatabase, draft: str) -> ReminderDraft | None:
    """The draft, or None if it doesn't exist any more."""
    moment, customer = split_draft_id(draft)
    item = await tables.get(table.EmailDraft.key(customer_id=customer, timestamp=moment), consistent=True)
    return to_draft(item) if item else None


async def find_drafts(tables: AsyncDatabase, ids: Iterable[str]) -> dict[str, ReminderDraft]:
    """The existing drafts among these ids, by id; invalid ids are ignored."""
    refs = []
    for draft_id in sorted(set(ids)):
        with suppress(NotFound):
            moment, customer = split_draft_id(draft_id)
            refs.append(table.EmailDraft.key(customer_id=customer, timestamp=moment))
    drafts = [to_draft(item) for item in await tables.get_many(refs, consistent=True) if item is not None]
    return {draft.id: draft for draft in drafts}


async def get_draft(tables: AsyncDatabase, draft: str) -> ReminderDraft:
    """The draft. NotFound if it was sent or has expired."""
    existing = await find_draft(tables, draft)
    if existing is None:
        raise NotFound(gettext("Draft %(draft)s doesn't exist; it may have been sent or expired.", draft=draft[:60]))
    return existing


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
    """How many drafts are in one state. Counting stops at `upto`, because it reads every draft."""
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
    """Store a new draft, which occupies its level. Conflict if the level is taken or the debt changed."""
    customer, currency = eligible.debt.customer_id, eligible.debt.currency

    async def attempt() -> ReminderDraft:
        case = await read_case(tables, customer, currency)
        decision = check_eligibility(case, rules, now)
        if not isinstance(decision, Eligible):
            raise Conflict(gettext("No reminder can be drafted: %(why)s", why=decision.why), rule=decision.rule)
        decided = (decision.level, decision.cycle, decision.debt.fingerprint)
        if decided != (eligible.level, eligible.cycle, eligible.debt.fingerprint):
            raise Conflict(gettext("The debt changed while the letter was written; draft it again."), rule="debt")
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
        facts=DebtFacts.from_debt(eligible.debt),
        created_at=now.replace(microsecond=0),
        created_by=ApprovalPerson.of(by),
        authors=frozenset({by.user_id}),
        expires_at=now.replace(microsecond=0) + DRAFT_RETENTION,
        version=1,
    )


async def _store_new_draft(
    tables: AsyncDatabase, case: Case, draft: ReminderDraft, now: datetime, record_event: DraftEventFactory | None
) -> ReminderDraft:
    """Store it under the first free second, because the key tells a customer's drafts apart by seconds."""
    for second in range(MAX_KEY_SHIFT_SECONDS):
        moment = draft.created_at + timedelta(seconds=second)
        with_id = replace(draft, id=make_draft_id(draft.customer_id, moment))
        writes = (
            ladder_write(case.ladder.with_open(_open_draft_entry(with_id, now))),
            create(new_draft_item(with_id, moment)),
            customer_check(case.customer),
            *(outbox_writes(record_event(None, with_id)) if record_event else ()),
        )
        try:
            await commit(tables, *writes)
        except AlreadyExists:
            continue
        return with_id
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
    """Apply a pure transition to a draft and its case, and retry if either changed before the write.

    `expected` is the version a person saw; another version is a StaleEdit. The event that `record_event` returns is
    stored in the same transaction.
    """

    async def attempt() -> ReminderDraft:
        before = await get_draft(tables, draft)
        if expected is not None and before.version != expected:
            words = gettext("This draft changed after you opened it; review it again.")
            raise StaleEdit(words, str(before.version), state=before.state)
        if before.currency is None:
            raise Conflict(_FROM_OTHER_PROGRAM, state=before.state)
        case = await read_case(tables, before.customer_id, before.currency)
        changed = change(before, case)
        entry = record_event(before, changed) if record_event else None
        if changed == before:
            return before
        changed = replace(changed, version=before.version + 1)
        await _store_change(tables, before, changed, case, rules=rules, now=now, entry=entry)
        return changed

    return await retry_on_conflict(attempt)


async def _store_change(
    tables: AsyncDatabase,
    before: ReminderDraft,
    changed: ReminderDraft,
    case: Case,
    *,
    rules: LadderRules,
    now: datetime,
    entry: OutboxEntry | None = None,
) -> None:
    """One transaction: the draft, the ladder, the customer's version check, and the event."""
    if changed.state != before.state:
        require_transition(before.state, changed.state)
    ladder = _ladder_after(case, before, changed, rules, now)
    try:
        await commit(
            tables,
            ladder_write(ladder),
            draft_write(before, changed, now),
            customer_check(case.customer),
            *outbox_writes(entry),
        )
    except ConditionFailed as error:
        raise WriteConflict from error


def draft_write(before: ReminderDraft, changed: ReminderDraft, now: datetime) -> Write[table.EmailDraft]:
    """A write that fails unless the draft still has the state and version it had before."""
    moment, customer = split_draft_id(before.id)
    fields: dict[str, Any] = draft_fields(changed)
    if changed.state not in OPEN_STATES and changed.expires_at is None:
        fields["expires_at"] = now.replace(microsecond=0) + DRAFT_RETENTION
    seen = (table.EmailDraft.status == before.state) & (table.EmailDraft.revision == (before.version or None))
    return patch(table.EmailDraft.key(customer_id=customer, timestamp=moment), when=seen, **fields)


def _ladder_after(
    case: Case, before: ReminderDraft, changed: ReminderDraft, rules: LadderRules, now: datetime
) -> Ladder:
    """The ladder after a change of a draft. Conflict if another draft occupies the level."""
    ladder = case.ladder
    if before.state == "rejected":
        return _ladder_after_reopen(case, changed, rules, now)
    if before.state in OPEN_STATES and (ladder.open is None or ladder.open.draft_id != before.id):
        raise Conflict(
            gettext("Another draft has taken this one's place; draft the reminder again."), state=before.state
        )
    if changed.state == "rejected" and changed.facts is not None:
        ladder = replace(ladder, declined=DeclinedDraft(changed.level, changed.cycle, changed.facts.fingerprint, now))
    if changed.state in UNSENT_STATES:
        return ladder.with_open(_open_draft_entry(changed, now))
    ladder = ladder.in_state(changed.state, now)
    return ladder.with_open(replace(ladder.open, expires_at=None)) if ladder.open else ladder


def _ladder_after_reopen(case: Case, changed: ReminderDraft, rules: LadderRules, now: datetime) -> Ladder:
    """The ladder after a rejection is undone. Conflict unless the level is still free and next."""
    if not can_reopen_rejected(check_eligibility(case, rules, now), changed):
        raise Conflict(gettext("Another reminder has taken this one's place; draft it again."), state="rejected")
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
    recipients = (
        item.recipients if item.recipients is not None else [item.customer_email] if item.customer_email else []
    )
    return LetterWording(
        subject=item.email_subject,
        text=item.email_content,
        recipients=tuple(recipients),
        html=item.email_html,
        template_id=item.template_id,
        template_version=item.template_version,
        written_by=_WRITTEN_BY.get(item.written_by, "template"),
    )


def draft_fields(draft: ReminderDraft) -> dict[str, Any]:
    """All changeable fields of a draft for a patch; None removes a field."""
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
    """The item of a draft that isn't stored yet."""
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
