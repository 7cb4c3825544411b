"""Approvals in memory, for tests of what stands on them: the same rules, no audit log, units are not looked at."""

# ruff: noqa: ARG002 - the port hands every verb a unit, which memory has no use for

from collections.abc import Iterable

from almanac.accounts.model import Principal
from almanac.approvals import rules
from almanac.approvals.model import Approval, State, Subject, Verdict, check_hash
from almanac.approvals.port import Follower
from almanac.approvals.rules import Rules
from almanac.errors import InputError
from almanac.kit.clock import Clock
from almanac.kit.paging import Page
from almanac.relational import Unit


class MemoryApprovals:
    """The Approvals port without a database. The last approval of a subject is the one in force."""

    def __init__(self, clock: Clock, chosen: Rules | None = None) -> None:
        self._clock = clock
        self._rules = chosen or Rules()
        self._kept: dict[Subject, list[Approval]] = {}
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
        known = self._current(subject)
        asked = rules.ask(known, subject, content_hash, by, self._clock.now(), title=title, link=link, authors=authors)
        if asked is not known:
            await self.note_change(unit, subject, content_hash)
            self._kept.setdefault(subject, []).append(asked)
            await self._tell(unit, asked)
        return asked

    async def approve(
        self, unit: Unit, subject: Subject, content_hash: str, by: Principal, *, note: str = ""
    ) -> Approval:
        return await self._decide(unit, subject, "approved", content_hash, by, note)

    async def reject(self, unit: Unit, subject: Subject, content_hash: str, by: Principal, *, note: str) -> Approval:
        return await self._decide(unit, subject, "rejected", content_hash, by, note)

    async def withdraw(self, unit: Unit, subject: Subject, by: Principal) -> Approval:
        return await self._keep(unit, rules.withdraw(self._current(subject), by, self._clock.now()))

    async def state_of(self, unit: Unit, subject: Subject, current_hash: str) -> Approval | None:
        known = self._current(subject)
        return known and rules.as_of(known, check_hash(current_hash), self._clock.now())

    async def note_change(self, unit: Unit, subject: Subject, current_hash: str) -> Approval | None:
        noted = await self.state_of(unit, subject, current_hash)
        return noted and await self._keep(unit, noted)

    async def require_approved(self, unit: Unit, subject: Subject, current_hash: str) -> Approval:
        return rules.require_approved(self._current(subject), check_hash(current_hash))

    async def get(self, unit: Unit, approval_id: str) -> Approval | None:
        return next((one for kept in self._kept.values() for one in kept if one.id == approval_id), None)

    async def waiting(self, unit: Unit, by: Principal, *, cursor: str | None = None, limit: int = 50) -> Page[Approval]:
        found = self._waiting(by)
        if cursor is not None and cursor not in {approval.id for approval in found}:
            raise InputError("This page link doesn't belong to this list any more; start again from the first page.")
        rest = [approval for approval in found if cursor is None or approval.id > cursor]
        return Page(rest[:limit], rest[limit - 1].id if len(rest) > limit else None)

    async def count_waiting(self, unit: Unit, by: Principal) -> int:
        return len(self._waiting(by))

    async def history(self, unit: Unit, subject: Subject) -> list[Approval]:
        return self._kept.get(subject, [])[::-1]

    def _current(self, subject: Subject) -> Approval | None:
        return self._kept[subject][-1] if subject in self._kept else None

    async def _keep(self, unit: Unit, approval: Approval) -> Approval:
        if approval is not self._current(approval.subject):
            self._kept[approval.subject][-1] = approval
            await self._tell(unit, approval)
        return approval

    async def _tell(self, unit: Unit, approval: Approval) -> None:
        for kind, follower in self._followers:
            if kind in (None, approval.subject.kind):
                await follower(unit, approval)

    async def _decide(
        self, unit: Unit, subject: Subject, verdict: Verdict, content_hash: str, by: Principal, note: str
    ) -> Approval:
        by.require(subject.permission("approve"))
        decided = rules.decide(
            self._current(subject), verdict, content_hash, by, self._clock.now(), note=note, rules=self._rules
        )
        return await self._keep(unit, decided)

    def _waiting(self, by: Principal) -> list[Approval]:
        return sorted(
            (
                approvals[-1]
                for subject, approvals in self._kept.items()
                if approvals[-1].state is State.WAITING
                and by.may(subject.permission("approve"))
                and (self._rules.own_work or by.user_id not in approvals[-1].authors)
            ),
            key=lambda approval: approval.id,
        )
