"""The state transitions of a draft, as pure functions of the draft and its case.

Each returns the draft as it is afterwards, or the same draft if nothing changes. The store writes it only if what it
was decided from is unchanged. Transitions that a mail's outcome causes are in `pipeline/dispatch.py`.
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
from almanac.desks.reminders.model.labels import level_words, state_words
from almanac.desks.reminders.model.ladder import UNSENT_STATES, DraftState, Ladder, LadderRules
from almanac.desks.reminders.model.ledger import has_overdue_invoices
from almanac.errors import Conflict, InputError
from almanac.kit.messages import gettext

DRAFT_RETENTION = timedelta(days=30)
MAX_SNOOZE = timedelta(days=365)
DEBT_CHANGED = gettext("The debt changed since this was written.")
RECIPIENTS_CHANGED = gettext("The customer's addresses changed since this was written.")
TEMPLATE_CHANGED = gettext("The template has a newer version.")
_NOTHING_OWED = gettext("Nothing is owed any more.")


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
    """Approve the content as seen. Conflict if the debt changed, or no reminder may go out."""
    decided = rules.decide(draft.approval, "approved", seen, by, now, note=note, rules=ApprovalRules(own_work=own_work))
    if draft.state == "approved":
        return replace(draft, send_at=draft.send_at or send_at)
    require_transition(draft.state, "approved")
    _require_current(draft, case, ladder_rules, now)
    verdict = RecordedDecision(decided.by, now, decided.content_hash, decided.note)
    return replace(draft, state="approved", approved=verdict, send_at=send_at, snoozed_until=None, reason="")


def _require_current(draft: ReminderDraft, case: Case, ladder_rules: LadderRules, now: datetime) -> None:
    """Conflict if this draft couldn't be sent as it is."""
    if reason := find_outdated_reason(draft, case, ladder_rules, now):
        raise Conflict(gettext("%(reason)s Rewrite it, then decide.", reason=reason), state=draft.state)
    decision = check_eligibility(case, ladder_rules, now, besides=draft.id)
    if isinstance(decision, NotEligible) and decision.rule != "day":
        raise Conflict(gettext("It can't be sent now: %(why)s", why=decision.why), state=draft.state)


def find_outdated_reason(draft: ReminderDraft, case: Case, ladder_rules: LadderRules, now: datetime) -> str:
    """What changed since the draft was written; empty if nothing did."""
    if draft.outdated == TEMPLATE_CHANGED:
        return draft.outdated
    if draft.facts is None or draft.facts.fingerprint != case.debt(ladder_rules, now).fingerprint:
        return DEBT_CHANGED
    return RECIPIENTS_CHANGED if draft.wording.recipients != case.customer.recipients else ""


def why_not_waiting(draft: ReminderDraft, seen: str) -> str:
    """Why the draft doesn't wait for a decision with the content that was seen; empty if it does."""
    if draft.state != "draft":
        return gettext("It is %(state)s already.", state=state_words(draft.state))
    return "" if draft.content_hash == seen else gettext("This draft changed after you opened it; review it again.")


def require_waiting(draft: ReminderDraft, seen: str) -> None:
    """Conflict if the draft changed since it was seen or is decided already."""
    if why := why_not_waiting(draft, seen):
        raise Conflict(why, state=draft.state)


def reject(draft: ReminderDraft, seen: str, by: Principal, now: datetime, *, note: str) -> ReminderDraft:
    """Reject with a note; an unsent approval can be rejected too."""
    if draft.state in ("approved", "snoozed"):
        draft = replace(draft, state="draft", approved=None)
    decided = rules.decide(draft.approval, "rejected", seen, by, now, note=note)
    verdict = RecordedDecision(decided.by, now, decided.content_hash, decided.note)
    return replace(draft, state="rejected", approved=verdict, send_at=None, reason=verdict.note)


def check_snooze(until: datetime, now: datetime) -> None:
    """InputError unless the moment is in the future, within a year."""
    if not now < until <= now + MAX_SNOOZE:
        raise InputError(gettext("Choose a date in the future, within a year."))


def snooze(draft: ReminderDraft, until: datetime, now: datetime) -> ReminderDraft:
    """Take the draft out of the queue until a moment. An approval is withdrawn."""
    require_transition(draft.state, "snoozed")
    check_snooze(until, now)
    expires_at = max(draft.expires_at or now, until + DRAFT_RETENTION)
    return replace(draft, state="snoozed", snoozed_until=until, approved=None, send_at=None, expires_at=expires_at)


