"""What a query finds: words, phrases, exclusions, alternatives, fields and days, alike in every language."""

from datetime import UTC, datetime

import pytest

from almanac.errors import InputError


async def test_every_word_must_occur(bench):
    await bench.add("Rice harvest", "The harvest of rice fell in the north.")
    await bench.add("Rice prices", "Prices of rice rose.")
    assert await bench.found("rice harvest") == {"Rice harvest"}
    assert await bench.found("rice") == {"Rice harvest", "Rice prices"}


async def test_words_may_be_in_the_title_or_in_the_text(bench):
    await bench.add("Budget", "Parliament agreed.")
    assert await bench.found("budget parliament") == {"Budget"}


async def test_endings_width_case_and_accents_do_not_matter(bench):
    await bench.add("Café policies", "ＡＳＥＡＮ ministers met.")
    for query in ("cafe", "CAFÉ policy", "asean MINISTER", "ｍｉｎｉｓｔｅｒｓ"):
        assert await bench.found(query) == {"Café policies"}, query


async def test_a_phrase_must_occur_in_its_order(bench):
    await bench.add("right", "a plan for economic growth in the region")
    await bench.add("wrong", "growth that is not economic")
    assert await bench.found('"economic growth"') == {"right"}
    assert await bench.found("economic growth") == {"right", "wrong"}


async def test_a_phrase_does_not_reach_from_the_title_into_the_text(bench):
    await bench.add("Flood warning", "system installed")
    assert await bench.found('"warning system"') == set()
    assert await bench.found("warning system") == {"Flood warning"}


async def test_what_is_excluded_is_not_found(bench):
    await bench.add("tea", "green tea")
    await bench.add("coffee", "green coffee")
    assert await bench.found("green -coffee") == {"tea"}
    assert await bench.found('green -"green tea"') == {"coffee"}
    assert await bench.found("green -(tea OR coffee)") == set()


async def test_alternatives_and_groups(bench):
    for title in ("apples", "pears", "plums"):
        await bench.add(title, "fruit")
    assert await bench.found("apples OR pears") == {"apples", "pears"}
    assert await bench.found("fruit (plums OR pears)") == {"plums", "pears"}
    assert await bench.found("fruit plums OR pears") == {"plums", "pears"}


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("日本経済の見通しについて", "経済"),
        ("日本経済の見通しについて", "日本経済"),
        ("日本経済の見通しについて", "見通し 経済"),
        ("日本経済の見通しについて", "通"),
        ("国会でＡＩ予算が審議された", "AI予算"),
        ("ｶﾞｿﾘﾝの値段", "ガソリン"),
        ("中国经济增长放缓", "经济增长"),
        ("GDP成長率が2倍になった", '"GDP成長率が2倍"'),
        ("Ekonomi Malaysia berkembang pesat", "ekonomi malaysia"),
        ("대한민국 국회", "국회"),
    ],
)
async def test_every_language_is_found_without_spaces_or_settings(bench, text, query):
    await bench.add("wanted", text)
    await bench.add("other", "本会議は明日まで延期 unrelated 无关")
    assert await bench.found(query) == {"wanted"}


async def test_characters_far_apart_are_no_word(bench):
    await bench.add("apart", "日経平均と本社の済んだ話")
    assert await bench.found("日本経済") == set()


async def test_fields_narrow_what_is_found(bench):
    await bench.add("one", "text", facets={"tag": ("Economy", "Trade policy")})
    await bench.add("two", "text", kind="recap.speech", language="ja", facets={"person": ("O'Neil \\ Sons",)})
    assert await bench.found("text tag:economy") == {"one"}
    assert await bench.found('tag:"trade  POLICY"') == {"one"}
    assert await bench.found("tag:ＥＣＯＮＯＭＹ") == {"one"}
    assert await bench.found("text -tag:economy") == {"two"}
    assert await bench.found("kind:recap.speech") == {"two"}
    assert await bench.found("lang:ja") == {"two"}
    assert await bench.found('person:"O\'Neil \\\\ Sons"') == {"two"}
    assert await bench.found("tag:econ") == set()


