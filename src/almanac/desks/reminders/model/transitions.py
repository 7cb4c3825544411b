"""The transitions that people, the ledger and the clock bring about, as pure functions of a draft and its case.

Each returns the draft as it then is; the same draft where nothing changes. Storing it is conditional on what it was
decided from. What the mail's outcome brings about is in the sending part.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from almanac.accounts.model import Principal
from almanac.approvals import ApprovalRules, rules
from almanac.approvals.rules import MAX_NOTE_LENGTH
from almanac.desks.reminders.model.draft import (
    DebtFacts,
    LetterWording,
    RecordedDecision,
    ReminderDraft,
    make_mail_key,
    require_transition,
)
from almanac.desks.reminders.model.eligibility import Case, EligibilityDecision, NotEligible, check_eligibility
from almanac.desks.reminders.model.ladder import UNSENT_STATES, DraftState, Ladder, LadderRules
from almanac.desks.reminders.model.ledger import has_overdue_invoices
from almanac.errors import Conflict, InputError

DRAFT_RETENTION = timedelta(days=30)
MAX_SNOOZE = timedelta(days=365)
DEBT_CHANGED = "The debt changed since this was written."
RECIPIENTS_CHANGED = "The customer's addresses changed since this was written."
TEMPLATE_CHANGED = "The template has a newer version."
_NOTHING_OWED = "Nothing that may be reminded of is owed any more."


def approve(
    draft: ReminderDraft,
    case: Case,
    ladder_rules: LadderRules,
    seen: str,
    by: Principal,
    now: datetime,
    *,
    own_work: bool = True,
    note: str = "",
    send_at: datetime | None = None,
) -> ReminderDraft:
    """Approved as seen; refused where the debt isn't what the draft says, or no reminder may go out for it."""
    decided = rules.decide(draft.approval, "approved", seen, by, now, note=note, rules=ApprovalRules(own_work=own_work))
    if draft.state == "approved":
        return replace(draft, send_at=draft.send_at or send_at)
    require_transition(draft.state, "approved")
    _require_current(draft, case, ladder_rules, now)
    verdict = RecordedDecision(decided.by, now, decided.content_hash, decided.note)
    return replace(draft, state="approved", approved=verdict, send_at=send_at, snoozed_until=None, reason="")


def _require_current(draft: ReminderDraft, case: Case, ladder_rules: LadderRules, now: datetime) -> None:
    """A person approves what would go out; what wouldn't must be drafted again or waits."""
    if what := find_outdated_reason(draft, case, ladder_rules, now):
        raise Conflict(f"{what} Draft it again, then decide.", state=draft.state)
    decision = check_eligibility(case, ladder_rules, now, besides=draft.id)
    if isinstance(decision, NotEligible) and decision.rule != "day":
        raise Conflict(f"It can't be sent now: {decision.why}", state=draft.state)


def find_outdated_reason(draft: ReminderDraft, case: Case, ladder_rules: LadderRules, now: datetime) -> str:
    """What changed since the draft was written, or nothing."""
    if draft.outdated == TEMPLATE_CHANGED:
        return draft.outdated
    if draft.facts is None or draft.facts.fingerprint != case.debt(ladder_rules, now).fingerprint:
        return DEBT_CHANGED
    return RECIPIENTS_CHANGED if draft.wording.recipients != case.customer.recipients else ""


def why_not_waiting(draft: ReminderDraft, seen: str) -> str:
    """Why a draft doesn't wait for a decision as it was seen; nothing where it does."""
    if draft.state != "draft":
        return f"It is {draft.state} already."
    return "" if draft.content_hash == seen else "It changed after you looked at it; look again, then decide."


def require_waiting(draft: ReminderDraft, seen: str) -> None:
    """Refuse to decide about what changed since it was seen, and about what somebody decided on already."""
    if why := why_not_waiting(draft, seen):
        raise Conflict(why, state=draft.state)


def reject(draft: ReminderDraft, seen: str, by: Principal, now: datetime, *, note: str) -> ReminderDraft:
    """Rejected with a reason; also what was approved, as long as it is unsent."""
    if draft.state in ("approved", "snoozed"):
        draft = replace(draft, state="draft", approved=None)
    decided = rules.decide(draft.approval, "rejected", seen, by, now, note=note)
    verdict = RecordedDecision(decided.by, now, decided.content_hash, decided.note)
    return replace(draft, state="rejected", approved=verdict, send_at=None, reason=verdict.note)


def check_snooze(until: datetime, now: datetime) -> None:
    """Refuse a snooze that would be over at once, or nearly never."""
    if not now < until <= now + MAX_SNOOZE:
        raise InputError("Choose a moment in the future, within a year.")


def snooze(draft: ReminderDraft, until: datetime, now: datetime) -> ReminderDraft:
    """Out of sight until a moment; an approval doesn't outlast it."""
    require_transition(draft.state, "snoozed")
    check_snooze(until, now)
    kept = max(draft.expires_at or now, until + DRAFT_RETENTION)
    return replace(draft, state="snoozed", snoozed_until=until, approved=None, send_at=None, expires_at=kept)


