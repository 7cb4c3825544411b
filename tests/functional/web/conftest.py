"""The real application on a real database, with clients: anonymous, in each role, and with a token."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE, User
from almanac.accounts.permissions import Role
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.kit.clock import FixedClock
from almanac.services import Services
from almanac.web.app import create_app

BASE = "http://testserver"
ADMIN_TOKEN = "a-fixed-token-for-automation"
PASSWORD = "violet tramway under snow"


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    """Tests replace this to change how the application is set up."""
    return Settings(
        data=tmp_path / "data",
        database_url=database_url,
        mail_url="memory:",
        base_url=BASE,
        development=True,
        admin_token=ADMIN_TOKEN,
        rate_limit_per_minute=100_000,
        max_body_mb=1,
        knowledge_max_mb=1,
    )


@pytest.fixture
async def services(settings: Settings, clock: FixedClock) -> AsyncIterator[Services]:
    async with open_services(settings, clock) as services:
        yield services


@pytest.fixture
def app(services: Services) -> FastAPI:
    return create_app(services, DESKS)


def _routes(router: Any) -> Iterator[APIRoute]:
    for route in router.routes:
        if (included := getattr(route, "original_router", None)) is not None:
            yield from _routes(included)
        elif isinstance(route, APIRoute):
            yield route


@pytest.fixture
def routes(app: FastAPI) -> list[APIRoute]:
    """Every route of the platform and of the desks."""
    return list(_routes(app))


@dataclass
class Visitor:
    """A browser: keeps cookies, follows redirects, and finds the CSRF token of the page it is on."""

    http: httpx.AsyncClient
    user: User | None = None

    async def get(self, path: str, **options: object) -> httpx.Response:
        return await self.http.get(path, **options)

    async def post(self, path: str, data: dict[str, object] | None = None, *, page: str = "/account") -> httpx.Response:
        """Submit a form as the page shows it."""
        return await self.http.post(path, data={"csrf_token": await self.csrf(page), **(data or {})})

    async def csrf(self, page: str = "/account") -> str:
        match = re.search(r'name="csrf_token" value="([^"]*)"', (await self.http.get(page)).text)
        return match[1] if match else ""


@pytest.fixture
async def visit(app: FastAPI) -> AsyncIterator[Callable[..., httpx.AsyncClient]]:
    """Makes clients that reach the application without a network."""
    async with AsyncExitStack() as stack:

        def client(**options: object) -> httpx.AsyncClient:
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            made = httpx.AsyncClient(transport=transport, base_url=BASE, **options)
            stack.push_async_callback(made.aclose)
            return made

        yield client


@pytest.fixture
def nobody(visit: Callable[..., httpx.AsyncClient]) -> Visitor:
    """A browser that is not signed in."""
    return Visitor(visit(headers={"Accept": "text/html"}))


@pytest.fixture
def api(visit: Callable[..., httpx.AsyncClient]) -> httpx.AsyncClient:
    """A program with the fixed token for automation."""
    return visit(headers={"Authorization": f"Bearer {ADMIN_TOKEN}"})


@pytest.fixture
def person(services: Services) -> Callable[..., Awaitable[User]]:
    """Adds people with sensible names."""

    async def add(role: Role = Role.MEMBER, *, email: str | None = None, password: str | None = None) -> User:
        return await accounts.create_user(
            services.accounts,
            CONSOLE,
            email=email or f"{role}@example.org",
            name=f"Some {role}".title(),
            role=role,
            password=password,
        )

    return add


@pytest.fixture
def signed_in(
    services: Services, visit: Callable[..., httpx.AsyncClient], person: Callable[..., Awaitable[User]]
) -> Callable[..., Awaitable[Visitor]]:
    """A browser signed in as somebody new of a role, or as somebody given."""

    async def enter(role: Role = Role.ADMIN, user: User | None = None) -> Visitor:
        user = user or await person(role)
        link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, user.id)
        visitor = Visitor(visit(headers={"Accept": "text/html"}, follow_redirects=True), user)
        await visitor.http.post(link.path)
        return visitor

    return enter


@pytest.fixture
async def admin(signed_in: Callable[..., Awaitable[Visitor]]) -> Visitor:
    return await signed_in(Role.ADMIN)
