"""Approvals: what asking, deciding, withdrawing and changing content do; and their storage in PostgreSQL.

The rules are in `rules`; adapters of `ApprovalService` add only the storage."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS, desk_permission
from almanac.approvals import rules, store
from almanac.approvals.model import Approval, ApprovalState, ApprovalSubject, Verdict, check_hash
from almanac.approvals.port import ApprovalListener, Approvals
from almanac.approvals.rules import ApprovalRules
from almanac.audit import service as audit
from almanac.audit.model import SYSTEM, Actor, AuditAction
from almanac.audit.model import AuditSubject as Audited
from almanac.errors import NotFound
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page, decode_cursor
from almanac.relational import ReadTransaction, Unit


class ApprovalService(ABC):
    """All of the Approvals port that decides or changes something."""

    def __init__(self, clock: Clock, chosen: ApprovalRules | None = None) -> None:
        self._clock = clock
        self._rules = chosen or ApprovalRules()
        self._listeners: list[tuple[str | None, ApprovalListener]] = []

    @abstractmethod
    async def _current(self, unit: Unit, subject: ApprovalSubject, *, lock: bool = True) -> Approval | None:
        """The approval in force. With the lock, nobody else asks or decides about the subject until the unit ends."""

    @abstractmethod
    async def _begin(self, unit: Unit, approval: Approval) -> None:
        """Put a new question in force."""

    @abstractmethod
    async def _save(self, unit: Unit, approval: Approval) -> None:
        """Write what became of the question in force."""

    @abstractmethod
    async def _record(self, unit: Unit, actor: Actor, approval: Approval, action: str) -> None:
        """Enter what happened into the audit log."""

    def add_listener(self, listener: ApprovalListener, *, kind: str | None = None) -> None:
        self._listeners.append((kind, listener))

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
        current = await self._current(unit, subject)
        asked = rules.ask(
            current, subject, content_hash, by, self._clock.now(), title=title, link=link, authors=authors
        )
        if current is not None and asked is current:
            return current
        if current is not None:
            await self._void(unit, current, content_hash)
        await self._begin(unit, asked)
        await self._publish(unit, by.actor, asked, "approval.asked")
        return asked

    async def approve(
        self, unit: Unit, subject: ApprovalSubject, content_hash: str, by: Principal, *, note: str = ""
    ) -> Approval:
        return await self._decide(unit, subject, "approved", content_hash, by, note)

    async def reject(
        self, unit: Unit, subject: ApprovalSubject, content_hash: str, by: Principal, *, note: str
    ) -> Approval:
        return await self._decide(unit, subject, "rejected", content_hash, by, note)

    async def withdraw(self, unit: Unit, subject: ApprovalSubject, by: Principal) -> Approval:
        current = await self._current(unit, subject)
        withdrawn = rules.withdraw(current, by, self._clock.now())
        return await self._changed(unit, current, withdrawn, by.actor, "approval.withdrawn")

    async def state_of(self, unit: Unit, subject: ApprovalSubject, current_hash: str) -> Approval | None:
        current = await self._current(unit, subject, lock=False)
        return current and rules.void_if_changed(current, check_hash(current_hash), self._clock.now())

    async def note_change(self, unit: Unit, subject: ApprovalSubject, current_hash: str) -> Approval | None:
        current = await self._current(unit, subject)
        return current and await self._void(unit, current, check_hash(current_hash))

    async def require_approved(self, unit: Unit, subject: ApprovalSubject, current_hash: str) -> Approval:
        return rules.require_approved(await self._current(unit, subject), check_hash(current_hash))

    async def _decide(
        self, unit: Unit, subject: ApprovalSubject, verdict: Verdict, content_hash: str, by: Principal, note: str
    ) -> Approval:
        by.require(subject.permission("approve"))
        current = await self._current(unit, subject)
        decided = rules.decide(current, verdict, content_hash, by, self._clock.now(), note=note, rules=self._rules)
        action = "approval.given" if verdict == "approved" else "approval.refused"
        return await self._changed(unit, current, decided, by.actor, action)

    async def _void(self, unit: Unit, current: Approval, current_hash: str) -> Approval:
        noted = rules.void_if_changed(current, current_hash, self._clock.now())
        return await self._changed(unit, current, noted, SYSTEM, "approval.voided")

    async def _changed(
        self, unit: Unit, current: Approval | None, now: Approval, actor: Actor, action: str
    ) -> Approval:
        """Save a changed approval and publish it; an unchanged one isn't written."""
        if now is not current:
            await self._save(unit, now)
            await self._publish(unit, actor, now, action)
        return now

    async def _publish(self, unit: Unit, actor: Actor, approval: Approval, action: str) -> None:
        await self._record(unit, actor, approval, action)
        for kind, listener in self._listeners:
            if kind in (None, approval.subject.kind):
                await listener(unit, approval)

    def _left_out(self, by: Principal) -> str | None:
        """The author whose own work isn't listed for them, if nobody may approve their own work."""
        return None if self._rules.own_work else by.user_id


_LIST = "approvals waiting"


class StoredApprovals(ApprovalService):
    """The Approvals port on PostgreSQL."""

    def __init__(self, clock: Clock, *, cursor_key: bytes, chosen: ApprovalRules | None = None) -> None:
        super().__init__(clock, chosen)
        self._key = cursor_key

    async def get(self, unit: Unit, approval_id: str) -> Approval | None:
        return await store.find_approval(unit, approval_id)

    async def waiting(
        self, reading: ReadTransaction, by: Principal, *, cursor: str | None = None, limit: int = 50
    ) -> Page[Approval]:
        after = self._position(cursor)
        approvals = await store.list_waiting(
            reading, _desks_of(by), not_of=self._left_out(by), after=after, limit=limit + 1
        )
        return build_page(approvals, limit, lambda approval: [approval.id], of=_LIST, key=self._key)

    async def count_waiting(self, reading: ReadTransaction, by: Principal) -> int:
        return await store.count_waiting(reading, _desks_of(by), not_of=self._left_out(by))

    async def history(self, unit: Unit, subject: ApprovalSubject) -> list[Approval]:
        return await store.list_history(unit, subject)

    async def _current(self, unit: Unit, subject: ApprovalSubject, *, lock: bool = True) -> Approval | None:
        if lock:
            await store.lock_subject(unit, subject)
        return await store.find_current(unit, subject)

    async def _begin(self, unit: Unit, approval: Approval) -> None:
        await store.replace_current(unit, approval)

    async def _save(self, unit: Unit, approval: Approval) -> None:
        await store.save_approval(unit, approval)

    async def _record(self, unit: Unit, actor: Actor, approval: Approval, action: str) -> None:
        why = approval.ended_why if approval.state is ApprovalState.VOID else approval.note
        subject = Audited(approval.subject.kind, approval.subject.id)
        detail = {"approval": approval.id, "content": approval.content_hash}
        await audit.record(unit, self._clock, AuditAction(actor, action, subject, why, detail))

    def _position(self, cursor: str | None) -> str | None:
        if cursor is None:
            return None
        return str(decode_cursor(cursor, of=_LIST, key=self._key)[0])


def _desks_of(by: Principal) -> list[str]:
    return [desk for desk in DESKS if by.may(desk_permission(desk, "approve"))]


async def get_approval(unit: Unit, approvals: Approvals, principal: Principal, approval_id: str) -> Approval:
    """The approval, in force or not, or NotFound."""
    approval = await approvals.get(unit, approval_id)
    if approval is None or not principal.may(approval.subject.permission("read")):
        raise NotFound(gettext("There is no approval with this id."))
    return approval