async def test_the_title_can_be_searched_alone(bench):
    await bench.add("Annual report", "about floods")
    await bench.add("Floods", "annual losses, report to follow")
    assert await bench.found("title:floods") == {"Floods"}
    assert await bench.found('title:"annual report"') == {"Annual report"}
    assert await bench.found('title:"report annual"') == set()


async def test_days_narrow_what_is_found(bench):
    await bench.add("new year", date="2026-01-01")
    await bench.add("spring", date="2026-03-15T23:59:59")
    await bench.add("last year", date="2025-06-30")
    await bench.add("undated")
    assert await bench.found("date:2026") == {"new year", "spring"}
    assert await bench.found("date:2026-03") == {"spring"}
    assert await bench.found("date:2025-06-30..2026-01-01") == {"last year", "new year"}
    assert await bench.found("date:..2026-01-01") == {"last year", "new year"}
    assert await bench.found("after:2026-01-01") == {"new year", "spring"}
    assert await bench.found("before:2026-01-01") == {"last year"}
    assert await bench.found("after:2026-01-02 before:2026-03-15") == set()


async def test_days_may_be_one_of_several_alternatives(bench):
    await bench.add("flood", date="2020-05-01")
    await bench.add("storm", date="2026-02-10")
    await bench.add("quake", date="2026-03-20")
    assert await bench.found("flood OR date:2026-02-05..2026-03-10") == {"flood", "storm"}
    assert await bench.found("flood OR after:2026-03-01") == {"flood", "quake"}
    assert await bench.found("date:2000..2030 -date:2026-02") == {"flood", "quake"}


async def test_since_and_until_combine_with_the_query(bench):
    await bench.add("a", date="2026-01-01")
    await bench.add("b", date="2026-02-01")
    since, until = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
    assert await bench.found(since=since, until=until) == {"a"}
    assert await bench.found("after:2026-01-15", since=since) == {"b"}


async def test_an_empty_query_finds_everything(bench):
    await bench.add("a")
    await bench.add("b", kind="recap.speech")
    assert await bench.found("") == {"a", "b"}
    assert await bench.found("", kinds=["recap.speech"]) == {"b"}


async def test_filters_combine(bench):
    await bench.add("a", "x", facets={"tag": ("red",), "country": ("my",)})
    await bench.add("b", "x", facets={"tag": ("blue",), "country": ("my",)})
    await bench.add("c", "x", facets={"tag": ("red",), "country": ("jp",)})
    assert await bench.found("x", filters={"tag": ["red", "blue"], "country": ["my"]}) == {"a", "b"}
    assert await bench.found("x", filters={"tag": ["RED"]}, kinds=["news.article"]) == {"a", "c"}
    assert await bench.found("x", filters={"tag": []}) == {"a", "b", "c"}


async def test_a_bad_query_is_refused_with_a_sentence(bench):
    with pytest.raises(InputError, match=r"At character 6 .* never closed"):
        await bench.find('rice "harvest')
    with pytest.raises(InputError, match=r"no field “colour”; use one of .*country.*tag"):
        await bench.find("colour:red")
    with pytest.raises(InputError, match="by relevance"):
        await bench.find("rice", order="sideways")


@pytest.mark.parametrize(
    "text", ["'", "\\", "a'b", "x\x00y", "\ud800 z", ":*", "!&|<->", "(((", "%s %(a)s", "🍣 sushi"]
)
async def test_no_text_breaks_the_index(bench, text):
    await bench.add(text + " fine", text + " body", facets={"tag": (text + "v",)}, fields={"note": "kept"})
    assert len(await bench.ids("fine")) == 1


async def test_the_end_of_a_very_long_document_is_found(bench):
    body = " ".join(f"word{number}" for number in range(30_000)) + " the needle in haystacks " + "東京都知事"
    await bench.add("long", body)
    assert await bench.found('"needle in haystacks"') == {"long"}
    assert await bench.found("東京都知事") == {"long"}
    assert "needle" in "".join(span.text for span in (await bench.find("needle")).hits[0].snippet)


async def test_a_document_beyond_every_bound_is_found_by_its_beginning(bench):
    body = "beginning " + " ".join(f"unique{number}" for number in range(150_000))
    await bench.add("huge", body)
    assert await bench.found("beginning") == {"huge"}
