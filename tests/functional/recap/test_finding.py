"""Finding articles: thin items, register and search give the same answer, the one that a reader counts by hand."""

import random
from datetime import date

import msgspec
import pytest

from almanac.desks.recap.indexing import index_article, search_document
from almanac.desks.recap.model import filters
from almanac.desks.recap.model.filters import FACETS, ArticleFilter, fold_value
from almanac.desks.recap.service import search
from almanac.desks.recap.store import register, register_search
from almanac.desks.recap.store.article_mapping import facet_values, meeting_day
from almanac.desks.recap.store.articles import has_facet_list, list_by_facet
from almanac.desks.recap.store.table import Article
from almanac.errors import FieldErrors, InputError

COUNT = 120
WORDS = ("AI", "ＡＩ", "消費税", "ﾃﾞｼﾞﾀﾙ庁", "デジタル庁", "図書館")


def an_article(number, chance):
    day = date(2025, 1 + number % 12, 1 + number % 28).isoformat()
    return Article(
        id=f"a{number:03d}",
        title=f"第{number}号の会議",
        date=day,
        month=day[:7],
        image_kind=chance.choice(["会議録", None]),
        session=chance.choice([220, 221]),
        name_of_house=chance.choice(["衆議院", "参議院"]),
        name_of_meeting=chance.choice(["本会議", "文教委員会", "予算委員会"]),
        issue_id=f"i{number // 2}",
        categories=chance.sample(["財政", "教育", "外交", "環境"], 2),
        description=f"給食費と{number}の説明",
        participants=[
            {"name": f"議員{item}", "key": f"議員{item}:よみ{item % 3}"} for item in chance.sample(range(12), 4)
        ],
        keywords=[{"keyword": item} for item in chance.sample(WORDS, 2)],
        bills=[{"key": f"221-{chance.randrange(5)}", "title": "法案"}],
        version=1,
    )


@pytest.fixture(scope="module")
async def articles(services):
    chance = random.Random(5)
    made = [an_article(number, chance) for number in range(COUNT)]
    for article in made:
        await services.tables.create(article)
        async with services.database.unit() as unit:
            await index_article(unit, services, article, search_document(article, None, None))
    return made


def matches(article, wanted):
    values = {facet: {fold_value(item) for item in results} for facet, results in facet_values(article).items()}
    held = all(values[facet] & {fold_value(item) for item in chosen} for facet, chosen in wanted.chosen.items())
    day = meeting_day(article)
    return held and (wanted.since is None or day >= wanted.since) and (wanted.until is None or day <= wanted.until)


def by_hand(articles, wanted):
    """Ids by day; articles of one day may come in either order."""
    results = [article for article in articles if matches(article, wanted)]
    return sorted(results, key=lambda item: (item.date, item.id), reverse=wanted.order == "newest")


async def everything(services, wanted, limit=7):
    """Every page, and whether each but the last was full."""
    results, cursor = [], None
    while True:
        page = await search.list_articles(services, wanted, cursor=cursor, limit=limit)
        results += [listed.card.id for listed in page.items]
        cursor = page.next_cursor
        if cursor is None:
            return results
        assert len(page.items) == limit


def wanted_at_random(chance, articles, facets):
    values = facet_values(chance.choice(articles))
    chosen = {facet: (chance.choice(values[facet]),) for facet in facets if values[facet]}
    days = {"since": date(2025, chance.randint(1, 6), 1)} if chance.random() < 0.3 else {}
    days |= {"until": date(2025, chance.randint(7, 12), 20)} if chance.random() < 0.3 else {}
    return ArticleFilter(**chosen, **days, order=chance.choice(["newest", "oldest"]))


@pytest.mark.parametrize("facet", FACETS)
async def test_one_filter_gives_the_same_by_thin_items_register_and_search(services, articles, facet):
    chance = random.Random(facet)
    for _ in range(4):
        wanted = wanted_at_random(chance, articles, [facet])
        expected = by_hand(articles, wanted)
        ids = [item.id for item in expected]
        assert sorted(await everything(services, wanted)) == sorted(ids)
        register = await search.list_by_register(services, wanted, None, 200)
        assert sorted(listed.card.id for listed in register.items) == sorted(ids)
        hits = (await search.search_by_words(services, wanted, limit=200)).hits
        assert sorted(hit.id for hit in hits) == sorted(ids)
        if has_facet_list(facet) and wanted.chosen:
            (value,) = wanted.chosen[facet]
            thin = await list_by_facet(services.tables, facet, value, limit=200)
            same_spelling = [item.id for item in articles if value in facet_values(item)[facet]]
            assert sorted(card.id for card in thin) == sorted(same_spelling)


