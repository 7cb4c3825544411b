"""An installation with a name and https, where passkeys work, and people with passwords, phones and security keys."""

import re
from base64 import b32decode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

import httpx
import pytest

from almanac.accounts.permissions import Role
from almanac.accounts.second_factors import STEP_SECONDS, totp_code
from authenticator import Authenticator

HOME = "https://almanac.example.org"
PASSWORD = "violet tramway under snow"


@pytest.fixture
def settings(settings):
    return replace(settings, base_url=HOME, confirm_minutes=30)


@pytest.fixture
async def visit(app) -> AsyncIterator:
    """Makes clients that reach the application by its name."""
    async with AsyncExitStack() as stack:

        def client(**options: object) -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            made = httpx.AsyncClient(transport=transport, base_url=HOME, **options)
            stack.push_async_callback(made.aclose)
            return made

        yield client


@pytest.fixture
async def ada(person):
    return await person(Role.EDITOR, email="ada@example.org", password=PASSWORD)


@pytest.fixture
def security_key():
    return Authenticator(HOME, "almanac.example.org")


@dataclass
class Phone:
    """An authenticator app that has scanned a QR code."""

    secret: bytes
    clock: object

    def code(self) -> str:
        return totp_code(self.secret, int(self.clock.now().timestamp()) // STEP_SECONDS)


@pytest.fixture
def scan(clock):
    """Reads the key that is written beside the QR code."""

    def read(page: str) -> Phone:
        key = re.search(r"<code>([A-Z2-7 ]+)</code>", page)[1]
        return Phone(b32decode(key.replace(" ", "")), clock)

    return read


@pytest.fixture
def sign_in(visit):
    """Sends the password from a browser of its own; `http.cookies` then has the session or the pending sign-in."""

    async def send(email="ada@example.org", password=PASSWORD, **fields):
        http = visit(headers={"Accept": "text/html"})
        answer = await http.post("/sign-in", data={"email": email, "password": password, **fields})
        return http, answer

    return send


def codes_on(page: str) -> list[str]:
    block = re.search(r"<code>([a-z2-9-]+(?:\s+[a-z2-9-]+){9})</code>", page)
    return block[1].split() if block else []


@pytest.fixture
def turn_on(scan):
    """Turns two-step sign-in on with an app; returns the phone and the recovery codes."""

    async def with_app(visitor):
        page = (await visitor.post("/account/two-step/app", page="/account/two-step")).text
        phone = scan(page)
        ceremony = re.search(r'name="ceremony" value="([^"]+)"', page)[1]
        done = await visitor.post("/account/two-step/app/confirm", {"ceremony": ceremony, "code": phone.code()})
        assert done.status_code == 200, done.text
        return phone, codes_on(done.text)

    return with_app


@pytest.fixture
def add_key():
    """Adds a security key to the account of a visitor."""

    async def add(visitor, key, name="Desk key"):
        headers = {"X-CSRF-Token": await visitor.csrf(), "Accept": "application/json"}
        begun = await visitor.http.post("/account/passkeys/begin", headers=headers)
        assert begun.status_code == 200, begun.text
        form = {"ceremony": begun.json()["ceremony"], "credential": key.create(begun.json()["options"]), "name": name}
        return await visitor.post("/account/passkeys", form)

    return add


@pytest.fixture
def use_key():
    """Answers a request for a passkey, at the sign-in form or as the second step."""

    async def use(http, key, path="/sign-in/passkey", **fields):
        begun = await http.post(f"{path}/begin", headers={"Accept": "application/json"})
        assert begun.status_code == 200, begun.text
        form = {"ceremony": begun.json()["ceremony"], "credential": key.get(begun.json()["options"]), **fields}
        return await http.post(path, data=form)

    return use
