"""Services on a real database, and receivers on loopback: a push service, and a site for ntfy, Apprise and webhooks."""

import json
from dataclasses import dataclass, field, replace

import pytest
from aiohttp import web

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE, SignInClient
from almanac.accounts.permissions import Role
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.kit.ids import new_id
from push_receiver import PushReceiver


@pytest.fixture
def settings(tmp_path, database_url):
    return Settings(
        data=tmp_path / "data",
        database_url=database_url,
        mail_url="memory:",
        fetch_allow="127.0.0.0/8",
        base_url="https://almanac.example.org",
    )


@pytest.fixture
async def services(settings, clock):
    async with open_services(settings, clock) as services:
        yield services


@pytest.fixture
async def push(loopback):
    receiver = PushReceiver()
    async with loopback(receiver.route) as receiver.address:
        yield receiver


@dataclass
class Site:
    """Takes anything that is posted to it."""

    status: int = 200
    taken: list[dict] = field(default_factory=list)
    address: str = ""

    async def take(self, request):
        body = await request.read()
        self.taken.append(
            {"path": request.path, "headers": dict(request.headers), "raw": body, "json": json.loads(body or "{}")}
        )
        return web.json_response({"id": 1}, status=self.status)


@pytest.fixture
async def site(loopback):
    site = Site()
    async with loopback(web.post("/{path:.*}", site.take)) as site.address:
        yield site


@pytest.fixture
def person(services):
    """Adds somebody of a role, signed in."""

    async def add(role=Role.APPROVER, **preferences):
        user = await accounts.create_user(
            services.accounts, CONSOLE, email=f"{new_id()}@example.org", name=f"Some {role}", role=role
        )
        link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, user.id)
        started = await accounts.sign_in_with_link(
            services.accounts, token=link.path.rpartition("/")[2], visit=SignInClient(address="127.0.0.1")
        )
        principal = user.as_principal("session")
        if preferences:
            wanted = replace(principal.preferences, **preferences)
            await accounts.set_preferences(services.accounts, principal, wanted)
            principal = replace(principal, preferences=wanted)
        return replace(principal, session_id=started.session.id)

    return add


@pytest.fixture
def deliver(services, clock):
    """Sort and send what is due after some time."""

    async def run(**time):
        await services.notifications.sort_events()
        clock.advance(**(time or {"minutes": 1}))
        await services.notifications.deliver_due()

    return run