async def test_any_combination_gives_what_a_reader_would_count_by_hand_in_either_order(services, articles):
    chance = random.Random(17)
    for _ in range(40):
        wanted = wanted_at_random(chance, articles, chance.sample(FACETS, chance.randint(2, 4)))
        expected = by_hand(articles, wanted)
        results = await everything(services, wanted, limit=3)
        assert sorted(results) == sorted(item.id for item in expected)
        days = {item.id: item.date for item in articles}
        assert [days[item] for item in results] == [item.date for item in expected]
        hits = (await search.search_by_words(services, wanted, limit=200)).hits
        assert sorted(hit.id for hit in hits) == sorted(results)


async def test_every_value_and_not_only_the_first_word_and_category_is_used(services, articles):
    wanted = ArticleFilter(category=("財政", "教育"), keyword=("消費税", "図書館"), person=("議員1", "議員2", "議員3"))
    expected = [item.id for item in by_hand(articles, wanted)]
    assert expected
    assert sorted(await everything(services, wanted)) == sorted(expected)
    alone = ArticleFilter(category=("教育",))
    assert sorted(await everything(services, alone)) == sorted(item.id for item in by_hand(articles, alone))


@pytest.mark.parametrize(("spelled", "alike"), [("ai", "ＡＩ"), ("Ai", "AI"), ("デジタル庁", "ﾃﾞｼﾞﾀﾙ庁")])
async def test_keywords_are_found_whatever_their_case_and_width(services, articles, spelled, alike):
    item, other = ArticleFilter(keyword=(spelled,)), ArticleFilter(keyword=(alike,))
    results = await everything(services, item)
    assert results == await everything(services, other)
    assert sorted(results) == sorted(article.id for article in by_hand(articles, item))
    assert len(results) > 5


async def test_the_limit_is_applied_after_the_filter(services, articles):
    wanted = ArticleFilter(house=("参議院",), until=date(2025, 2, 28), order="newest")
    page = await search.list_articles(services, wanted, limit=5)
    assert len(page.items) == min(5, len(by_hand(articles, wanted)))
    assert all(listed.card.name_of_house == "参議院" and listed.card.date < "2025-03" for listed in page.items)


async def test_facets_count_everything_that_is_found_whatever_the_limit(services, articles):
    wanted = ArticleFilter(house=("衆議院",), session=("221",))
    page = await search.list_articles(services, wanted, facets=("category", "person", "meeting"), limit=3)
    expected = by_hand(articles, wanted)
    assert (page.total, page.total_is_exact) == (len(expected), True)
    for facet in ("category", "person", "meeting"):
        counted = {value.value: value.count for value in page.facets[facet]}
        by_value = [value for article in expected for value in facet_values(article)[facet]]
        assert counted == {value: by_value.count(value) for value in set(by_value)}
        assert [item.count for item in page.facets[facet]] == sorted(counted.values(), reverse=True)


async def test_of_very_many_the_newest_are_counted_and_it_is_said(services, articles, monkeypatch):
    monkeypatch.setattr(register_search, "COUNTED_ARTICLES", 5)
    everything = await search.list_articles(services, ArticleFilter(), facets=("house",), limit=3)
    assert (everything.total, everything.total_is_exact, everything.facets_among) == (len(articles), True, 5)
    assert sum(value.count for value in everything.facets["house"]) == 5
    two = ArticleFilter(house=("衆議院", "参議院"))
    many = await search.list_articles(services, two, facets=("house",), limit=3)
    assert (many.total, many.total_is_exact, many.facets_among) == (5, False, 5)


async def test_an_article_that_can_t_be_read_is_told_in_the_export_and_stops_nothing(services, articles):
    wanted = ArticleFilter(house=("衆議院",), category=("財政",))
    lines = [msgspec.json.decode(line) async for line in search.export_articles(services, wanted)]
    assert sorted(line["id"] for line in lines) == sorted(item.id for item in by_hand(articles, wanted))
    assert {line["problem"] for line in lines} == {"This article has no texts; make it again."}


