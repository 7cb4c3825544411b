"""What a process keeps between requests shows nobody what is another's, and a change counts at the next request.

Routes, icons and compiled templates are kept, and the numbers of jobs for a second. Two people with different rights
and preferences take turns on the same pages, in two applications as two processes are.
"""

import asyncio
import re

import httpx
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks import DESKS
from almanac.web.app import create_app

PAGES = ("/", "/habits", "/account", "/search?q=river", "/")
DESK_LINK = re.compile(r'<li>\s*<a href="/(\w+)"')


@pytest.fixture
async def take_turns(services):
    """Signs people in and asks the same page for each of them, from two applications in turn."""
    apps = [create_app(services, DESKS) for _ in range(2)]
    clients = [httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver") for app in apps]

    async def sign_in(user):
        link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, user.id)
        answer = await clients[0].post(link.path)
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        clients[0].cookies.clear()
        return {"Cookie": cookie, "Accept": "text/html"}

    async def look(path, *people):
        return [await asyncio.gather(*(client.get(path, headers=headers) for headers in people)) for client in clients]

    yield sign_in, look
    for app, client in zip(apps, clients, strict=True):
        await client.aclose()
        await app.state.almanac.limiter.close()


async def test_two_people_on_the_same_pages_see_their_own(services, person, take_turns):
    sign_in, look = take_turns
    ada = await person(Role.ADMIN, email="ada@example.org")
    bob = await person(Role.MEMBER, email="bob@example.org")
    await accounts.set_own_rights(services.accounts, CONSOLE, bob.id, "news", [])
    of_ada, of_bob = await sign_in(ada), await sign_in(bob)
    for path in PAGES:
        for seen_by_ada, seen_by_bob in await look(path, of_ada, of_bob):
            assert "ada@example.org" in seen_by_ada.text
            assert "bob@example.org" not in seen_by_ada.text
            assert "bob@example.org" in seen_by_bob.text
            assert "ada@example.org" not in seen_by_bob.text
            assert {"news", "habits"} <= set(DESK_LINK.findall(seen_by_ada.text))
            assert "news" not in DESK_LINK.findall(seen_by_bob.text)
            assert 'href="/people"' not in seen_by_bob.text
            tokens = [re.search(r'X-CSRF-Token": "([^"]+)"', seen.text)[1] for seen in (seen_by_ada, seen_by_bob)]
            assert tokens[0] != tokens[1]


async def test_a_change_of_rights_and_theme_counts_at_the_next_request_everywhere(services, person, take_turns):
    sign_in, look = take_turns
    bob = await person(Role.EDITOR, email="bob@example.org")
    of_bob = await sign_in(bob)
    for [answer] in await look("/news", of_bob):
        assert answer.status_code == 200
        assert 'data-theme="system"' in answer.text
    await accounts.set_own_rights(services.accounts, CONSOLE, bob.id, "news", [])
    for [answer] in await look("/news", of_bob):
        assert answer.status_code == 403
    for [answer] in await look("/", of_bob):
        assert "news" not in DESK_LINK.findall(answer.text)
    await accounts.set_own_rights(services.accounts, CONSOLE, bob.id, "news", ["read"])
    for [answer] in await look("/news", of_bob):
        assert answer.status_code == 200
    async with services.database.unit() as unit:
        await unit.execute("UPDATE users SET theme = 'dark' WHERE id = %(id)s", {"id": bob.id})
    for [answer] in await look("/news", of_bob):
        assert 'data-theme="dark"' in answer.text
