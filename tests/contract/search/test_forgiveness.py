"""Search forgives: typing errors, beginnings of words, other spellings and scripts; exact matches stay first."""

from itertools import pairwise

import pytest

from almanac.desks.recap.model.houses import HOUSES
from almanac.kit.catalogs import INTERFACE_LANGUAGES
from almanac.kit.messages import translate
from almanac.search import DocumentKind, SearchViewer
from almanac.search.query_parser import InvalidQuery


async def forgiven(bench, query, **more):
    results = await bench.find(query, forgiving=True, **more)
    return [hit.title for hit in results.hits], {c.word: c.alternatives for c in results.corrections}


@pytest.mark.parametrize("typed", ["harvset", "harvst", "harvezt", "hharvest", "Havrest"])
async def test_one_typing_error_finds_the_word(bench, typed):
    await bench.add("Rice harvest", "A good year.")
    await bench.add("Wheat", "A bad year.")
    assert await forgiven(bench, f"rice {typed}") == (["Rice harvest"], {typed: ("harvest",)})
    assert await bench.found(f"rice {typed}") == set()


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Parlimen meluluskan perbelanjaan", "perbelnajaan"),
        ("Der Bundesrat tagt über die Genehmigung", "Genehmgiung"),
        ("経済産業省の発表", "経済産業庁"),
        ("立法院通過預算案", "立法院通過予算案"),
        ("コンピューターの調達", "コンピユーター"),
        ("サーバの更新", "サーバー"),
        ("りんごの収穫", "リンゴ"),
        ("国家发展和改革委员会", "国家发展改革委员会"),
    ],
)
async def test_errors_are_forgiven_in_every_language(bench, text, typed):
    await bench.add("this", text)
    await bench.add("another", "something else entirely 何か別のこと")
    assert (await forgiven(bench, typed))[0] == ["this"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Herr Müller kam", "Mueller"),
        ("Herr Mueller kam", "Müller"),
        ("Herr Müller kam", "muller"),
        ("經濟部的預算", "经济部"),
        ("经济部的预算", "經濟部"),
        ("經濟部的預算", "預算"),
        ("国会は図書館を設立", "國會"),
        ("学校の気候", "氣候"),
        ("ヴァイオリンの演奏", "バイオリン"),
        ("バイオリンの演奏", "ヴァイオリン"),
    ],
)
async def test_correctionss_of_one_word_are_one_word(bench, text, query):
    await bench.add("this", text)
    assert await bench.found(query) == {"this"}


async def test_text_is_shown_and_marked_as_it_is_written(bench):
    await bench.add("this", "昨日立法院討論經濟部的預算")
    (hit,) = (await bench.find("经济部")).hits
    assert [span.text for span in hit.snippet if span.marked] == ["經濟部"]


@pytest.mark.parametrize("query", ["harv*", "harves*", "harvest*", "harvesti*", "harvesting*", "HARV*", "title:harv*"])
async def test_beginnings_of_words(bench, query):
    await bench.add("Harvesting rice")
    await bench.add("Harbour")
    assert await bench.found(query) == {"Harvesting rice"}


async def test_beginnings_of_field_values(bench):
    await bench.add("this", facets={"tag": ("Trade policy",)})
    await bench.add("another", facets={"tag": ("Tourism",)})
    assert await bench.found("tag:tra*") == {"this"}
    assert await bench.found('tag:"tra*"') == set()


async def test_a_beginning_may_have_a_typing_error(bench):
    await bench.add("Parliament", "sits today")
    assert (await forgiven(bench, "parlaim*"))[0] == ["Parliament"]


@pytest.mark.parametrize("query", ['"harvset"', "rice -harvset", "rik", "tag:harvset"])
async def test_what_is_quoted_excluded_short_or_a_field_is_meant_as_written(bench, query):
    await bench.add("Harvest of rice", facets={"tag": ("harvest",)})
    assert (await forgiven(bench, query))[1] == {}


async def test_exact_matches_come_first(bench):
    await bench.add("A visit to Kedah", "Kedah Kedah Kedah", date="2026-01-02")
    await bench.add("Perlis", "is a name", date="2026-01-01")
    titles, corrections = await forgiven(bench, "perlis OR kedha")
    assert titles == ["Perlis", "A visit to Kedah"]
    assert corrections == {"kedha": ("kedah",)}


async def test_by_date_all_matches_are_in_one_order(bench):
    await bench.add("A visit to Kedah", date="2026-01-02")
    await bench.add("Perlis", date="2026-01-01")
    assert (await forgiven(bench, "perlis OR kedha", order="-date"))[0] == ["A visit to Kedah", "Perlis"]