def reopen(draft: ReminderDraft, only_from: DraftState | None = None) -> ReminderDraft:
    """Back to a draft: an approval or a rejection undone, a snooze over. What is being sent can't be taken back."""
    if draft.state == "draft":
        return draft
    if only_from not in (None, draft.state):
        raise Conflict(f"Somebody decided otherwise meanwhile; it is {draft.state}.", state=draft.state)
    if draft.state not in ("approved", "rejected", "snoozed"):
        raise Conflict(f"This reminder is {draft.state}; only what is unsent can be undone.", state=draft.state)
    return replace(draft, state="draft", approved=None, send_at=None, snoozed_until=None, reason="")


def rewrite(
    draft: ReminderDraft, case: Case, wording: LetterWording, by: Principal, facts: DebtFacts | None = None
) -> ReminderDraft:
    """Other words; with facts, written anew on the present debt. An approval is void, the writer counts as an author.

    Recipients are never a matter of words: they are those of the customer when it was written.
    """
    if draft.state not in UNSENT_STATES:
        raise Conflict(f"This reminder is {draft.state} and can't be edited any more.", state=draft.state)
    recipients = case.customer.recipients if facts else draft.wording.recipients
    wording = replace(wording, recipients=recipients)
    if wording == draft.wording and facts in (None, draft.facts) and not draft.outdated:
        return draft
    return replace(
        draft,
        state="draft",
        wording=wording,
        facts=facts or draft.facts,
        authors=draft.authors | {by.user_id},
        approved=None,
        send_at=None,
        snoozed_until=None,
        outdated="" if facts else draft.outdated,
        reason="",
    )


def cancel(draft: ReminderDraft, why: str) -> ReminderDraft:
    """Not to be sent at all."""
    require_transition(draft.state, "cancelled")
    if len(why) > MAX_NOTE_LENGTH:
        raise InputError(f"Keep the reason within {MAX_NOTE_LENGTH:,} characters.")
    return replace(draft, state="cancelled", reason=why, send_at=None)


def begin_sending(
    draft: ReminderDraft, case: Case, ladder_rules: LadderRules, now: datetime, *, newest_template: int | None = None
) -> ReminderDraft:
    """The moment of sending: everything is looked at again, and what no longer holds is cancelled or goes back.

    Only an approval of exactly this content counts. Nothing is ever sent on a debt other than the approved one.
    """
    rules.require_approved(draft.approval, draft.content_hash)
    if case.ladder.cycle != draft.cycle or case.ladder.sent_in_cycle(draft.level):
        return cancel(draft, f"The {draft.level} reminder of this cycle went out already, or the cycle is over.")
    decision = check_eligibility(case, ladder_rules, now, besides=draft.id)
    if isinstance(decision, NotEligible):
        return _postpone_or_cancel(draft, decision, now)
    if (decision.level, decision.cycle) != (draft.level, draft.cycle):
        return cancel(draft, f"The {draft.level} reminder of this cycle is out of turn; {decision.level} is next.")
    stale = find_outdated_reason(draft, case, ladder_rules, now)
    if not stale and newest_template is not None and draft.wording.template_version != newest_template:
        stale = TEMPLATE_CHANGED
    if stale:
        return mark_outdated(draft, stale)
    return replace(draft, state="sending", mail_key=make_mail_key(draft), send_at=None, expires_at=None, reason="")


def _postpone_or_cancel(draft: ReminderDraft, decision: NotEligible, now: datetime) -> ReminderDraft:
    """What time alone will allow stays approved and waits; what something else forbids is cancelled."""
    if decision.next_date is not None and decision.rule in ("gap", "day") and decision.next_date > now:
        return replace(draft, send_at=decision.next_date, reason=decision.why)
    return cancel(draft, decision.why)


def mark_outdated(draft: ReminderDraft, what: str) -> ReminderDraft:
    """Back to a draft that must be written anew before anybody can approve it."""
    state: DraftState = "snoozed" if draft.state == "snoozed" else "draft"
    return replace(draft, state=state, approved=None, send_at=None, outdated=what)


def update_for_debt(
    draft: ReminderDraft | None, case: Case, ladder_rules: LadderRules, now: datetime
) -> ReminderDraft | None:
    """What a change of the ledger does to the open draft: nothing to one that may have left already."""
    if draft is None or draft.state not in UNSENT_STATES:
        return draft
    if not case.debt(ladder_rules, now):
        return cancel(draft, _NOTHING_OWED)
    return mark_outdated(draft, what) if (what := find_outdated_reason(draft, case, ladder_rules, now)) else draft


def advance_cycle(case: Case, ladder_rules: LadderRules, now: datetime) -> Ladder:
    """The ladder after a change of the ledger: a cycle that has begun ends when nothing is overdue any more."""
    ladder = case.ladder
    begun = ladder.cycle in {mark.cycle for mark in (*ladder.sent.values(), *([ladder.open] if ladder.open else ()))}
    ends = begun and not has_overdue_invoices(ladder.currency, case.invoices, case.today(ladder_rules, now))
    return ladder.next_cycle() if ends else ladder


def can_reopen_rejected(decision: EligibilityDecision, draft: ReminderDraft) -> bool:
    """Whether a rejected draft can have its level back."""
    return not isinstance(decision, NotEligible) and (decision.level, decision.cycle) == (draft.level, draft.cycle)
