"""Search in the browser and the API: matches, their presentation, and empty results."""

import re
from datetime import UTC, datetime

import pytest

from almanac.accounts.permissions import Role
from almanac.search import DocumentKind, SearchDocument

ARTICLE = DocumentKind("test.article", "Article", "Articles", {"tag": "Tag"})
SPEECH = DocumentKind("test.speech", "Speech", "Speeches")


@pytest.fixture(autouse=True)
async def documents(services):
    services.search.add_kinds(ARTICLE, SPEECH)
    articles = [
        SearchDocument(
            kind="test.article",
            id=str(number),
            title=f"Rice <b>{number}</b>",
            path=f"/news/{number}",
            language="en",
            body="The harvests of the year were good.",
            date=datetime(2026, 1, number + 1, tzinfo=UTC),
            facets={"tag": ("Trade",) if number % 2 else ()},
            permission="desk.news.read",
        )
        for number in range(25)
    ]
    speech = SearchDocument(
        kind="test.speech", id="s", title="米について", path="/recap/s", body="Rice 米価", language="ja"
    )
    secret = SearchDocument(kind="test.article", id="x", title="Rice of others", path="/x", owner="somebody-else")
    async with services.database.unit() as unit:
        await services.search.put(unit, *articles, speech, secret)


async def test_documents_are_found_with_their_words_marked(admin):
    shown = (await admin.get("/search?q=harvest")).text
    assert "25 documents found" in shown
    assert "The <mark>harvests</mark> of the year" in shown
    assert "Rice &lt;b&gt;" in shown
    assert "Rice of others" not in shown


async def test_kinds_can_be_chosen_and_pages_turned(admin):
    first = (await admin.get("/search?q=rice")).text
    assert "Articles" in first
    assert 'href="/search?q=rice&amp;kind=test.speech"' in first
    only = (await admin.get("/search?q=rice&kind=test.speech")).text
    assert "1 document found" in only
    assert "/recap/s" in only
    articles = (await admin.get("/search?q=rice&kind=test.article")).text
    following = articles.split('rel="next"')[0].rsplit('href="', 1)[1].split('"')[0].replace("&amp;", "&")
    second = (await admin.get(following)).text
    assert "First page" in second
    assert "5 documents on this page" in second


async def test_what_is_found_stands_in_groups_with_counts(admin):
    shown = (await admin.get("/search?q=rice")).text
    assert re.search(r'Articles <span class="soft">25</span>', shown)
    assert re.search(r'Speeches <span class="soft">1</span>', shown)
    assert shown.count("<li data-row") == 5
    assert 'href="/search?q=rice&amp;kind=test.article">All 25</a>' in shown
    in_order = (await admin.get("/search?q=rice&order=-date")).text
    assert in_order.count("<li data-row") == 20


async def test_of_very_many_it_is_said_that_there_are_more(admin, api, services, monkeypatch):
    monkeypatch.setattr(services.search, "_counted", 10)
    shown = (await admin.get("/search?q=rice")).text
    assert "More than 11 documents found" in shown
    assert re.search(r'English <span class="facet">10\+</span>', shown)
    assert re.search(r'Japanese <span class="facet">1</span>', shown)
    of_a_year = (await admin.get("/search?q=date:2026")).text
    assert "More than 10 documents found" in of_a_year
    assert re.search(r'Articles <span class="soft">10\+</span>', shown)
    assert re.search(r'Speeches <span class="soft">1</span>', shown)
    assert 'href="/search?q=rice&amp;kind=test.article">All 10+</a>' in shown
    answer = (await api.get("/api/v1/search", params={"q": "rice", "facet": ["tag", "kind"]})).json()
    assert (answer["total"], answer["or_more"], answer["facets_among"]) == (11, True, 10)
    assert answer["facets"]["tag"] == [{"value": "Trade", "count": 5, "or_more": False}]
    assert {"value": "test.article", "count": 10, "or_more": True} in answer["facets"]["kind"]


async def test_a_language_can_be_chosen_and_taken_off(admin):
    assert "Japanese" in (await admin.get("/search?q=rice")).text
    only = (await admin.get("/search?q=rice&lang=ja")).text
    assert "1 document found" in only
    assert "Language: Japanese" in only


async def test_a_query_that_cannot_be_read_is_explained_beside_the_field(admin):
    answer = await admin.get("/search", params={"q": 'rice "harvest'})
    assert answer.status_code == 200
    assert "At character 6 of the query: this quotation mark is never closed" in answer.text
    assert "no field “colour”" in (await admin.get("/search?q=colour:red")).text


async def test_a_cursor_of_another_search_is_explained(admin):
    assert "start again from the first page" in (await admin.get("/search?q=rice&cursor=forged")).text


