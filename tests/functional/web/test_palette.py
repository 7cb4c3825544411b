"""The command palette: every page and action that a person may use, typed half or wrongly, and nothing else."""

import re
import time

import pytest

from almanac.accounts.permissions import Role
from almanac.desks import DESKS
from almanac.http.auth import Guard
from almanac.http.pages import TOOLS
from almanac.http.shortcuts import place_keys
from almanac.search import SearchDocument
from almanac.web.page_finder import PAGES
from almanac.web.palette import PLATFORM_ACTIONS, SIGN_OUT

# Pages without parameters that nobody looks for by name: parts of pages, steps of a flow, files and streams.
NOT_LISTED = {
    "/account/confirm",
    "/audit/export",
    "/live",
    "/recap/tasks/live",
    "/palette",
    "/setup",
    "/habits/report.pdf",
    "/news/feeds/opml",
    "/people/names",
    "/reminders/customer-names",
    "/styleguide",
}


async def titles(visitor, words):
    answer = await visitor.get("/palette", params={"q": words}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return re.findall(r'data-title="([^"]*)"', answer.text)


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("add a cust", "Add a customer"),
        ("custmer add", "Add a customer"),
        ("new newsl", "New newsletter"),
        ("night", "Switch to dark"),
        ("sign out", "Sign out"),
        ("schedu", "Schedules"),
        ("leaderbord", "Leaderboard"),
        ("deutsch", "Show pages in Deutsch"),
        ("言語 日本", "Show pages in 日本語"),
        ("settings", "Change settings"),
        ("recap tasks", "Collect meetings"),
        ("publish", "Publish an issue"),
    ],
)
async def test_actions_and_pages_are_found_by_what_is_typed_of_them(admin, typed, title):
    assert title in (await titles(admin, typed))[:3]


async def test_things_are_found_by_their_beginning_and_with_an_error(admin, services):
    async with services.database.unit() as unit:
        await services.search.put(
            unit, SearchDocument(kind="news", id="1", title="Monsoon in Kelantan", path="/news/stories/1")
        )
    for typed in ("mons", "monsoon kel", "kelntan"):
        assert "Monsoon in Kelantan" in await titles(admin, typed), typed


async def test_the_language_can_be_chosen(admin):
    for typed in ("language", "sprache", "言語"):
        assert "Show pages in Deutsch" in await titles(admin, typed)


async def test_texts_that_only_mention_the_words_stay_behind_actions(admin, services):
    passage = SearchDocument(kind="knowledge", id="p", title="Ponds", body="Dark rooms, add custard.", path="/p")
    async with services.database.unit() as unit:
        await services.search.put(unit, passage)
    for typed in ("dark", "add cust"):
        assert "Ponds" not in await titles(admin, typed)
    assert "Ponds" in await titles(admin, "custard")


async def test_stories_are_titled_in_the_readers_language(admin, services):
    story = SearchDocument(
        kind="news",
        id="2",
        title="Banjir di Kelantan",
        path="/news/stories/2",
        language="ms",
        fields={"title_en": "Floods in Kelantan", "title_ms": "Banjir di Kelantan"},
    )
    async with services.database.unit() as unit:
        await services.search.put(unit, story)
    assert "Floods in Kelantan" in await titles(admin, "kelantan")
    shown = (await admin.get("/search?q=kelantn")).text
    assert "Floods in Kelantan" in shown
    assert "Banjir" not in shown


async def test_the_keys_of_rows_are_listed_only_where_they_work(admin):
    async def keys(page, rows):
        return (await admin.get(f"/shortcuts?page={page}&rows={rows}", headers={"HX-Request": "true"})).text

    assert "Next row" in await keys("/jobs", "true")
    assert "Next row" not in await keys("/jobs", "false")
    queue = await keys("/reminders", "true")
    assert "Next draft" in queue
    assert "Next row" not in queue


async def test_the_letters_after_g_lead_where_the_person_may_go(admin, signed_in):
    member = await signed_in(Role.MEMBER)
    for person, may_see_people in ((admin, True), (member, False)):
        keys = (await person.get("/shortcuts?page=/", headers={"HX-Request": "true"})).text
        assert "<kbd>g</kbd><kbd>n</kbd>" in "".join(keys.split())
        assert ("<kbd>g</kbd><kbd>p</kbd>" in "".join(keys.split())) is may_see_people


def test_every_desk_and_tool_has_a_letter_of_its_own():
    letters = place_keys()
    assert {"/", *(desk.path for desk in DESKS), *(href for _, href, _, _ in TOOLS)} == letters.keys()
    assert len(set(letters.values())) == len(letters)


async def test_help_is_found(admin):
    assert "Back up and restore" in await titles(admin, "restore backup")


async def test_nobody_is_offered_what_they_may_not_do(signed_in):
    member = await signed_in(Role.MEMBER)
    for typed, title in (("invite", "Invite somebody"), ("add a customer", "Add a customer"), ("audit", "Audit log")):
        assert title not in await titles(member, typed)
    assert "My account" in await titles(member, "account")


async def test_every_page_without_parameters_is_in_the_palette(routes):
    listed = {href.partition("?")[0] for _, href, _ in PAGES} | {
        action.href for action in (*PLATFORM_ACTIONS, SIGN_OUT)
    }
    for desk in DESKS:
        listed |= {desk.path, *desk.places, *(action.href for action in desk.actions)}
    pages = {
        route.path for route in routes if "GET" in route.methods and "{" not in route.path and needs_somebody(route)
    }
    pages = {path for path in pages if not path.startswith("/api/")}
    assert pages - listed - NOT_LISTED == set()


def needs_somebody(route) -> bool:
    return any(isinstance(dependency.call, Guard) for dependency in route.dependant.dependencies)


async def test_every_action_names_a_page_and_its_permission_opens_it(admin):
    for action in (*PLATFORM_ACTIONS, *(action for desk in DESKS for action in desk.actions)):
        if not action.posts:
            assert (await admin.get(action.href)).status_code == 200, action.href


async def test_without_scripts_it_is_a_page(admin):
    shown = (await admin.get("/palette?q=dark")).text
    assert '<form method="post" action="/account/theme"' in shown
    assert 'name="theme" value="dark"' in shown


async def test_an_answer_takes_less_than_a_tenth_of_a_second(admin):
    await titles(admin, "warm up")
    taken = []
    for typed in ("n", "new", "new newsletter", "harvset", "back up"):
        start = time.perf_counter()
        await titles(admin, typed)
        taken.append(time.perf_counter() - start)
    assert sorted(taken)[len(taken) // 2] < 0.1


async def test_a_hostile_question_is_only_text(admin):
    answer = await admin.get("/palette", params={"q": '<img src=x onerror="1">'}, headers={"HX-Request": "true"})
    assert "<img" not in answer.text


async def test_keys_are_listed_by_page(admin):
    queue = (await admin.get("/shortcuts?page=/reminders", headers={"HX-Request": "true"})).text
    assert "Reject, with a note" in queue
    order = ["Reject, with a note", "Open the command palette", "Webhooks"]
    assert sorted(order, key=queue.index) == order, "its own keys come first"
    assert "Reject, with a note" not in (await admin.get("/shortcuts?page=/news", headers={"HX-Request": "true"})).text
    assert "Move the part up" in (await admin.get("/shortcuts")).text
