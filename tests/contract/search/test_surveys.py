"""A survey counts everything that is found; of several kinds it shows the best of each, of one kind the first page."""

import pytest

from almanac.errors import InputError
from almanac.search import UNRESTRICTED_VIEWER, SearchSurvey, SearchViewer

from .conftest import ARTICLE, SPEECH


async def surveyed(bench, query: str, *, each: int = 2, **more) -> SearchSurvey:
    return await bench.index.survey(query, **{"viewer": UNRESTRICTED_VIEWER, "facets": ["lang"], "each": each, **more})


async def fill(bench) -> None:
    for number in range(3):
        await bench.add(f"Rice {number}", "Prices of rice.", language="en")
    await bench.add("Rice in the house", "A question about rice.", kind=SPEECH.name, language="ja")
    await bench.add("Wheat", "Prices of wheat.", language="en")


async def test_of_several_kinds_the_best_of_each_are_shown(bench):
    await fill(bench)
    survey = await surveyed(bench, "rice")
    assert {kind: len(hits) for kind, hits in survey.best.items()} == {ARTICLE.name: 2, SPEECH.name: 1}
    assert survey.results.hits == ()
    assert survey.results.total == 4
    assert {facet.value: facet.count for facet in survey.results.facets["kind"]} == {ARTICLE.name: 3, SPEECH.name: 1}
    assert {facet.value: facet.count for facet in survey.results.facets["lang"]} == {"en": 3, "ja": 1}


async def test_the_best_of_a_kind_are_those_that_a_search_of_it_finds_first(bench):
    await fill(bench)
    survey = await surveyed(bench, "rice")
    alone = await bench.find("rice", kinds=[ARTICLE.name], limit=2)
    assert list(survey.best[ARTICLE.name]) == list(alone.hits)


async def test_of_one_kind_it_is_the_first_page_and_the_next_one_follows(bench):
    for number in range(25):
        await bench.add(f"Wheat {number}", "Prices of wheat.")
    survey = await surveyed(bench, "wheat")
    first = await bench.find("wheat")
    assert survey.best == {}
    assert [hit.id for hit in survey.results.hits] == [hit.id for hit in first.hits]
    following = await bench.find("wheat", cursor=survey.results.next_cursor)
    assert len(following.hits) == 5
    assert survey.results.total == 25


async def test_with_none_of_each_everything_is_only_counted(bench):
    await fill(bench)
    for query, total in (("rice", 4), ("wheat", 1), ("nothing", 0)):
        survey = await surveyed(bench, query, each=0)
        assert (survey.results.total, survey.results.hits, survey.best) == (total, (), {})


async def test_nothing_is_surveyed_that_one_may_not_see(bench):
    await bench.add("Rice of mine", "rice", owner="ann")
    await bench.add("Rice of yours", "rice", kind=SPEECH.name, owner="ben")
    survey = await surveyed(bench, "rice", viewer=SearchViewer("ann"))
    assert [hit.title for hit in survey.results.hits] == ["Rice of mine"]
    assert survey.best == {}
    assert survey.results.total == 1


async def test_a_query_that_makes_no_sense_is_refused(bench):
    with pytest.raises(InputError):
        await surveyed(bench, '"rice')
