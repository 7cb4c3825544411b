"""People under one identity, bills across houses, and what somebody said on one bill: in the record's words only."""

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.service import articles, people, reports, search
from almanac.desks.recap.store import articles as store
from almanac.errors import Conflict, FieldErrors, NotFound


@pytest.fixture
async def sittings(desk, sitting):
    """Three sittings about one bill in two houses; a second 青木春子 with another reading speaks in the last."""
    first, second = sitting(1, day="2026-02-03"), sitting(2, day="2026-02-10", house="参議院")
    third = sitting(3, day="2026-02-17", meeting="本会議")
    third["speechRecord"][1]["speakerYomi"] = "あおきしゅんこ"
    second["speechRecord"][1]["speakerPosition"] = "委員長"
    await desk.publish(first, second, third)
    return first, second, third


async def test_a_bill_is_followed_across_sittings_and_houses(services, sittings):
    article = await store.get_article(services.tables, sittings[0]["issueID"])
    timeline = await articles.get_bill_timeline(services, article.bills[0]["key"])
    assert timeline.title == "図書館整備法案"
    assert [entry.card.id for entry in timeline.entries] == [item["issueID"] for item in sittings]
    assert [entry.card.name_of_house for entry in timeline.entries] == ["衆議院", "参議院", "衆議院"]


async def test_a_record_has_a_timeline_of_its_own(services, sittings):
    timeline = await articles.get_issue_timeline(services, sittings[1]["issueID"])
    assert [entry.card.id for entry in timeline.entries] == [sittings[1]["issueID"]]
    with pytest.raises(NotFound):
        await articles.get_issue_timeline(services, "nothing")
    with pytest.raises(NotFound):
        await articles.get_bill_timeline(services, "nothing")
    with pytest.raises(NotFound):
        await articles.get_agenda_timeline(services, "nothing")


async def test_people_of_one_name_are_told_apart_by_its_reading(services, sittings):
    person = await people.get_person(services, "青木春子")
    assert (person.identity.yomi, person.identity.articles) == ("あおきはるこ", 2)
    assert [(item.yomi, item.articles) for item in person.namesakes] == [("あおきしゅんこ", 1)]
    other = await people.get_person(services, "青木春子", key=person.namesakes[0].key)
    assert [listed.card.id for listed in other.articles.items] == [sittings[2]["issueID"]]
    mine = [listed.card.id for listed in person.articles.items]
    assert mine == [sittings[1]["issueID"], sittings[0]["issueID"]]


async def test_a_person_has_the_group_and_position_of_each_day(services, sittings):
    person = await people.get_person(services, "青木春子")
    assert [(f"{item.day}", item.group, item.position) for item in person.offices] == [
        ("2026-02-10", "みらい会", "委員長"),
        ("2026-02-03", "みらい会", ""),
    ]
    with pytest.raises(NotFound):
        await people.get_person(services, "だれでもない")


async def test_what_somebody_said_on_a_bill_is_quoted_from_the_record(services, sittings):
    article = await store.get_article(services.tables, sittings[0]["issueID"])
    quotations = await people.list_quotations(services, "石田健", article.bills[0]["key"])
    assert [item.card.id for item in quotations] == [item["issueID"] for item in sittings]
    record = sittings[0]["speechRecord"][2]["speech"]
    assert all(sentence in record for sentence in quotations[0].sentences)
    assert quotations[0].official_url == sittings[0]["speechRecord"][2]["speechURL"]
    assert quotations[0].path == f"/recap/articles/{sittings[0]['issueID']}#speech-2"


async def test_nobody_is_quoted_with_the_words_of_a_namesake(services, sittings):
    bill = (await store.get_article(services.tables, sittings[0]["issueID"])).bills[0]["key"]
    person = await people.get_person(services, "青木春子")
    for key in (None, person.identity.key):
        quotations = await people.list_quotations(services, "青木春子", bill, key=key)
        assert [item.card.id for item in quotations] == [sittings[0]["issueID"], sittings[1]["issueID"]]
    quotations = await people.list_quotations(services, "青木春子", bill, key=person.namesakes[0].key)
    assert [item.card.id for item in quotations] == [sittings[2]["issueID"]]
    with pytest.raises(NotFound):
        await people.list_quotations(services, "だれでもない", bill)


@pytest.fixture
async def mixed(desk, sitting):
    """A sitting that asks about school meals first, and only then has a bill before it; others speak than elsewhere."""
    texts = (
        "○委員長（井上一君）　これより会議を開きます。文教行政の基本施策に関する件について調査を進めます。",
        "○上田二君　給食の費用について伺います。七億円で足りるのでしょうか。",
        "○江口三君　お答えします。給食の費用は七億円であります。",
        "○委員長（井上一君）　次に、内閣提出、博物館整備法案を議題といたします。",
        "○上田二君　博物館の整備は何年かかるのでしょうか。",
    )
    item = sitting(4, day="2026-02-24", texts=texts)
    header, *spoken = item["speechRecord"]
    header["speech"] = header["speech"].replace("図書館", "博物館")
    people = [("井上一", "いのうえはじめ"), ("上田二", "うえだじ"), ("江口三", "えぐちさん")]
    for record, (name, yomi) in zip(spoken, [*people, *people[:2]], strict=True):
        record.update(speaker=name, speakerYomi=yomi)
    await desk.publish(item)
    return item


async def test_what_was_said_on_another_matter_is_no_word_on_the_bill(services, mixed):
    article = await store.get_article(services.tables, mixed["issueID"])
    (bill,) = article.bills
    assert bill["title"] == "博物館整備法案"
    assert [item.order for item in await people.list_quotations(services, "上田二", bill["key"])] == [5]
    assert await people.list_quotations(services, "江口三", bill["key"]) == []


async def test_a_reader_reports_an_error_and_an_editor_closes_it(services, sittings):
    name = sittings[0]["issueID"]
    made = await reports.report_error(services, CONSOLE, name, "三億円ではありません。", order=2)
    assert made.report_id in [item.report_id for item in (await reports.list_reports(services)).items]
    closed = await reports.close_report(services, CONSOLE, name, made.report_id, "訂正しました。")
    assert (closed.status, closed.answer) == ("closed", "訂正しました。")
    assert made.report_id not in [item.report_id for item in (await reports.list_reports(services)).items]
    with pytest.raises(Conflict):
        await reports.close_report(services, CONSOLE, name, made.report_id, "もう一度")
    with pytest.raises(FieldErrors):
        await reports.report_error(services, CONSOLE, name, " ")
    with pytest.raises(NotFound):
        await reports.report_error(services, CONSOLE, "nothing", "x")
    with pytest.raises(FieldErrors) as refused:
        await reports.report_error(services, CONSOLE, name, "x", order=99)
    assert list(refused.value.fields) == ["order"]


@pytest.mark.parametrize("typed", ["春子", "あおき", "ﾊﾙｺ", "Haruko Aoki", "青木 春子さん", "しゅんこ", "青木春子君"])
async def test_somebody_is_suggested_by_every_way_of_writing_the_name(services, sittings, typed):
    assert [value.value for value in await search.suggest_values(services, typed, facet="person")] == ["青木春子"]
    assert "青木春子" in [value.value for value in await search.suggest_values(services, typed)]
    (named,) = await people.find_named_people(services, typed)
    assert named.href.startswith("/recap/people/")


async def test_nobody_is_suggested_by_parts_of_two_people(services, sittings):
    assert await search.suggest_values(services, "青木健", facet="person") == []
    assert await search.suggest_values(services, "あおき けん", facet="person") == []