async def test_words_and_filters_together(services, articles):
    wanted = ArticleFilter(text="給食費", house=("衆議院",), category=("教育",))
    page = await search.list_articles(services, wanted, facets=("house", "category"), limit=5)
    expected = [item for item in articles if matches(item, ArticleFilter(house=("衆議院",), category=("教育",)))]
    assert page.total == len(expected)
    assert [item.value for item in page.facets["house"]] == ["衆議院"]
    assert any(span.marked for span in page.items[0].snippet)
    results, cursor = [listed.card.id for listed in page.items], page.next_cursor
    while cursor:
        page = await search.list_articles(services, wanted, cursor=cursor, limit=5)
        results, cursor = results + [listed.card.id for listed in page.items], page.next_cursor
    assert sorted(results) == sorted(item.id for item in expected)


@pytest.mark.usefixtures("articles")
async def test_suggestions_begin_with_what_was_typed_the_most_frequent_first(services):
    results = await search.suggest_values(services, "議員1")
    assert {item.value for item in results} == {"議員1", "議員10", "議員11"}
    assert [item.count for item in results] == sorted((item.count for item in results), reverse=True)
    assert [item.value for item in await search.suggest_values(services, "デジ", facet="keyword")] == ["デジタル庁"]
    assert {item.value for item in await search.suggest_values(services, "ａ", facet="keyword")} == {"AI"}
    assert await search.suggest_values(services, "%") == []
    assert await search.suggest_values(services, " ") == []
    assert await search.suggest_values(services, "\0") == []


@pytest.mark.usefixtures("articles")
async def test_a_page_link_of_another_list_is_refused(services):
    page = await search.list_articles(services, ArticleFilter(house=("衆議院",), session=("221",)), limit=3)
    with pytest.raises(InputError, match="start again"):
        await search.list_articles(
            services, ArticleFilter(house=("参議院",), session=("221",)), cursor=page.next_cursor
        )


async def test_the_register_is_made_again_from_the_articles(services, articles):
    async with services.database.unit() as unit:
        await unit.execute("TRUNCATE recap_values, recap_articles, recap_filed, recap_cards, search_documents CASCADE")
    await services.rebuilds.rebuild(["recap"], restart=True)
    wanted = ArticleFilter(house=("衆議院",), category=("財政",))
    assert sorted(await everything(services, wanted)) == sorted(item.id for item in by_hand(articles, wanted))
    hits = (await search.search_by_words(services, wanted, limit=200)).hits
    assert len(hits) == len(by_hand(articles, wanted))


async def test_headlines_name_the_latest_and_what_is_most_in_them(services, articles):
    results = await search.get_headlines(services)
    latest = sorted(articles, key=lambda item: item.date, reverse=True)
    assert [card.date for card in results.latest] == [item.date for item in latest[:10]]
    assert {item.facet for item in results.keywords} == {"keyword"}
    assert results.people[0].count >= results.people[-1].count


def test_a_filter_survives_its_address():
    wanted = ArticleFilter(
        person=("青木春子",), house=("衆議院", "参議院"), text="予算 案", since=date(2026, 1, 1), order="oldest"
    )
    address = {}
    for name, value in wanted.parameters():
        address.setdefault(name, []).append(value)
    assert filters.parse_filter(address) == wanted


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"from": ["soon"]}, "from"),
        ({"order": ["best"]}, "order"),
        ({"person": ["x" * 201]}, "person"),
        ({"from": ["2026-02-01"], "until": ["2026-01-01"]}, "until"),
    ],
)
def test_a_filter_that_makes_no_sense_names_the_field(given, field):
    with pytest.raises(FieldErrors) as refused:
        filters.parse_filter(given)
    assert list(refused.value.fields) == [field]


async def test_lists_are_read_in_order_within_their_transaction_alone(services, articles):
    settings = "SELECT string_agg(setting, ' ' ORDER BY name) FROM pg_settings WHERE name = ANY(%(names)s)"
    names = {"names": ["enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_seqscan", "jit"]}
    async with services.database.unit() as unit:
        usual = await unit.value(settings, names)
        assert await register.find_values_to_list(unit, [(register.ALL_ARTICLES, register.ALL_ARTICLES)])
        assert await unit.value(settings, names) == "off off off off off"
    async with services.database.unit() as unit:
        assert await unit.value(settings, names) == usual != "off off off off off"
