"""The verbs of approvals on PostgreSQL: lock the subject, apply the rules, write the outcome and its audit entry."""

from collections.abc import Iterable

from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS, desk_permission
from almanac.approvals import rules, store
from almanac.approvals.model import Approval, State, Subject, Verdict, check_hash
from almanac.approvals.port import Follower
from almanac.approvals.rules import Rules
from almanac.audit import service as audit
from almanac.audit.model import SYSTEM, Actor, Deed
from almanac.audit.model import Subject as Audited
from almanac.errors import InputError
from almanac.kit.clock import Clock
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.relational import Unit

_LIST = "approvals waiting"


class StoredApprovals:
    """The Approvals port on PostgreSQL. All that happens to one subject happens in a row, whoever asks."""

    def __init__(self, clock: Clock, *, cursor_key: bytes, chosen: Rules | None = None) -> None:
        self._clock = clock
        self._key = cursor_key
        self._rules = chosen or Rules()
        self._followers: list[tuple[str | None, Follower]] = []

    def follow(self, follower: Follower, *, kind: str | None = None) -> None:
        self._followers.append((kind, follower))

    async def ask(
        self,
        unit: Unit,
        subject: Subject,
        content_hash: str,
        by: Principal,
        *,
        title: str = "",
        link: str = "",
        authors: Iterable[str] = (),
    ) -> Approval:
        known = await self._locked(unit, subject)
        asked = rules.ask(known, subject, content_hash, by, self._clock.now(), title=title, link=link, authors=authors)
        if known is not None and asked is known:
            return known
        if known is not None:
            await self._void(unit, known, content_hash)
        await store.replace_current(unit, asked)
        await self._tell(unit, by.actor, asked, "approval.asked")
        return asked

    async def approve(
        self, unit: Unit, subject: Subject, content_hash: str, by: Principal, *, note: str = ""
    ) -> Approval:
        return await self._decide(unit, subject, "approved", content_hash, by, note)

    async def reject(self, unit: Unit, subject: Subject, content_hash: str, by: Principal, *, note: str) -> Approval:
        return await self._decide(unit, subject, "rejected", content_hash, by, note)

    async def withdraw(self, unit: Unit, subject: Subject, by: Principal) -> Approval:
        known = await self._locked(unit, subject)
        withdrawn = rules.withdraw(known, by, self._clock.now())
        if withdrawn is not known:
            await store.save_approval(unit, withdrawn)
            await self._tell(unit, by.actor, withdrawn, "approval.withdrawn")
        return withdrawn

    async def state_of(self, unit: Unit, subject: Subject, current_hash: str) -> Approval | None:
        known = await store.find_current(unit, subject)
        return known and rules.as_of(known, check_hash(current_hash), self._clock.now())

    async def note_change(self, unit: Unit, subject: Subject, current_hash: str) -> Approval | None:
        known = await self._locked(unit, subject)
        return known and await self._void(unit, known, check_hash(current_hash))

    async def require_approved(self, unit: Unit, subject: Subject, current_hash: str) -> Approval:
        return rules.require_approved(await self._locked(unit, subject), check_hash(current_hash))

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

    async def _locked(self, unit: Unit, subject: Subject) -> Approval | None:
        await store.lock_subject(unit, subject)
        return await store.find_current(unit, subject)

    async def _decide(
        self, unit: Unit, subject: Subject, verdict: Verdict, content_hash: str, by: Principal, note: str
    ) -> Approval:
        by.require(subject.permission("approve"))
        known = await self._locked(unit, subject)
        decided = rules.decide(known, verdict, content_hash, by, self._clock.now(), note=note, rules=self._rules)
        if decided is not known:
            await store.save_approval(unit, decided)
            await self._tell(unit, by.actor, decided, f"approval.{'given' if verdict == 'approved' else 'refused'}")
        return decided

    async def _void(self, unit: Unit, known: Approval, current_hash: str) -> Approval:
        noted = rules.as_of(known, current_hash, self._clock.now())
        if noted is not known:
            await store.save_approval(unit, noted)
            await self._tell(unit, SYSTEM, noted, "approval.voided")
        return noted

    async def _tell(self, unit: Unit, actor: Actor, approval: Approval, action: str) -> None:
        why = approval.ended_why if approval.state is State.VOID else approval.note
        subject = Audited(approval.subject.kind, approval.subject.id)
        detail = {"approval": approval.id, "content": approval.content_hash}
        await audit.record(unit, self._clock, Deed(actor, action, subject, why, detail))
        for kind, follower in self._followers:
            if kind in (None, approval.subject.kind):
                await follower(unit, approval)

    def _left_out(self, by: Principal) -> str | None:
        """Whose own work is not shown as waiting for them, where nobody may approve their own."""
        return None if self._rules.own_work else by.user_id

    def _position(self, cursor: str | None) -> str | None:
        if cursor is None:
            return None
        try:
            return str(decode_cursor(cursor, of=_LIST, key=self._key)[0])
        except ValueError as error:
            raise InputError(str(error)) from error


def _desks_of(by: Principal) -> list[str]:
    return [desk for desk in DESKS if by.may(desk_permission(desk, "approve"))]