def reopen(draft: ReminderDraft, only_from: DraftState | None = None) -> ReminderDraft:
    """Undo an approval, a rejection or a snooze. Conflict if it is being sent."""
    if draft.state == "draft":
        return draft
    if only_from not in (None, draft.state):
        raise Conflict(
            gettext("Somebody else already decided; it is %(state)s.", state=state_words(draft.state)),
            state=draft.state,
        )
    if draft.state not in ("approved", "rejected", "snoozed"):
        raise Conflict(
            gettext("This reminder is %(state)s; only what is unsent can be undone.", state=state_words(draft.state)),
            state=draft.state,
        )
    return replace(draft, state="draft", approved=None, send_at=None, snoozed_until=None, reason="")


def rewrite(
    draft: ReminderDraft, case: Case, wording: LetterWording, by: Principal, facts: DebtFacts | None = None
) -> ReminderDraft:
    """Replace the text, with `facts` also the debt it is based on. The approval is withdrawn; the writer becomes an
    author.

    Recipients don't come from the text: with `facts` they are the customer's, otherwise they stay.
    """
    if draft.state not in UNSENT_STATES:
        raise Conflict(
            gettext("This reminder is %(state)s and can't be edited any more.", state=state_words(draft.state)),
            state=draft.state,
        )
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
    """Never send it."""
    require_transition(draft.state, "cancelled")
    if len(why) > MAX_NOTE_LENGTH:
        raise InputError(gettext("Keep the reason within %(limit)s characters.", limit=f"{MAX_NOTE_LENGTH:,}"))
    return replace(draft, state="cancelled", reason=str(why), send_at=None)


def begin_sending(
    draft: ReminderDraft, case: Case, ladder_rules: LadderRules, now: datetime, *, newest_template: int | None = None
) -> ReminderDraft:
    """Start sending if everything still holds; otherwise cancel the draft, postpone it, or return it to the queue.

    Only an approval of exactly this content counts, and only the approved debt is ever sent.
    """
    rules.require_approved(draft.approval, draft.content_hash)
    if case.ladder.cycle != draft.cycle or case.ladder.sent_in_cycle(draft.level):
        return cancel(
            draft,
            gettext(
                "The %(level)s reminder of this cycle was sent already, or the cycle has ended.",
                level=level_words(draft.level),
            ),
        )
    decision = check_eligibility(case, ladder_rules, now, besides=draft.id)
    if isinstance(decision, NotEligible):
        return _postpone_or_cancel(draft, decision, now)
    if (decision.level, decision.cycle) != (draft.level, draft.cycle):
        return cancel(
            draft,
            gettext(
                "The %(level)s reminder isn't next in this cycle; %(next)s is.",
                level=level_words(draft.level),
                next=level_words(decision.level),
            ),
        )
    stale = find_outdated_reason(draft, case, ladder_rules, now)
    if not stale and newest_template is not None and draft.wording.template_version != newest_template:
        stale = TEMPLATE_CHANGED
    if stale:
        return mark_outdated(draft, stale)
    return replace(draft, state="sending", mail_key=make_mail_key(draft), send_at=None, expires_at=None, reason="")


def _postpone_or_cancel(draft: ReminderDraft, decision: NotEligible, now: datetime) -> ReminderDraft:
    """Stay approved and wait if time alone will allow it; otherwise cancel."""
    if decision.next_date is not None and decision.rule in ("gap", "day") and decision.next_date > now:
        return replace(draft, send_at=decision.next_date, reason=str(decision.why))
    return cancel(draft, decision.why)


def mark_outdated(draft: ReminderDraft, reason: str) -> ReminderDraft:
    """Back to a draft that must be rewritten before anybody can approve it."""
    state: DraftState = "snoozed" if draft.state == "snoozed" else "draft"
    return replace(draft, state=state, approved=None, send_at=None, outdated=reason)


def update_for_debt(
    draft: ReminderDraft | None, case: Case, ladder_rules: LadderRules, now: datetime
) -> ReminderDraft | None:
    """The open draft after a ledger change; one that may have left already stays as it is."""
    if draft is None or draft.state not in UNSENT_STATES:
        return draft
    if not case.debt(ladder_rules, now):
        return cancel(draft, _NOTHING_OWED)
    return mark_outdated(draft, reason) if (reason := find_outdated_reason(draft, case, ladder_rules, now)) else draft


def advance_cycle(case: Case, ladder_rules: LadderRules, now: datetime) -> Ladder:
    """The ladder after a ledger change: a started cycle ends when nothing is overdue any more."""
    ladder = case.ladder
    has_started = ladder.cycle in {
        mark.cycle for mark in (*ladder.sent.values(), *([ladder.open] if ladder.open else ()))
    }
    ends = has_started and not has_overdue_invoices(ladder.currency, case.invoices, case.today(ladder_rules, now))
    return ladder.next_cycle() if ends else ladder


def can_reopen_rejected(decision: EligibilityDecision, draft: ReminderDraft) -> bool:
    """Whether the level of a rejected draft is still free and next."""
    return not isinstance(decision, NotEligible) and (decision.level, decision.cycle) == (draft.level, draft.cycle)
