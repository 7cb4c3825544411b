"""Accounts on a real database with cheap hashes, and short ways to make people for a test."""

from collections.abc import Awaitable, Callable

import pytest
from argon2 import PasswordHasher

from almanac.accounts import service
from almanac.accounts.memory import MemoryLinkSender
from almanac.accounts.model import CONSOLE, Principal, SignedIn, SignInClient, User
from almanac.accounts.passwords import PasswordHashes
from almanac.accounts.permissions import Role
from almanac.accounts.port import Accounts
from almanac.accounts.principals import StoredPrincipals
from almanac.kit.clock import FixedClock
from almanac.relational import Database

PASSWORD = "violet kettle 97 harbour"

MakeUser = Callable[..., Awaitable[User]]


@pytest.fixture
def courier() -> MemoryLinkSender:
    return MemoryLinkSender()


@pytest.fixture
def accounts(database: Database, clock: FixedClock, courier: MemoryLinkSender) -> Accounts:
    return Accounts(
        database=database,
        clock=clock,
        link_sender=courier,
        base_url="http://almanac.test/",
        cursor_key=b"a key for cursors",
        passwords=PasswordHashes(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)),
        admin_token="the-token-of-the-machine-room",
    )


@pytest.fixture
def principals(accounts: Accounts) -> StoredPrincipals:
    return StoredPrincipals(accounts)


@pytest.fixture
def visit() -> SignInClient:
    return SignInClient(address="203.0.113.7", user_agent="Firefox on a test bench")


@pytest.fixture
def password() -> str:
    return PASSWORD


@pytest.fixture
def make_user(accounts: Accounts) -> MakeUser:
    """Makes a person; the test states only what matters."""

    async def make(role: Role = Role.MEMBER, name: str = "Ada", password: str | None = PASSWORD) -> User:
        email = f"{name.lower().replace(' ', '.')}@example.org"
        return await service.create_user(accounts, CONSOLE, email=email, name=name, role=role, password=password)

    return make


@pytest.fixture
def enter(accounts: Accounts, visit: SignInClient) -> Callable[[User], Awaitable[SignedIn]]:
    """Signs a person in with the usual password."""

    async def sign_in(user: User) -> SignedIn:
        return await service.sign_in(accounts, email=user.email, password=PASSWORD, visit=visit)

    return sign_in


@pytest.fixture
def as_principal(principals: StoredPrincipals, enter) -> Callable[[User], Awaitable[Principal]]:
    """The principal of a person who has just signed in."""

    async def resolve(user: User) -> Principal:
        principal = await principals.for_session((await enter(user)).token)
        assert principal is not None
        return principal

    return resolve
