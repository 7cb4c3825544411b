"""Every change that a page offers is in the list of what can be undone, and what the list promises is kept."""

import re
from pathlib import Path

import pytest

from almanac.accounts.permissions import Role

LIST = Path(__file__).parents[3] / "docs" / "reference" / "undo.md"
TEMPLATES = Path(__file__).parents[3] / "src" / "almanac"
UNDO, CONFIRM = "Undo in the message", "Asks once"


def listed():
    """The path of each change, by its section of the list."""
    sections = re.split(r"^## ", LIST.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {section.splitlines()[0]: re.findall(r"^\| `(/[^`]*)` \|", section, re.MULTILINE) for section in sections}


def test_every_change_of_every_page_is_in_the_list_once(routes):
    posts = {route.path for route in routes if "POST" in route.methods and not route.path.startswith("/api/")}
    hooks = {path for path in posts if path.startswith(("/hooks/", "/mail/events", "/public/", "/mail/hooks"))}
    paths = [path for section in listed().values() for path in section]
    assert sorted(paths) == sorted(set(paths))
    assert posts - hooks - set(paths) == set(), "Say in docs/reference/undo.md how these are taken back."
    assert set(paths) - posts == set(), "The list names changes that no page has."


@pytest.mark.parametrize("path", listed()[UNDO])
def test_a_change_with_undo_in_its_message_names_what_undoes_it(path, routes):
    (route,) = [route for route in routes if route.path == path and "POST" in route.methods]
    source = Path(route.endpoint.__code__.co_filename).read_text("utf-8")
    assert "undo=" in source, route.endpoint.__module__


def test_what_asks_once_does_ask():
    """By a dialog, or by a page or form of its own that wants a reason."""
    pages = [path.read_text("utf-8") for path in TEMPLATES.rglob("*.html")]
    dialogs = [part[:900] for page in pages for part in page.split("ui.confirm(")[1:]]
    for path in listed()[CONFIRM]:
        verb = [word for word in path.split("/") if not word.startswith("{")][-1]
        assert any(verb in dialog for dialog in dialogs), path


async def after(visitor, path, **form):
    """The message and the form behind its undo button."""
    page = await visitor.post(path, form)
    toast = page.text.partition('id="toasts"')[2].partition("<template")[0]
    form = re.search(r'<form method="post" action="([^"]+)"(.*?)</form>', toast, re.DOTALL)
    assert form, toast
    fields = dict(re.findall(r'<input type="hidden" name="(?!csrf_token)([^"]+)" value="([^"]*)">', form[2]))
    return form[1], fields


async def test_undo_takes_back_with_the_fields_that_it_needs(admin):
    undo, fields = await after(admin, "/habits/rest-days", day="")
    day = undo.split("/")[3]
    assert fields == {}
    undo, fields = await after(admin, undo)
    assert (undo, fields) == ("/habits/rest-days", {"day": day})
    assert day in (await admin.post(undo, fields)).text


async def test_a_member_taken_out_of_a_team_is_put_back(admin, person):
    await person(Role.MEMBER, email="grace@example.org")
    team = str((await admin.post("/teams", {"name": "Desk"})).url).rpartition("/")[2]
    undo, fields = await after(admin, f"/teams/{team}/members", person="grace@example.org")
    undo, fields = await after(admin, undo)
    assert fields == {"person": "grace@example.org"}
    assert "grace@example.org" in (await admin.post(undo, fields)).text