async def test_a_word_that_occurs_is_not_corrected(bench):
    await bench.add("Sand dams", "hold water")
    await bench.add("Land", "that the dams send sand to")
    await bench.add("Dams", "of the land")
    titles, corrections = await forgiven(bench, "sand dams")
    assert (sorted(titles), corrections) == (["Land", "Sand dams"], {})


async def test_where_every_word_occurs_but_nothing_has_all_the_rare_ones_are_corrected(bench):
    await bench.add("Kedha", "is a name")
    await bench.add("Rice of Kedah")
    assert await forgiven(bench, "kedha rice") == (["Rice of Kedah"], {"kedha": ("kedah",)})


@pytest.mark.parametrize("typed", ["microgr", "village microgr", "mic"])
async def test_the_last_word_may_be_the_beginning_of_others(bench, typed):
    await bench.add("A village microgrid", "Microgrids for all.")
    await bench.add("Wheat", "in every village")
    results = await bench.find(typed, forgiving=True)
    assert [hit.title for hit in results.hits] == ["A village microgrid"]
    (correction,) = results.corrections
    assert correction.is_beginning
    assert "microgrid" in correction.alternatives


@pytest.mark.parametrize("typed", ["microgr village", '"microgr"', "mi", "village -microgr"])
async def test_only_an_unquoted_last_word_is_continued(bench, typed):
    await bench.add("A village microgrid")
    assert not any(correction.is_beginning for correction in (await bench.find(typed, forgiving=True)).corrections)


async def test_kinds_and_languages_that_do_not_exist_are_answered_by_those_that_do(bench):
    for query, values in (("kind:bogus", "news.article, recap.speech"), ("lang:xx", "en, es")):
        with pytest.raises(InvalidQuery, match=values):
            await bench.find(query)
    await bench.add("this", language="ms")
    assert await bench.found("kind:news* lang:MS") == {"this"}
    assert await bench.found("kind:Articles") == {"this"}


async def test_a_value_may_be_named_as_the_pages_name_it(bench):
    bench.index.add_kinds(DocumentKind("recap", "Meeting", "Meetings", {"house": "House"}, {"house": HOUSES}))
    await bench.add("this", kind="recap", facets={"house": ("参議院",)})
    await bench.add("another", kind="recap", facets={"house": ("衆議院",)})
    for language in INTERFACE_LANGUAGES:
        assert await bench.found(f'house:"{translate(HOUSES["参議院"], language)}"') == {"this"}
    assert await bench.found("house:参議院") == {"this"}


async def test_pages_of_corrected_searches_show_everything_once(bench):
    await bench.add("exact", "perlis")
    for number in range(7):
        await bench.add(f"near {number}", "kedah " * (number + 1))
    pages = [await bench.find("perlis OR kedha", forgiving=True, limit=3, facets=["kind"])]
    while cursor := pages[-1].next_cursor:
        pages.append(await bench.find("perlis OR kedha", forgiving=True, limit=3, facets=["kind"], cursor=cursor))
    titles = [hit.title for page in pages for hit in page.hits]
    assert titles[0] == "exact"
    assert sorted(titles[1:]) == [f"near {number}" for number in range(7)]
    assert [page.total for page in pages] == [8, 8, 8]
    assert all(first.facets == second.facets and second.corrections for first, second in pairwise(pages))


async def test_words_of_other_people_are_not_given_away(bench):
    await bench.add("Diary", "antidepressant", owner="ada")
    ben, ada = SearchViewer("ben"), SearchViewer("ada")
    assert await forgiven(bench, "antidepresant", viewer=ben) == ([], {})
    assert (await forgiven(bench, "antidepresant", viewer=ada))[0] == ["Diary"]


async def test_surveys_forgive_too(bench):
    await bench.add("Kedah", "article")
    await bench.add("Speech", "about Kedah", kind="recap.speech")
    survey = await bench.index.survey("kedha", viewer=SearchViewer(), each=3, forgiving=True)
    assert {kind: [hit.title for hit in hits] for kind, hits in survey.best.items()} == {
        "news.article": ["Kedah"],
        "recap.speech": ["Speech"],
    }
    assert survey.results.corrections[0].alternatives == ("kedah",)


async def test_the_readers_language_comes_first_and_nothing_is_hidden(bench):
    await bench.add("English", "Toyota factory", language="en")
    await bench.add("Melayu", "kilang Toyota", language="ms")
    for language, first in (("ms", "Melayu"), ("en", "English")):
        titles = [hit.title for hit in (await bench.find("toyota", languages=[language])).hits]
        assert titles[0] == first
        assert len(titles) == 2
