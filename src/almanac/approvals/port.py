"""The port of approvals: what desks, pages and senders do with them, each in the caller's transaction."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol, TypeAlias

from almanac.accounts.model import Principal
from almanac.approvals.model import Approval, ApprovalSubject
from almanac.kit.paging import Page
from almanac.relational import ReadTransaction, Unit

ApprovalListener: TypeAlias = Callable[[Unit, Approval], Awaitable[None]]


class Approvals(Protocol):
    """Each verb checks the right of who asks; each that changes something leaves its entry in the audit log."""

    def add_listener(self, listener: ApprovalListener, *, kind: str | None = None) -> None:
        """Call the listener on every change of an approval, or of those of a kind, in the changing transaction."""

    async def ask(
        self,
        unit: Unit,
        subject: ApprovalSubject,
        content_hash: str,
        by: Principal,
        *,
        title: str = "",
        link: str = "",
        authors: Iterable[str] = (),
    ) -> Approval:
        """Ask for approval of this content. Asking again about the same content changes nothing; about another one,
        what was asked before is void. `authors` are people besides the asker whose own work it is."""

    async def approve(
        self, unit: Unit, subject: ApprovalSubject, content_hash: str, by: Principal, *, note: str = ""
    ) -> Approval:
        """Approve the content that the person looked at. Raises ContentChanged if another one waits, AlreadyDecided
        if somebody else was first; the same person approving twice gets the first answer again."""

    async def reject(
        self, unit: Unit, subject: ApprovalSubject, content_hash: str, by: Principal, *, note: str
    ) -> Approval:
        """Reject it with a note to its author; otherwise like approve."""

    async def withdraw(self, unit: Unit, subject: ApprovalSubject, by: Principal) -> Approval:
        """Take the question back, also after it was approved."""

    async def state_of(self, unit: Unit, subject: ApprovalSubject, current_hash: str) -> Approval | None:
        """The approval for the current content, or None if nobody asked. Writes nothing."""

    async def note_change(self, unit: Unit, subject: ApprovalSubject, current_hash: str) -> Approval | None:
        """Like state_of, and records an approval that the change made void. For the transaction that wrote the content
        or holds it locked: a reader with an older content in hand would void what is right."""

    async def require_approved(self, unit: Unit, subject: ApprovalSubject, current_hash: str) -> Approval:
        """The approval of exactly this content, kept from changing until the unit ends, or NotApproved. Senders call it
        in the transaction that claims the send."""

    async def get(self, unit: Unit, approval_id: str) -> Approval | None:
        """One approval by its id, in force or not."""

    async def waiting(
        self, reading: ReadTransaction, by: Principal, *, cursor: str | None = None, limit: int = 50
    ) -> Page[Approval]:
        """What waits for this person's approval at any desk, longest-waiting first."""

    async def count_waiting(self, reading: ReadTransaction, by: Principal) -> int:
        """How much that is."""

    async def history(self, unit: Unit, subject: ApprovalSubject) -> list[Approval]:
        """Every approval of a subject, newest first; the first is the one in force."""
