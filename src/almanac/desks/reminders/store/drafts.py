"""Creating and changing drafts: each write is one transaction with the ladder, on the version that was read."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from almanac.accounts.model import Principal
from almanac.approvals import Person
from almanac.desks.reminders import stored, table
from almanac.desks.reminders.model.deciding import Case, Eligible, decide
from almanac.desks.reminders.model.draft import Draft, Facts, Wording, draft_id, require_transition, split_draft_id
from almanac.desks.reminders.model.ladder import OPEN_STATES, UNSENT_STATES, Declined, Ladder, OpenDraft
from almanac.desks.reminders.model.moves import DRAFTS_KEPT, may_take_back
from almanac.desks.reminders.model.notice import DraftNotice, Notice
from almanac.desks.reminders.model.rules import LadderRules
from almanac.desks.reminders.store.guarding import Moved, commit, customer_check, decided_anew, ladder_write
from almanac.desks.reminders.store.notices import notice_writes
from almanac.desks.reminders.store.reading import get_draft, read_case
from almanac.errors import Conflict
from tablature import Write, create, patch
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed

DraftChange = Callable[[Draft, Case], Draft]

FREE_SECONDS = 60
_FOREIGN = "Another program wrote this draft; draft the reminder here, so that it can be checked and sent once."


async def create_draft(
    tables: AsyncDatabase,
    eligible: Eligible,
    wording: Wording,
    *,
    rules: LadderRules,
    by: Principal,
    now: datetime,
    tell: DraftNotice | None = None,
) -> Draft:
    """A new draft that takes its level. Where that isn't possible any more, or the debt changed, it is a Conflict."""
    customer, currency = eligible.debt.customer_id, eligible.debt.currency

    async def attempt() -> Draft:
        case = await read_case(tables, customer, currency)
        decision = decide(case, rules, now)
        if not isinstance(decision, Eligible):
            raise Conflict(f"No reminder can be drafted: {decision.why}", rule=decision.rule)
        same = (decision.level, decision.cycle, decision.debt.fingerprint)
        if same != (eligible.level, eligible.cycle, eligible.debt.fingerprint):
            raise Conflict("The debt changed while this was written; draft it again.", rule="debt")
        draft = _new(case, decision, wording, by, now)
        return await _store_new(tables, case, draft, now, tell)

    return await decided_anew(attempt)


def _new(case: Case, eligible: Eligible, wording: Wording, by: Principal, now: datetime) -> Draft:
    return Draft(
        id="",
        customer_id=case.customer.id,
        customer_name=case.customer.name,
        level=eligible.level,
        currency=case.currency,
        cycle=eligible.cycle,
        state="draft",
        wording=replace(wording, recipients=case.customer.recipients),
        facts=Facts.of(eligible.debt),
        created_at=now.replace(microsecond=0),
        created_by=Person.of(by),
        authors=frozenset({by.user_id}),
        expires_at=now.replace(microsecond=0) + DRAFTS_KEPT,
        version=1,
    )


async def _store_new(tables: AsyncDatabase, case: Case, draft: Draft, now: datetime, tell: DraftNotice | None) -> Draft:
    """Under the first second that is free: the documented key tells a customer's drafts apart by seconds."""
    for second in range(FREE_SECONDS):
        moment = draft.created_at + timedelta(seconds=second)
        named = replace(draft, id=draft_id(draft.customer_id, moment))
        writes = (
            ladder_write(case.ladder.with_open(_claim(named, now))),
            create(stored.new_draft(named, moment)),
            customer_check(case.customer),
            *(notice_writes(tell(None, named)) if tell else ()),
        )
        try:
            await commit(tables, *writes)
        except AlreadyExists:
            continue
        return named
    raise Moved


def _claim(draft: Draft, now: datetime) -> OpenDraft:
    fingerprint = draft.facts.fingerprint if draft.facts else ""
    return OpenDraft(draft.id, draft.level, draft.cycle, draft.state, fingerprint, now, draft.expires_at)


async def change_draft(
    tables: AsyncDatabase,
    draft: str,
    change: DraftChange,
    *,
    rules: LadderRules,
    now: datetime,
    expected: int | None = None,
    tell: DraftNotice | None = None,
) -> Draft:
    """Change a draft as decided by a pure function of it and its case, again if anything it saw moved meanwhile.

    `expected` is the version that a person saw; a draft of another version is a Conflict. What `tell` says of the
    change is kept in its transaction.
    """

    async def attempt() -> Draft:
        known = await get_draft(tables, draft)
        if expected is not None and known.version != expected:
            raise Conflict("This draft changed after you opened it; look at it again.", state=known.state)
        if known.currency is None:
            raise Conflict(_FOREIGN, state=known.state)
        case = await read_case(tables, known.customer_id, known.currency)
        changed = change(known, case)
        notice = tell(known, changed) if tell else None
        if changed == known:
            return known
        changed = replace(changed, version=known.version + 1)
        await store_change(tables, known, changed, case, rules=rules, now=now, notice=notice)
        return changed

    return await decided_anew(attempt)


async def store_change(
    tables: AsyncDatabase,
    known: Draft,
    changed: Draft,
    case: Case,
    *,
    rules: LadderRules,
    now: datetime,
    notice: Notice | None = None,
) -> None:
    """One transaction: the draft, the ladder, the customer as they were seen, and what there is to tell."""
    if changed.state != known.state:
        require_transition(known.state, changed.state)
    ladder = ladder_after(case, known, changed, rules, now)
    try:
        await commit(
            tables,
            ladder_write(ladder),
            draft_write(known, changed, now),
            customer_check(case.customer),
            *notice_writes(notice),
        )
    except ConditionFailed as error:
        raise Moved from error


def draft_write(known: Draft, changed: Draft, now: datetime) -> Write[table.EmailDraft]:
    moment, customer = split_draft_id(known.id)
    fields: dict[str, Any] = stored.draft_fields(changed)
    if changed.state not in OPEN_STATES and changed.expires_at is None:
        fields["expires_at"] = now.replace(microsecond=0) + DRAFTS_KEPT
    seen = (table.EmailDraft.status == known.state) & (table.EmailDraft.revision == (known.version or None))
    return patch(table.EmailDraft.key(customer_id=customer, timestamp=moment), when=seen, **fields)


def ladder_after(case: Case, known: Draft, changed: Draft, rules: LadderRules, now: datetime) -> Ladder:
    """The ladder as this change of a draft makes it."""
    ladder = case.ladder
    if known.state == "rejected":
        return _taken_back(case, changed, rules, now)
    if known.state in OPEN_STATES and (ladder.open is None or ladder.open.draft_id != known.id):
        raise Conflict("This draft lost its turn to another one; draft the reminder again.", state=known.state)
    if changed.state == "rejected" and changed.facts is not None:
        ladder = replace(ladder, declined=Declined(changed.level, changed.cycle, changed.facts.fingerprint, now))
    if changed.state in UNSENT_STATES:
        return ladder.with_open(_claim(changed, now))
    ladder = ladder.in_state(changed.state, now)
    return ladder.with_open(replace(ladder.open, expires_at=None)) if ladder.open else ladder


def _taken_back(case: Case, changed: Draft, rules: LadderRules, now: datetime) -> Ladder:
    """A rejection undone: the level must still be free, and it must still be its turn."""
    if not may_take_back(decide(case, rules, now), changed):
        raise Conflict("Another reminder has taken this one's place; draft it again.", state="rejected")
    return replace(case.ladder.with_open(_claim(changed, now)), declined=None)
