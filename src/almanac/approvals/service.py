"""Approvals on PostgreSQL: all that happens to one subject happens in a row, and is in the audit log."""

from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS, desk_permission
from almanac.approvals import store
from almanac.approvals.model import Approval, State, Subject
from almanac.approvals.rules import Rules
from almanac.approvals.verbs import ApprovalVerbs
from almanac.audit import service as audit
from almanac.audit.model import Actor, Deed
from almanac.audit.model import Subject as Audited
from almanac.kit.clock import Clock
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.relational import Unit

_LIST = "approvals waiting"


class StoredApprovals(ApprovalVerbs):
    """The Approvals port on PostgreSQL."""

    def __init__(self, clock: Clock, *, cursor_key: bytes, chosen: Rules | None = None) -> None:
        super().__init__(clock, chosen)
        self._key = cursor_key

    async def get(self, unit: Unit, approval_id: str) -> Approval | None:
        return await store.find_approval(unit, approval_id)

    async def waiting(self, unit: Unit, by: Principal, *, cursor: str | None = None, limit: int = 50) -> Page[Approval]:
        after = self._position(cursor)
        found = await store.list_waiting(unit, _desks_of(by), not_of=self._left_out(by), after=after, limit=limit + 1)
        shown = found[:limit]
        more = len(found) > limit
        return Page(shown, encode_cursor([shown[-1].id], of=_LIST, key=self._key) if more else None)

    async def count_waiting(self, unit: Unit, by: Principal) -> int:
        return await store.count_waiting(unit, _desks_of(by), not_of=self._left_out(by))

    async def history(self, unit: Unit, subject: Subject) -> list[Approval]:
        return await store.list_history(unit, subject)

    async def _current(self, unit: Unit, subject: Subject, *, lock: bool = True) -> Approval | None:
        if lock:
            await store.lock_subject(unit, subject)
        return await store.find_current(unit, subject)

    async def _begin(self, unit: Unit, approval: Approval) -> None:
        await store.replace_current(unit, approval)

    async def _save(self, unit: Unit, approval: Approval) -> None:
        await store.save_approval(unit, approval)

    async def _record(self, unit: Unit, actor: Actor, approval: Approval, action: str) -> None:
        why = approval.ended_why if approval.state is State.VOID else approval.note
        subject = Audited(approval.subject.kind, approval.subject.id)
        detail = {"approval": approval.id, "content": approval.content_hash}
        await audit.record(unit, self._clock, Deed(actor, action, subject, why, detail))

    def _position(self, cursor: str | None) -> str | None:
        if cursor is None:
            return None
        return str(decode_cursor(cursor, of=_LIST, key=self._key)[0])


def _desks_of(by: Principal) -> list[str]:
    return [desk for desk in DESKS if by.may(desk_permission(desk, "approve"))]
