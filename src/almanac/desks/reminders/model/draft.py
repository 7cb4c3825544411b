"""A reminder on its way from draft to outcome: its facts, the hash that an approval is bound to, and its states.

draft ⇄ snoozed        approved → sending → sent
  │ ↑                    ↑ │          ├───→ unknown → sent, failed, cancelled, or sending again
  ↓ └── edited, undone ──┼─┘          ├───→ failed      certainly not sent, and never will be
approved ────────────────┘            └───→ cancelled   taken back before it left
draft, approved and snoozed → rejected | cancelled;  rejected → draft (undone);  failed → sent (proved otherwise)
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal

from almanac.approvals import Approval, ApprovalPerson, ApprovalState, ApprovalSubject, content_hash
from almanac.desks.reminders.model.labels import state_words
from almanac.desks.reminders.model.ladder import DraftState
from almanac.desks.reminders.model.ledger import Debt
from almanac.desks.reminders.model.sent import TIMESTAMP
from almanac.errors import Conflict, InputError, NotFound
from almanac.kit.messages import gettext
from almanac.kit.money import Money

SUBJECT_KIND = "reminders.draft"
_TIMESTAMP_LENGTH = 15
WrittenBy = Literal["template", "model", "person"]
TRANSITIONS: Mapping[DraftState, frozenset[DraftState]] = {
    "draft": frozenset({"draft", "approved", "rejected", "cancelled", "snoozed"}),
    "approved": frozenset({"draft", "sending", "rejected", "cancelled", "snoozed"}),
    "snoozed": frozenset({"draft", "rejected", "cancelled"}),
    "sending": frozenset({"sent", "unknown", "failed", "cancelled"}),
    "unknown": frozenset({"sent", "failed", "sending", "cancelled"}),
    "rejected": frozenset({"draft"}),
    "failed": frozenset({"sent"}),
    "sent": frozenset(),
    "cancelled": frozenset(),
}


def require_transition(current: DraftState, target: DraftState) -> None:
    """Conflict unless the state machine has this transition."""
    if target not in TRANSITIONS[current]:
        raise Conflict(
            gettext(
                "This reminder is %(current)s and can't become %(target)s.",
                current=state_words(current),
                target=state_words(target),
            ),
            state=current,
        )


@dataclass(frozen=True, slots=True)
class InvoiceFact:
    """One invoice as a draft states it."""

    number: str
    outstanding: Decimal
    due: date
    days_overdue: int
    issued: date | None = None


@dataclass(frozen=True, slots=True)
class DebtFacts:
    """Everything from the ledger that a draft may state. `fingerprint` is that of the debt."""

    currency: str
    total: Decimal
    invoices: tuple[InvoiceFact, ...]
    fingerprint: str

    @classmethod
    def from_debt(cls, debt: Debt) -> "DebtFacts":
        lines = tuple(
            InvoiceFact(line.number, line.outstanding.amount, line.due, line.days_overdue, line.issued)
            for line in debt.lines
        )
        return cls(debt.currency, debt.total.amount, lines, debt.fingerprint)

    @property
    def amount(self) -> Money:
        return Money(self.total, self.currency)

    @property
    def days_overdue(self) -> int:
        """How long the oldest invoice is overdue."""
        return max((invoice.days_overdue for invoice in self.invoices), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterWording:
    """The content that a person approves: text, recipients and template. `html` is optional."""

    subject: str
    text: str
    recipients: tuple[str, ...]
    html: str | None = None
    template_id: str | None = None
    template_version: int | None = None
    written_by: WrittenBy = "template"


def hash_content(wording: LetterWording, facts: DebtFacts) -> str:
    """The hash that an approval is bound to: text, recipients, facts and template version."""
    return content_hash(
        {
            "subject": wording.subject,
            "text": wording.text,
            "html": wording.html,
            "recipients": wording.recipients,
            "template": [wording.template_id, wording.template_version],
            "facts": facts.fingerprint,
        }
    )


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """Who decided, when, and about which content."""

    by: ApprovalPerson
    at: datetime
    content_hash: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderDraft:
    """A reminder that is not sent yet, or is being sent, or whose outcome is in doubt.

    `outdated` says what changed since it was written. `send_at` is when an approved one is sent; None waits for a
    person. `reason` says why it is in its state. Drafts of other programs have no currency and no facts.
    """

    id: str
    customer_id: str
    customer_name: str
    level: str
    currency: str | None
    cycle: int
    state: DraftState
    wording: LetterWording
    facts: DebtFacts | None
    created_at: datetime
    created_by: ApprovalPerson
    authors: frozenset[str] = frozenset()
    approved: RecordedDecision | None = None
    reason: str = ""
    outdated: str = ""
    snoozed_until: datetime | None = None
    send_at: datetime | None = None
    mail_key: str | None = None
    mail_id: str | None = None
    expires_at: datetime | None = None
    version: int = 0

    @property
    def content_hash(self) -> str:
        return hash_content(self.wording, self.facts) if self.facts else content_hash(self.wording.text)

    @property
    def approval(self) -> Approval:
        """The draft as the approval rules see it."""
        verdict = self.approved if self.state in ("approved", "rejected") else None
        state = {
            "approved": ApprovalState.APPROVED,
            "rejected": ApprovalState.REJECTED,
            "draft": ApprovalState.WAITING,
        }.get(self.state)
        return Approval(
            id=self.id,
            subject=ApprovalSubject(SUBJECT_KIND, self.id),
            content_hash=verdict.content_hash if verdict else self.content_hash,
            state=state or ApprovalState.VOID,
            asked_by=self.created_by,
            asked_at=self.created_at,
            authors=self.authors,
            decided_by=verdict.by if verdict else None,
            decided_at=verdict.at if verdict else None,
            note=verdict.note if verdict else "",
        )


def make_draft_id(customer_id: str, moment: datetime) -> str:
    """The draft's id for people and programs; it is also the end of its key."""
    return f"{moment.astimezone(UTC):{TIMESTAMP}}_{customer_id}"


def split_draft_id(draft: str) -> tuple[datetime, str]:
    """The creation time and customer id in a draft's id. NotFound if it isn't a valid id."""
    stamp, customer = draft[:_TIMESTAMP_LENGTH], draft[_TIMESTAMP_LENGTH + 1 :]
    try:
        moment = datetime.strptime(stamp, TIMESTAMP).replace(tzinfo=UTC)
    except ValueError:
        raise NotFound(gettext("Draft %(draft)s doesn't exist; check its id.", draft=draft[:60])) from None
    if not customer or draft[_TIMESTAMP_LENGTH] != "_" or len(stamp) != _TIMESTAMP_LENGTH:
        raise NotFound(gettext("Draft %(draft)s doesn't exist; check its id.", draft=draft[:60]))
    return moment, customer


def make_mail_key(draft: ReminderDraft) -> str:
    """The idempotency key of the draft's only mail."""
    return f"reminder:{draft.currency}:{draft.cycle}:{draft.level}:{draft.id}"


_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderTemplate:
    """One version of a template. `created_at` is None for a shipped text that was never used."""

    id: str
    version: int
    name: str
    subject: str
    body: str
    kind: str = ""
    active: bool = True
    created_at: datetime | None = None


def check_template_id(template_id: str) -> str:
    if not _ID.fullmatch(template_id):
        raise InputError(gettext("A template's id has up to 60 small letters, digits, underscores and hyphens."))
    return template_id
