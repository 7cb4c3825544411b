"""The verbs of approvals, wherever they are kept: find what is known, apply the rules, write the outcome, tell of it.

What the adapters add is the storage; no rule is decided there.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from almanac.accounts.model import Principal
from almanac.approvals import rules
from almanac.approvals.model import Approval, Subject, Verdict, check_hash
from almanac.approvals.port import Follower
from almanac.approvals.rules import Rules
from almanac.audit.model import SYSTEM, Actor
from almanac.kit.clock import Clock
from almanac.relational import Unit


class ApprovalVerbs(ABC):
    """All of the Approvals port that decides or changes something."""

    def __init__(self, clock: Clock, chosen: Rules | None = None) -> None:
        self._clock = clock
        self._rules = chosen or Rules()
        self._followers: list[tuple[str | None, Follower]] = []

    @abstractmethod
    async def _current(self, unit: Unit, subject: Subject, *, lock: bool = True) -> Approval | None:
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
        known = await self._current(unit, subject)
        asked = rules.ask(known, subject, content_hash, by, self._clock.now(), title=title, link=link, authors=authors)
        if known is not None and asked is known:
            return known
        if known is not None:
            await self._void(unit, known, content_hash)
        await self._begin(unit, asked)
        await self._tell(unit, by.actor, asked, "approval.asked")
        return asked

    async def approve(
        self, unit: Unit, subject: Subject, content_hash: str, by: Principal, *, note: str = ""
    ) -> Approval:
        return await self._decide(unit, subject, "approved", content_hash, by, note)

    async def reject(self, unit: Unit, subject: Subject, content_hash: str, by: Principal, *, note: str) -> Approval:
        return await self._decide(unit, subject, "rejected", content_hash, by, note)

    async def withdraw(self, unit: Unit, subject: Subject, by: Principal) -> Approval:
        known = await self._current(unit, subject)
        withdrawn = rules.withdraw(known, by, self._clock.now())
        return await self._changed(unit, known, withdrawn, by.actor, "approval.withdrawn")

    async def state_of(self, unit: Unit, subject: Subject, current_hash: str) -> Approval | None:
        known = await self._current(unit, subject, lock=False)
        return known and rules.as_of(known, check_hash(current_hash), self._clock.now())

    async def note_change(self, unit: Unit, subject: Subject, current_hash: str) -> Approval | None:
        known = await self._current(unit, subject)
        return known and await self._void(unit, known, check_hash(current_hash))

    async def require_approved(self, unit: Unit, subject: Subject, current_hash: str) -> Approval:
        return rules.require_approved(await self._current(unit, subject), check_hash(current_hash))

    async def _decide(
        self, unit: Unit, subject: Subject, verdict: Verdict, content_hash: str, by: Principal, note: str
    ) -> Approval:
        by.require(subject.permission("approve"))
        known = await self._current(unit, subject)
        decided = rules.decide(known, verdict, content_hash, by, self._clock.now(), note=note, rules=self._rules)
        action = f"approval.{'given' if verdict == 'approved' else 'refused'}"
        return await self._changed(unit, known, decided, by.actor, action)

    async def _void(self, unit: Unit, known: Approval, current_hash: str) -> Approval:
        noted = rules.as_of(known, current_hash, self._clock.now())
        return await self._changed(unit, known, noted, SYSTEM, "approval.voided")

    async def _changed(self, unit: Unit, known: Approval | None, now: Approval, actor: Actor, action: str) -> Approval:
        """Write and tell of what became of a question; the same as before is nothing to write."""
        if now is not known:
            await self._save(unit, now)
            await self._tell(unit, actor, now, action)
        return now

    async def _tell(self, unit: Unit, actor: Actor, approval: Approval, action: str) -> None:
        await self._record(unit, actor, approval, action)
        for kind, follower in self._followers:
            if kind in (None, approval.subject.kind):
                await follower(unit, approval)

    def _left_out(self, by: Principal) -> str | None:
        """Whose own work is not shown as waiting for them, where nobody may approve their own."""
        return None if self._rules.own_work else by.user_id
