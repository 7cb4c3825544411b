"""Approvals in memory, for tests of what stands on them: the same verbs, no audit log, units are not looked at."""

# ruff: noqa: ARG002 - the port hands every verb a unit, which memory has no use for

from almanac.accounts.model import Principal
from almanac.approvals.model import Approval, ApprovalState, ApprovalSubject
from almanac.approvals.rules import ApprovalRules
from almanac.approvals.service import ApprovalService
from almanac.audit.model import Actor
from almanac.errors import InputError
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.relational import ReadTransaction, Unit


class MemoryApprovals(ApprovalService):
    """The Approvals port without a database. The last approval of a subject is the one in force."""

    def __init__(self, clock: Clock, chosen: ApprovalRules | None = None) -> None:
        super().__init__(clock, chosen)
        self._kept: dict[ApprovalSubject, list[Approval]] = {}

    async def get(self, unit: Unit, approval_id: str) -> Approval | None:
        return next((approval for kept in self._kept.values() for approval in kept if approval.id == approval_id), None)

    async def waiting(
        self, reading: ReadTransaction, by: Principal, *, cursor: str | None = None, limit: int = 50
    ) -> Page[Approval]:
        approvals = self._waiting(by)
        if cursor is not None and cursor not in {approval.id for approval in approvals}:
            raise InputError(gettext("This page link is out of date; start again from the first page."))
        rest = [approval for approval in approvals if cursor is None or approval.id > cursor]
        return Page(rest[:limit], rest[limit - 1].id if len(rest) > limit else None)

    async def count_waiting(self, reading: ReadTransaction, by: Principal) -> int:
        return len(self._waiting(by))

    async def history(self, unit: Unit, subject: ApprovalSubject) -> list[Approval]:
        return self._kept.get(subject, [])[::-1]

    async def _current(self, unit: Unit, subject: ApprovalSubject, *, lock: bool = True) -> Approval | None:
        return self._kept[subject][-1] if subject in self._kept else None

    async def _begin(self, unit: Unit, approval: Approval) -> None:
        self._kept.setdefault(approval.subject, []).append(approval)

    async def _save(self, unit: Unit, approval: Approval) -> None:
        self._kept[approval.subject][-1] = approval

    async def _record(self, unit: Unit, actor: Actor, approval: Approval, action: str) -> None:
        """Nothing is kept here of what happened."""

    def _waiting(self, by: Principal) -> list[Approval]:
        return sorted(
            (
                approvals[-1]
                for subject, approvals in self._kept.items()
                if approvals[-1].state is ApprovalState.WAITING
                and by.may(subject.permission("approve"))
                and self._left_out(by) not in approvals[-1].authors
            ),
            key=lambda approval: approval.id,
        )
