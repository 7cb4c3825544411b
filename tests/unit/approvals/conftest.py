"""People with roles, and the store on a real database."""

import pytest

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.approvals import Subject
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
def draft() -> Subject:
    return Subject("newsletter.draft", "d1")


@pytest.fixture
def approvals(clock) -> StoredApprovals:
    return StoredApprovals(clock, cursor_key=b"a key of the tests")
