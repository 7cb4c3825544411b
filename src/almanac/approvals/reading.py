"""Finding one approval for somebody: who may not read at its desk learns nothing of it."""

from almanac.accounts.model import Principal
from almanac.approvals.model import Approval
from almanac.approvals.port import Approvals
from almanac.errors import NotFound
from almanac.relational import Unit


async def approval_for(unit: Unit, approvals: Approvals, principal: Principal, approval_id: str) -> Approval:
    """The approval, in force or not, or NotFound."""
    approval = await approvals.get(unit, approval_id)
    if approval is None or not principal.may(approval.subject.permission("read")):
        raise NotFound("There is no such approval.")
    return approval
