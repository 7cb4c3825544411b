"""Approvals in memory, for tests of what stands on them: the same rules, no audit log, units are not looked at."""

# ruff: noqa: ARG002 - the port hands every verb a unit, which memory has no use for

from collections.abc import Iterable

from almanac.accounts.model import Principal
from almanac.approvals import rules
from almanac.approvals.model import Approval, State, Subject, Verdict, check_hash
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

    async def ask(
        self,
        unit: Unit | None,
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
        return asked

    async def approve(
        self, unit: Unit | None, subject: Subject, content_hash: str, by: Principal, *, note: str = ""
    ) -> Approval:
        return self._decide(subject, "approved", content_hash, by, note)

    async def reject(
        self, unit: Unit | None, subject: Subject, content_hash: str, by: Principal, *, note: str
    ) -> Approval:
        return self._decide(subject, "rejected", content_hash, by, note)

    async def withdraw(self, unit: Unit | None, subject: Subject, by: Principal) -> Approval:
        return self._keep(rules.withdraw(self._current(subject), by, self._clock.now()))

    async def state_of(self, unit: Unit | None, subject: Subject, current_hash: str) -> Approval | None:
        known = self._current(subject)
        return known and rules.as_of(known, check_hash(current_hash), self._clock.now())

    async def note_change(self, unit: Unit | None, subject: Subject, current_hash: str) -> Approval | None:
        noted = await self.state_of(unit, subject, current_hash)
        return noted and self._keep(noted)

    async def require_approved(self, unit: Unit | None, subject: Subject, current_hash: str) -> Approval:
        return rules.require_approved(self._current(subject), check_hash(current_hash))

    async def waiting(
        self, unit: Unit | None, by: Principal, *, cursor: str | None = None, limit: int = 50
    ) -> Page[Approval]:
        found = self._waiting(by)
        if cursor is not None and cursor not in {approval.id for approval in found}:
            raise InputError("This page link doesn't belong to this list any more; start again from the first page.")
        rest = [approval for approval in found if cursor is None or approval.id > cursor]
        return Page(rest[:limit], rest[limit - 1].id if len(rest) > limit else None)

    async def count_waiting(self, unit: Unit | None, by: Principal) -> int:
        return len(self._waiting(by))

    async def history(self, unit: Unit | None, subject: Subject) -> list[Approval]:
        return self._kept.get(subject, [])[::-1]

    def _current(self, subject: Subject) -> Approval | None:
        return self._kept[subject][-1] if subject in self._kept else None

    def _keep(self, approval: Approval) -> Approval:
        self._kept[approval.subject][-1] = approval
        return approval

    def _decide(self, subject: Subject, verdict: Verdict, content_hash: str, by: Principal, note: str) -> Approval:
        by.require(subject.permission("approve"))
        known = self._current(subject)
        return self._keep(
            rules.decide(known, verdict, content_hash, by, self._clock.now(), note=note, rules=self._rules)
        )

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
