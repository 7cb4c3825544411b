"""People with roles, and both adapters of the port under one roof."""

import pytest

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalRules, ApprovalSubject
from almanac.approvals.memory import MemoryApprovals
from almanac.approvals.service import StoredApprovals


@pytest.fixture
def somebody():
    def make(role: Role, name: str = "") -> Principal:
        name = name or role.value
        return Principal(user_id=name, name=name.title(), email=f"{name}@example.org", role=role, via="session")

    return make


@pytest.fixture
def editor(somebody):
    return somebody(Role.EDITOR)


@pytest.fixture
def approver(somebody):
    return somebody(Role.APPROVER)


@pytest.fixture
def draft() -> ApprovalSubject:
    return ApprovalSubject("newsletter.draft", "d1")


@pytest.fixture(params=["postgres", "memory"])
def make(request, clock):
    """Makes the adapter with the rules that an installation has chosen."""

    def approvals(rules: ApprovalRules | None = None):
        if request.param == "memory":
            return MemoryApprovals(clock, rules)
        return StoredApprovals(clock, cursor_key=b"a key of the tests", chosen=rules)

    return approvals


@pytest.fixture
def approvals(make):
    return make()
