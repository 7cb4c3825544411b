"""What a process keeps between requests shows nobody what is another's, and a change counts at the next request.

Routes, icons and compiled templates are kept, the numbers of jobs for a second, and what desks read from the tables
until anything in these changes. Two people with different rights
and preferences take turns on the same pages, in two applications as two processes are.
"""

import asyncio
import re
from datetime import timedelta

import httpx
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks import DESKS
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.service.newsletters import create_newsletter
from almanac.desks.reminders import service as reminders
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.kit.money import Money
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


async def test_what_desks_keep_of_the_tables_is_each_persons_own_and_follows_every_change(services, person, take_turns):
    sign_in, look = take_turns
    ada, bob = await person(Role.ADMIN, email="ada@example.org"), await person(Role.MEMBER, email="bob@example.org")
    await accounts.set_own_rights(services.accounts, CONSOLE, bob.id, "reminders", ["read"])
    await accounts.set_own_rights(services.accounts, CONSOLE, bob.id, "newsletter", ["read", "write"])
    of_ada, of_bob = await sign_in(ada), await sign_in(bob)
    for owner, title in ((ada, "Letter of Ada"), (bob, "Letter of Bob")):
        await create_newsletter(services, owner.as_principal("session"), ConfigurationEdit(title=title))
    acme = await reminders.add_customer(services, CONSOLE, "acme", CustomerEdit(name="Acme Ltd", email="a@example.org"))
    owed = Money("100.00", "EUR")
    new = NewInvoice(customer_id="acme", number="A-1", amount=owed, due=services.clock.now().date() - timedelta(20))
    await reminders.add_invoice(services, CONSOLE, new)
    draft = await reminders.draft_reminder(services, CONSOLE, "acme")
    for _ in range(2):
        for seen_by_ada, seen_by_bob in await look("/", of_ada, of_bob):
            assert ("Letter of Ada" in seen_by_ada.text, "Letter of Bob" in seen_by_ada.text) == (True, False)
            assert ("Letter of Ada" in seen_by_bob.text, "Letter of Bob" in seen_by_bob.text) == (False, True)
            assert ("Acme Ltd" in seen_by_ada.text, "Acme Ltd" in seen_by_bob.text) == (True, False)
        for [seen_by_ada] in await look("/reminders/customers", of_ada):
            assert "Acme Ltd" in seen_by_ada.text
    services.clock.advance(seconds=1)
    await create_newsletter(services, bob.as_principal("session"), ConfigurationEdit(title="Second of Bob"))
    await reminders.reject_draft(services, CONSOLE, draft.id, seen=draft.content_hash, note="Not now.")
    await reminders.edit_customer(services, CONSOLE, "acme", CustomerEdit(name="Apex Ltd"), expected=acme.version)
    for seen_by_ada, seen_by_bob in await look("/", of_ada, of_bob):
        assert ("Second of Bob" in seen_by_ada.text, "Second of Bob" in seen_by_bob.text) == (False, True)
        assert "Acme Ltd" not in seen_by_ada.text
    for [seen_by_ada] in await look("/reminders/customers", of_ada):
        assert ("Apex Ltd" in seen_by_ada.text, "Acme Ltd" in seen_by_ada.text) == (True, False)
