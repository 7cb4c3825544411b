"""The rules of approving, without any storage: each function takes what is known and returns what follows.

    (nobody asked) ──ask──→ waiting ──decide──→ approved ──┐
                               │  └───decide──→ rejected   │ the content changes
                            withdraw                       ↓
                               └──→ withdrawn            void ←── also from waiting

A desk that keeps its approvals elsewhere than in PostgreSQL uses these and brings its own conditional write.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.approvals.model import Approval, ApprovalPerson, ApprovalState, ApprovalSubject, Verdict, check_hash
from almanac.errors import Conflict, InputError, NotAllowed, NotFound
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext, pgettext
from almanac.kit.text import one_line

CONTENT_CHANGED_REASON = str(gettext("The content changed."))
STATE_WORDS = {
    ApprovalState.WAITING: pgettext("state of an approval", "waiting"),
    ApprovalState.APPROVED: pgettext("state of an approval", "approved"),
    ApprovalState.REJECTED: pgettext("state of an approval", "rejected"),
    ApprovalState.VOID: pgettext("state of an approval", "void"),
    ApprovalState.WITHDRAWN: pgettext("state of an approval", "withdrawn"),
}
MAX_NOTE_LENGTH = 2000


class NotApproved(Conflict, code="not_approved"):
    """It may not be sent: nobody approved exactly this content."""


class AlreadyDecided(Conflict, code="already_decided"):
    """Somebody else was first; carries who."""


class ContentChanged(Conflict, code="content_changed"):
    """What the person looked at is not what waits for approval."""


@dataclass(frozen=True, slots=True)
class ApprovalRules:
    """What an installation has chosen."""

    own_work: bool = True


def ask(
    current: Approval | None,
    subject: ApprovalSubject,
    content_hash: str,
    by: Principal,
    at: datetime,
    *,
    title: str = "",
    link: str = "",
    authors: Iterable[str] = (),
) -> Approval:
    """The approval that results from asking; the one already there where it answers the same question."""
    by.require(subject.permission("write"))
    if current and current.is_open and current.content_hash == check_hash(content_hash):
        return current
    return Approval(
        id=new_id(),
        subject=subject,
        content_hash=check_hash(content_hash),
        state=ApprovalState.WAITING,
        asked_by=ApprovalPerson.of(by),
        asked_at=at,
        title=one_line(title)[:300],
        link=link,
        authors=frozenset(authors) | {by.user_id},
    )


def decide(
    current: Approval | None,
    verdict: Verdict,
    content_hash: str,
    by: Principal,
    at: datetime,
    *,
    note: str = "",
    rules: ApprovalRules = ApprovalRules(),  # noqa: B008 - frozen, so one for all calls is as good as one each
) -> Approval:
    """The approval after somebody decided on the content with this hash; the same one again for a second click."""
    if current is None:
        raise NotFound(gettext("Nobody asked for this approval."))
    by.require(current.subject.permission("approve"))
    if current.content_hash != check_hash(content_hash):
        raise ContentChanged(gettext("This changed after you opened it; look at the current version, then decide."))
    if current.state == verdict and current.decided_by and current.decided_by.id == by.user_id:
        return current
    _refuse_settled(current, by)
    _refuse_own(current, by, rules)
    check_note(verdict, note)
    return replace(
        current, state=ApprovalState(verdict), decided_by=ApprovalPerson.of(by), decided_at=at, note=note.strip()
    )


def check_note(verdict: Verdict, note: str) -> None:
    """Refuse a rejection without a reason, and words that are too many."""
    if verdict == "rejected" and not note.strip():
        raise InputError(gettext("Say why you reject this, so that its author knows what to change."))
    if len(note) > MAX_NOTE_LENGTH:
        raise InputError(gettext("Keep the note within %(limit)s characters.", limit=MAX_NOTE_LENGTH))


def withdraw(current: Approval | None, by: Principal, at: datetime) -> Approval:
    """The approval after its author took the question or, before anything was sent, the approved content back."""
    if current is None:
        raise NotFound(gettext("Nobody asked for this approval."))
    by.require(current.subject.permission("write"))
    if current.state is ApprovalState.WITHDRAWN:
        return current
    if not current.is_open:
        raise Conflict(
            gettext("This is %(state)s already; there is nothing to withdraw.", state=STATE_WORDS[current.state])
        )
    return replace(
        current,
        state=ApprovalState.WITHDRAWN,
        ended_at=at,
        ended_why=str(gettext("Withdrawn by %(name)s.", name=by.name)),
    )


def void_if_changed(current: Approval, current_hash: str, at: datetime) -> Approval:
    """The approval as it counts for the current content: void where that is not what it is bound to."""
    if not current.is_open or current.content_hash == current_hash:
        return current
    return replace(current, state=ApprovalState.VOID, ended_at=at, ended_why=CONTENT_CHANGED_REASON)


def require_approved(current: Approval | None, current_hash: str) -> Approval:
    """The approval of exactly this content, or NotApproved with what to do."""
    if current is None:
        raise NotApproved(gettext("Nobody has approved this yet; ask for approval first."))
    if current.is_open and current.content_hash != current_hash:
        raise NotApproved(gettext("This changed after approval was asked for; ask for approval again."))
    if current.state is not ApprovalState.APPROVED:
        if current.state is ApprovalState.WAITING:
            raise NotApproved(gettext("This is waiting, not approved; wait for somebody to approve it."))
        state = STATE_WORDS[current.state]
        raise NotApproved(gettext("This is %(state)s, not approved; ask for approval again.", state=state))
    return current


def _refuse_settled(current: Approval, by: Principal) -> None:
    if current.state is ApprovalState.WAITING:
        return
    if current.decided_by and current.decided_by.id == by.user_id:
        raise AlreadyDecided(
            gettext("You approved this already; you can decide again after its author asks for approval.")
            if current.state is ApprovalState.APPROVED
            else gettext("You rejected this already; you can decide again after its author asks for approval."),
            by=by.user_id,
        )
    if current.decided_by and current.state in (ApprovalState.APPROVED, ApprovalState.REJECTED):
        name = current.decided_by.name
        raise AlreadyDecided(
            gettext("%(name)s approved this already; nothing more is needed.", name=name)
            if current.state is ApprovalState.APPROVED
            else gettext("%(name)s rejected this already; nothing more is needed.", name=name),
            by=current.decided_by.id,
        )
    raise Conflict(
        gettext(
            "This is %(state)s and can't be decided any more; review it again after its author asks for approval.",
            state=STATE_WORDS[current.state],
        )
    )


def _refuse_own(current: Approval, by: Principal, rules: ApprovalRules) -> None:
    if not rules.own_work and by.user_id in current.authors:
        raise NotAllowed(gettext("You wrote or submitted this yourself; somebody else must decide on it."))
