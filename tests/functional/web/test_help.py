"""Help inside: every page of the documentation opens, links and anchors lead somewhere, and search finds each."""

import re

import pytest

from almanac.accounts.permissions import Role
from almanac.help.finder import HelpFinder
from almanac.help.library import HelpLibrary, find_docs_folder, page_url
from almanac.http.help_links import HELP_PAGES, help_for

LIBRARY = HelpLibrary(find_docs_folder())
FINDER = HelpFinder(LIBRARY)
NAMES = sorted(LIBRARY.names)


def anchors(name):
    return set(re.findall(r' id="([^"]+)"', LIBRARY.page(name).html))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_renders_with_living_links(name):
    page = LIBRARY.page(name)
    assert page.html.startswith("<h1")
    assert "<script" not in page.html
    for link in re.findall(r'href="(/help[^"]*|#[^"]*)"', page.html):
        path, _, anchor = link.partition("#")
        target = path.removeprefix("/help").strip("/") or ("README" if path else name)
        assert target in LIBRARY.names, link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_found_by_its_title(name):
    title = LIBRARY.page(name).title
    same_title = {page_url(other) for other in NAMES if LIBRARY.page(other).title == title}
    assert same_title & {hit.href.partition("#")[0] for hit in FINDER.find(title, 5)}


def test_typing_errors_are_forgiven():
    assert FINDER.find("passkye", 3)
    assert FINDER.find("qqqqqqq") == []


@pytest.mark.parametrize("words", ["search", "notifications", "backup", "reminder", "language"])
def test_guides_come_before_explanations_and_those_before_decisions(words):
    folders = [hit.href.removeprefix("/help/").partition("/")[0] for hit in FINDER.find(words, 200)]
    assert folders[0] == "how-to"
    assert "adr" not in folders[: len(folders) - folders.count("adr")]


def test_every_page_of_the_product_has_help_that_exists():
    assert set(HELP_PAGES.values()) <= LIBRARY.names
    assert help_for("/reminders/customers/7") == "/help/how-to/import-customers-and-invoices"
    assert help_for("/account/notifications") == "/help/how-to/notifications"
    assert help_for("/") == "/help/how-to/find-your-way"
    assert help_for("/somewhere") == "/help"


async def test_help_is_for_everybody_signed_in(signed_in, nobody):
    member = await signed_in(Role.MEMBER)
    shown = await member.get("/help/how-to/search")
    assert shown.status_code == 200
    assert "<h1" in shown.text
    assert "/sign-in" in (await nobody.http.get("/help", headers={"Accept": "text/html"})).headers["location"]
    assert 'href="/help/how-to/read-the-news"' in (await (await signed_in(Role.EDITOR)).get("/news")).text


async def test_help_is_searched(admin):
    shown = (await admin.get("/help?q=restore")).text
    assert 'href="/help/how-to/back-up-and-restore' in shown
    assert "Nothing in the help" in (await admin.get("/help?q=qqqqqq")).text


async def test_images_are_served_and_nothing_else(admin):
    image = await admin.get("/help/images/home.png")
    assert image.headers["content-type"] == "image/png"
    for path in (
        "/help/images/..%2fgenerate.py",
        "/help/images/none.png",
        "/help/how-to/none",
        "/help/..%2f..%2fREADME",
    ):
        assert (await admin.get(path)).status_code == 404, path
