"""The people who use the product under load, each with an account, a browser session, a token and their own things."""

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, TypeVar

import aiohttp

T = TypeVar("T")
API = "/api/v1"
PASSWORD = "violet tramway under snow"
PATIENCE_SECONDS = 60
SCOPES = ("read", "write", "approve", "send")


@dataclass
class Timings:
    """What one action came to: how long each answer took, and how many of each kind there were."""

    milliseconds: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)


@dataclass
class World:
    """What there is to read, as a survey of the product found it; and the port of the small web to read news from."""

    stories: list[int]
    articles: list[str]
    speakers: list[str]
    words: list[str]
    web_port: int | None


@dataclass
class Person:
    """One client: does one thing after the other, without a pause between them."""

    name: str
    http: aiohttp.ClientSession
    world: World
    chance: random.Random
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    book: dict[str, Timings] = field(default_factory=dict)
    user_id: str = ""
    token: str = ""
    counter: int = 0
    habits: list[str] = field(default_factory=list)
    completed: list[tuple[str, str]] = field(default_factory=list)
    newsletters: list[str] = field(default_factory=list)
    with_topics: set[str] = field(default_factory=set)
    customers: list[str] = field(default_factory=list)
    owing: list[str] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)
    reports: list[tuple[str, str]] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)

    def some(self, choices: Sequence[T]) -> T:
        return self.chance.choice(choices)

    def new_name(self) -> str:
        """A name that nobody else uses."""
        self.counter += 1
        return f"{self.name}-{self.counter}"

    async def call(
        self,
        action: str,
        method: str,
        path: str,
        *,
        body: object = None,
        version: int | None = None,
        fine: Collection[int] = (),
    ) -> Any:
        """Ask the API with one's token; `fine` are refusals that belong to ordinary use. None where there was one."""
        headers = {"Authorization": f"Bearer {self.token}"}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self._ask(action, method, API + path, headers, body, fine)

    async def open_page(self, action: str, path: str) -> None:
        """Look at a page as a browser does."""
        await self._ask(action, "GET", path, {"Accept": "text/html"}, None, ())

    async def _ask(
        self, action: str, method: str, path: str, headers: dict[str, str], body: object, fine: Collection[int]
    ) -> Any:
        begun, timings = time.perf_counter(), self.book.setdefault(action, Timings())
        try:
            async with self.http.request(method, path, headers=headers, json=body) as answer:
                content = await answer.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            timings.faults[type(error).__name__] += 1
            return None
        timings.milliseconds.append(1000 * (time.perf_counter() - begun))
        if answer.status >= 400:
            if answer.status not in fine:
                timings.faults[f"{answer.status} {method} {path.partition('?')[0]}: {content[:200]!r}"] += 1
            return None
        return await answer.json() if answer.content_type == "application/json" else None

    async def first_event(self, action: str, path: str) -> None:
        """Open a live stream, wait for its first event, and go away as a closed tab does."""
        begun, timings = time.perf_counter(), self.book.setdefault(action, Timings())
        try:
            async with self.http.get(path) as answer:
                await answer.content.readany()
                timings.milliseconds.append(1000 * (time.perf_counter() - begun))
                if answer.status != 200:
                    timings.faults[f"{answer.status} GET {path}"] += 1
        except (aiohttp.ClientError, TimeoutError) as error:
            timings.faults[type(error).__name__] += 1


async def join(person: Person, admin_token: str) -> None:
    """Get an account and a token from the administrator, and sign in with a browser."""
    admin = {"Authorization": f"Bearer {admin_token}"}
    email = f"{person.name}@example.org"
    wish = {"email": email, "name": person.name, "role": "admin", "password": PASSWORD}
    made = await _told(person.http.post(f"{API}/users", json=wish, headers=admin))
    person.user_id = made["id"]
    wish = {"name": "load", "scopes": list(SCOPES), "owner_id": made["id"]}
    person.token = (await _told(person.http.post(f"{API}/tokens", json=wish, headers=admin)))["secret"]
    async with person.http.get("/sign-in") as form:
        token = re.search(r'name="csrf_token" value="([^"]*)"', await form.text())
    fields = {"email": email, "password": PASSWORD, "csrf_token": token[1] if token else ""}
    async with person.http.post("/sign-in", data=fields) as answer:
        answer.raise_for_status()
    async with person.http.get("/account", allow_redirects=False) as answer:
        assert answer.status == 200, "The browser is not signed in."


async def _told(asked: Any) -> Any:
    async with asked as answer:
        if answer.status >= 400:
            raise RuntimeError(f"{answer.method} {answer.url.path} was refused: {await answer.text()}")
        return await answer.json()


async def survey(http: aiohttp.ClientSession, token: str, web_port: int | None) -> World:
    """Find out what there is to read."""
    headers = {"Authorization": f"Bearer {token}"}

    async def ask(path: str) -> Any:
        return await _told(http.get(API + path, headers=headers))

    stories, articles, headlines = await asyncio.gather(
        ask("/news/articles?limit=100"), ask("/recap/articles?limit=100"), ask("/recap/headlines")
    )
    titles = [story["title_en"] or story["title"] for story in stories["items"]]
    return World(
        stories=[story["id"] for story in stories["items"]],
        articles=[article["id"] for article in articles["items"]],
        speakers=[headline["value"] for headline in headlines["people"]],
        words=sorted({word.strip(",.:") for title in titles for word in title.split() if len(word) > 4}),
        web_port=web_port,
    )