async def test_nothing_found_says_what_to_try(admin):
    assert "Nothing found for “zzzz”" in (await admin.get("/search?q=zzzz")).text
    assert "What are you looking for?" in (await admin.get("/search")).text


async def test_a_search_can_be_saved_from_here(signed_in):
    editor = await signed_in(Role.EDITOR)
    shown = (await editor.get("/search?q=rice&kind=test.article&order=-date")).text
    assert 'href="/saved/new?q=rice&amp;kind=test.article&amp;order=-date"' in shown


async def test_the_api_gives_hits_facets_and_a_cursor(api):
    answer = await api.get("/api/v1/search", params={"q": "rice", "facet": ["tag", "kind"], "limit": 10})
    results = answer.json()
    assert results["total"] == 26
    assert results["facets"]["tag"] == [{"value": "Trade", "count": 12, "or_more": False}]
    assert (results["or_more"], results["facets_among"]) == (False, None)
    assert len(results["items"]) == 10
    assert {"text": "Rice", "marked": True} in results["items"][0]["marked_title"]
    following = await api.get("/api/v1/search", params={"q": "rice", "limit": 10, "cursor": results["next_cursor"]})
    assert not {hit["id"] for hit in results["items"]} & {hit["id"] for hit in following.json()["items"]}


async def test_the_api_filters_and_orders(api):
    wanted = {"q": "", "filter": ["tag:trade", "lang:en"], "kind": "test.article", "sort": "date", "limit": 2}
    answer = (await api.get("/api/v1/search", params=wanted)).json()
    assert [hit["id"] for hit in answer["items"]] == ["1", "3"]
    later = {**wanted, "since": "2026-01-20T00:00:00Z", "until": "2026-01-23T00:00:00Z"}
    assert [hit["id"] for hit in (await api.get("/api/v1/search", params=later)).json()["items"]] == ["19", "21"]


@pytest.mark.parametrize(
    ("params", "status", "says"),
    [
        ({"q": "(rice"}, 400, "never closed"),
        ({"q": "colour:red"}, 400, "no field"),
        ({"q": "rice", "cursor": "forged"}, 400, "start again"),
        ({"q": "rice", "filter": "tag"}, 400, "use name:value"),
        ({"q": "rice", "sort": "sideways"}, 422, ""),
        ({"q": "a" * 2001}, 422, ""),
    ],
)
async def test_the_api_says_what_is_wrong(api, params, status, says):
    answer = await api.get("/api/v1/search", params=params)
    assert answer.status_code == status
    assert says in answer.json()["detail"]


async def test_a_token_finds_only_what_its_scopes_let_through(api, visit):
    made = await api.post("/api/v1/users", json={"email": "ada@example.org", "name": "Ada", "role": "member"})
    wish = {"name": "narrow", "scopes": ["habits:read"], "owner_id": made.json()["id"]}
    secret = (await api.post("/api/v1/tokens", json=wish)).json()["secret"]
    narrow = visit(headers={"Authorization": f"Bearer {secret}"})
    answer = (await narrow.get("/api/v1/search?q=rice")).json()
    assert [hit["id"] for hit in answer["items"]] == ["s"]


async def test_a_word_that_is_not_typed_to_its_end_is_found_and_the_page_says_so(admin):
    shown = (await admin.get("/search?q=harv")).text
    assert "25 documents found" in shown
    assert "Nothing has the word “harv”; also searched for words that begin so: harvests." in shown
    assert "asterisk (micro*)" in (await admin.get("/search?q=harv&exact=1")).text


async def test_a_kind_that_does_not_exist_is_answered_by_those_that_do(admin):
    shown = (await admin.get("/search?q=kind:news.article")).text
    assert "nothing has kind:news.article; use one of customer, habit," in shown


async def test_a_misspelt_word_is_also_searched_as_it_was_meant(admin, api):
    shown = (await admin.get("/search?q=harvset")).text
    assert "25 documents found" in shown
    assert "Few matches for “harvset”; also searched for: harvests." in shown
    assert "exact=1" in shown
    assert "Nothing found for" in (await admin.get("/search?q=harvset&exact=1")).text
    given = (await api.get("/api/v1/search", params={"q": "harvset"})).json()
    assert (given["total"], given["corrections"]) == (25, [{"word": "harvset", "alternatives": ["harvests"]}])
    assert (await api.get("/api/v1/search", params={"q": "harvset", "exact": True})).json()["total"] == 0


async def test_an_unknown_filter_is_answered_by_those_that_exist(api):
    refused = await api.get("/api/v1/search", params={"filter": "colour:red"})
    assert refused.status_code == 400
    assert "use one of kind, lang, bill" in refused.json()["detail"]
