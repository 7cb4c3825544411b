"""Invariants of a customer's ladder, drafts and sent mails, which hold whatever was interrupted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.ladder import OPEN_STATES, Ladder, LadderRules
from almanac.desks.reminders.model.sent import SentReminder


@dataclass(frozen=True, slots=True)
class LadderFinding:
    """One violated invariant, with the customer and currency it was found at."""

    customer_id: str
    currency: str
    sentence: str


def find_ladder_problems(
    ladder: Ladder, drafts: Iterable[ReminderDraft], sent: Iterable[SentReminder], rules: LadderRules, now: datetime
) -> list[LadderFinding]:
    """Every violated invariant of one ladder; `drafts` and `sent` are the customer's, in any currency."""
    own_drafts = [draft for draft in drafts if draft.currency == ladder.currency]
    own_sent = sorted((mail for mail in sent if mail.currency == ladder.currency), key=lambda mail: mail.sent_at)
    sentences = [
        *_check_open_drafts(ladder, own_drafts, now),
        *_check_duplicates(own_sent),
        *_check_sent_marks(ladder, own_sent),
        *_check_sent_drafts(own_drafts, own_sent),
        *(_check_gaps(own_sent, rules) if rules.version == 0 else ()),
    ]
    return [LadderFinding(ladder.customer_id, ladder.currency, sentence) for sentence in sentences]


def _check_open_drafts(ladder: Ladder, drafts: Sequence[ReminderDraft], now: datetime) -> Iterator[str]:
    """The ladder names the open draft, and no other draft is open."""
    claim = ladder.open_at(now)
    for draft in drafts:
        if draft.state in OPEN_STATES and (claim is None or claim.draft_id != draft.id):
            yield f"Draft {draft.id} is {draft.state} but uses no level."
    if claim is None:
        return
    held = next((draft for draft in drafts if draft.id == claim.draft_id), None)
    if held is None:
        yield f"The ladder refers to draft {claim.draft_id}, which doesn't exist."
    elif (held.state, held.level, held.cycle) != (claim.state, claim.level, claim.cycle):
        yield f"Draft {held.id} is {held.state}, while the ladder says {claim.state}."


def _check_duplicates(sent: Sequence[SentReminder]) -> Iterator[str]:
    """One mail for each level of a cycle, and one record for each mail."""
    for (level, cycle), number in Counter((mail.level, mail.cycle) for mail in sent).items():
        if number > 1:
            yield f"The {level} reminder of cycle {cycle} was sent {number} times."
    for mail_id, number in Counter(mail.mail_id for mail in sent if mail.mail_id).items():
        if number > 1:
            yield f"The mail {mail_id} is recorded {number} times."


def _check_sent_marks(ladder: Ladder, sent: Sequence[SentReminder]) -> Iterator[str]:
    """The ladder knows the last sent reminder of every level."""
    for mail in sent:
        mark = ladder.sent.get(mail.level)
        if mark is None or (mark.at < mail.sent_at and mark.draft_id != mail.draft_id):
            yield f"The ladder is missing the {mail.level} reminder that was sent on {mail.sent_at:%Y-%m-%d}."


def _check_sent_drafts(drafts: Sequence[ReminderDraft], sent: Sequence[SentReminder]) -> Iterator[str]:
    recorded = {mail.draft_id for mail in sent}
    for draft in drafts:
        if draft.id in recorded:
            yield f"Draft {draft.id} is {draft.state}, though it is recorded as sent."


def _check_gaps(sent: Sequence[SentReminder], rules: LadderRules) -> Iterator[str]:
    """The default waiting times were kept; only checked while nobody has changed the rules."""
    for at, mail in enumerate(sent):
        level, before = rules.level(mail.level), rules.before(mail.level) if rules.level(mail.level) else None
        for earlier in sent[:at]:
            gap = mail.sent_at - earlier.sent_at
            if level and earlier.level == mail.level and gap < timedelta(days=level.none_within_days):
                yield f"Two {mail.level} reminders went out within {level.none_within_days} days."
            follows = before and (earlier.level, earlier.cycle) == (before.name, mail.cycle)
            if level and follows and gap < timedelta(days=level.days_after_previous):
                yield f"A {mail.level} reminder went out within {level.days_after_previous} days of the one before."
