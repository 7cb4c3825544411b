"""The interface speaks the language that a person chose, else the cookie's, else the browser's."""

import re

import pytest

from almanac.accounts.permissions import Role
from almanac.kit.catalogs import LANGUAGE_NAMES

ANY_PAGE = "/sign-in"


def language_of(page) -> str:
    return re.search(r'<html lang="([^"]+)"', page.text)[1]


@pytest.mark.parametrize(
    ("accepts", "expected"), [("ja", "ja"), ("de-AT,en;q=0.5", "de"), ("zh-CN", "zh-Hans"), ("fr", "en"), ("id", "ms")]
)
async def test_a_stranger_is_addressed_in_the_language_of_their_browser(nobody, accepts, expected):
    page = await nobody.get(ANY_PAGE, headers={"Accept-Language": accepts})
    assert language_of(page) == expected


async def test_a_stranger_chooses_by_a_link_that_is_remembered(nobody):
    page = await nobody.get(f"{ANY_PAGE}?next=/jobs", headers={"Accept-Language": "ja"})
    for code, name in LANGUAGE_NAMES.items():
        assert re.search(rf'href="[^"]*next=[^"]*lang={code}"[^>]*>{name}</a>', page.text)
    assert language_of(await nobody.get(f"{ANY_PAGE}?lang=de", headers={"Accept-Language": "ja"})) == "de"
    assert language_of(await nobody.get(ANY_PAGE, headers={"Accept-Language": "ja"})) == "de"


async def test_a_language_that_is_not_spoken_is_ignored(nobody):
    page = await nobody.get(f"{ANY_PAGE}?lang=tlh", headers={"Accept-Language": "de"})
    assert language_of(page) == "de"
    assert "almanac_language" not in page.headers.get("set-cookie", "")


async def test_error_pages_offer_the_languages_too(nobody):
    page = await nobody.get("/no-such-page", headers={"Accept-Language": "de", "Accept": "text/html"})
    assert (page.status_code, language_of(page)) == (404, "de")
    assert "/no-such-page?lang=ja" in page.text


async def test_the_choice_of_the_account_wins_over_cookie_and_browser(signed_in):
    ada = await signed_in(Role.EDITOR)
    answer = await ada.post("/language", {"language": "ja", "next": "/account"})
    assert (answer.status_code, answer.url.path) == (200, "/account")
    ada.http.cookies.set("almanac_language", "de")
    page = await ada.get("/account", headers={"Accept-Language": "ms"})
    assert language_of(page) == "ja"
    assert '<option value="ja" selected>' in page.text


async def test_without_a_choice_the_account_follows_the_browser(signed_in):
    ada = await signed_in(Role.EDITOR)
    assert language_of(await ada.get("/account", headers={"Accept-Language": "ms"})) == "ms"


async def test_an_unknown_language_is_refused(signed_in):
    ada = await signed_in(Role.EDITOR)
    assert (await ada.post("/language", {"language": "tlh"})).status_code == 422


async def test_filtering_a_search_by_language_leaves_the_interface_alone(signed_in):
    ada = await signed_in(Role.EDITOR)
    assert language_of(await ada.get("/search?q=rice&lang=ja", headers={"Accept-Language": "en"})) == "en"


async def test_the_manifest_names_desks_in_the_language_of_the_browser(nobody):
    answer = await nobody.get("/manifest.webmanifest", headers={"Accept-Language": "de"})
    assert answer.json()["lang"] == "de"
    assert "Accept-Language" in answer.headers["vary"]
