"""What every Principals port promises, on PostgreSQL and in memory alike."""

from typing import Protocol

import pytest
from argon2 import PasswordHasher

from almanac.accounts import service
from almanac.accounts.memory import MemoryLinkSender, MemoryPrincipals
from almanac.accounts.model import AUTOMATION, CONSOLE, Principal, SignInClient
from almanac.accounts.passwords import PasswordHashes
from almanac.accounts.permissions import Role
from almanac.accounts.port import Accounts, Principals
from almanac.accounts.principals import StoredPrincipals
from almanac.kit.clock import FixedClock
from almanac.kit.ids import secret_token
from almanac.relational import Database

ADMIN_TOKEN = "the-token-of-the-machine-room"
PASSWORD = "violet kettle 97 harbour"


class Bench(Protocol):
    """A port with somebody behind it."""

    port: Principals

    async def open_session(self) -> str: ...

    async def end_session(self, token: str) -> None: ...

    async def make_token(self, *scopes: str) -> str: ...


class MemoryBench:
    def __init__(self) -> None:
        self.port = MemoryPrincipals(ADMIN_TOKEN)

    async def open_session(self) -> str:
        token = secret_token()
        self.port.sessions[token] = Principal(
            user_id="u", name="Ada", email="ada@example.org", role=Role.EDITOR, via="session", session_id=token[:8]
        )
        return token

    async def end_session(self, token: str) -> None:
        del self.port.sessions[token]

    async def make_token(self, *scopes: str) -> str:
        token = secret_token()
        self.port.tokens[token] = Principal(
            user_id="u",
            name="Ada",
            email="ada@example.org",
            role=Role.EDITOR,
            via="token",
            scopes=frozenset(scopes),
            token_id=token[:8],
        )
        return token


class StoredBench:
    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self.port = StoredPrincipals(accounts)

    async def open_session(self) -> str:
        visit = SignInClient(address="127.0.0.1")
        return (await service.sign_in(self.accounts, email="ada@example.org", password=PASSWORD, visit=visit)).token

    async def end_session(self, token: str) -> None:
        await service.sign_out(self.accounts, token)

    async def make_token(self, *scopes: str) -> str:
        ada = await self.port.for_session(await self.open_session())
        assert ada is not None
        return (await service.create_token(self.accounts, ada, name="script", scopes=scopes)).secret


@pytest.fixture
def memory_bench() -> MemoryBench:
    return MemoryBench()


@pytest.fixture
async def stored_bench(database: Database, clock: FixedClock) -> StoredBench:
    accounts = Accounts(
        database=database,
        clock=clock,
        link_sender=MemoryLinkSender(),
        base_url="http://almanac.test",
        cursor_key=b"a key for cursors",
        passwords=PasswordHashes(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)),
        admin_token=ADMIN_TOKEN,
    )
    await service.create_user(accounts, CONSOLE, email="ada@example.org", name="Ada", role="editor", password=PASSWORD)
    return StoredBench(accounts)


@pytest.fixture(params=["memory_bench", "stored_bench"])
def bench(request: pytest.FixtureRequest) -> Bench:
    return request.getfixturevalue(request.param)


async def test_a_session_belongs_to_the_person_who_opened_it(bench):
    principal = await bench.port.for_session(await bench.open_session())
    assert (principal.name, principal.role, principal.via) == ("Ada", Role.EDITOR, "session")
    assert principal.session_id


async def test_a_session_has_the_rights_of_the_role(bench):
    principal = await bench.port.for_session(await bench.open_session())
    assert principal.may("desk.news.write")
    assert not principal.may("users.manage")


async def test_an_ended_session_is_nobodys(bench):
    token = await bench.open_session()
    await bench.end_session(token)
    assert await bench.port.for_session(token) is None


async def test_a_token_has_its_scopes_only(bench):
    principal = await bench.port.for_token(await bench.make_token("read"))
    assert (principal.via, principal.scopes) == ("token", frozenset({"read"}))
    assert principal.may("desk.news.read")
    assert not principal.may("desk.news.write")


async def test_a_session_is_no_token_and_a_token_no_session(bench):
    assert await bench.port.for_token(await bench.open_session()) is None
    assert await bench.port.for_session(await bench.make_token("read")) is None


async def test_the_fixed_token_is_automation(bench):
    assert await bench.port.for_token(ADMIN_TOKEN) == AUTOMATION
    assert await bench.port.for_session(ADMIN_TOKEN) is None


@pytest.mark.parametrize("token", ["", "made up", "ünïcode", "\x00", "\ud800"])
async def test_anything_else_is_nobodys(bench, token):
    assert await bench.port.for_session(token) is None
    assert await bench.port.for_token(token) is None
