"""Speeches are found by their words and by who said them, one by one, and go with their article."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest

from almanac.desks.recap.indexing import index_article, search_document
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.recap import Dialog, Recap
from almanac.desks.recap.model.speech_filters import SpeechFilter, parse_speech_filter
from almanac.desks.recap.pipeline.publish import publish_recap, withdraw_meeting
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.service import speeches
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store.article_mapping import article_from_recap
from almanac.desks.recap.store.speech_mapping import build_speech_entries
from almanac.desks.recap.store.speeches import COUNTED_SPEECHES, RANKED_SPEECHES
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.errors import FieldErrors, InputError
from almanac.llm.extractive.writer import ExtractiveWriter

BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


async def find(services, *, facets=(), limit=20, cursor=None, **wanted):
    return await speeches.list_speeches(services, SpeechFilter(**wanted), facets=facets, limit=limit, cursor=cursor)


def said(page):
    return [(hit.speaker, hit.order) for hit in page.items]


async def test_words_lead_to_the_speech_and_not_only_to_the_meeting(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(11, day="2026-02-11"))
    page = await find(services, text="五十館", since=meeting.date, until=meeting.date)
    (hit,) = page.items
    assert (hit.speaker, hit.group, hit.order) == ("石田健", "市民クラブ", 2)
    assert (hit.card.id, hit.card.name_of_meeting) == (meeting.issue_id, "文教委員会")
    assert hit.text.startswith("お答えします。")
    assert [span.text for span in hit.snippet if span.marked] == ["五十館"]
    assert hit.url == f"https://kokkai.example/txt/{meeting.issue_id}/2"
    assert hit.added_at > BEGINNING


async def test_a_name_before_the_speech_is_no_word_of_it(desk, services, sitting):
    await desk.publish(sitting(12, day="2026-02-12"))
    assert not (await find(services, text="石田健", since=date(2026, 2, 12), until=date(2026, 2, 12))).items


async def test_filters_combine_and_facets_count_speeches(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(13, day="2026-02-13"))
    day = {"since": meeting.date, "until": meeting.date}
    page = await find(services, facets=("person", "group", "reaction", "bill"), **day)
    assert (page.total, page.total_is_exact, page.facets_among) == (3, True, None)
    assert {value.value: value.count for value in page.facets["group"]} == {
        "みらい会": 1,
        "市民クラブ": 1,
        "緑の党": 1,
    }
    (bill,) = page.facets["bill"]
    assert said(await find(services, bill=(bill.value,), reaction=("賛成",), **day)) == [("大野空", 3)]
    assert said(await find(services, person=("大野　空",), house=("衆議院",), meeting=("文教委員会",), **day)) == [
        ("大野空", 3)
    ]
    assert said(await find(services, speaker=("石田健:いしだけん",), session=("221",), **day)) == [("石田健", 2)]
    assert not (await find(services, person=("大野空",), group=("みらい会",), **day)).items
    both = await find(services, group=("みらい会", "緑の党"), order="oldest", **day)
    assert said(both) == [("青木春子", 1), ("大野空", 3)]


async def test_a_remade_article_leaves_no_old_speech_and_a_withdrawn_one_none(services, sitting):
    async def publish(record):
        meeting = parse_meeting(record)
        recap = await write_recap(
            meeting, writer=ExtractiveWriter(services.clock), clock=services.clock, pack_store=NoPackStore()
        )
        await publish_recap(services, meeting, recap, record_url="recap/records/x/y.json")
        return meeting

    record = sitting(14, day="2026-02-14")
    day = {"since": date(2026, 2, 14), "until": date(2026, 2, 14)}
    await publish(record)
    (before,) = (await find(services, text="五十館", **day)).items
    record["speechRecord"][2]["speech"] = "○石田健君　お答えします。六十館を整備する計画であります。"
    record["speechRecord"].pop()
    meeting = await publish(record)
    assert not (await find(services, text="五十館", **day)).items
    (after,) = (await find(services, text="六十館", **day)).items
    assert after.added_at == before.added_at
    assert len((await find(services, **day)).items) == 2
    await withdraw_meeting(services, meeting)
    assert not (await find(services, **day)).items


async def test_what_is_new_since_a_moment_is_what_was_first_published_then(desk, services, sitting):
    await desk.publish(sitting(15, day="2026-02-15"))
    hits = await speeches.list_speeches_since(services, SpeechFilter(person=("青木春子",)), BEGINNING)
    assert {hit.speaker for hit in hits} == {"青木春子"}
    latest = max(hit.added_at for hit in hits)
    assert not await speeches.list_speeches_since(services, SpeechFilter(person=("青木春子",)), latest)
    await desk.publish(sitting(16, day="2020-01-15"))
    later = await speeches.list_speeches_since(services, SpeechFilter(text="三億円"), latest)
    assert [(hit.card.date, hit.order) for hit in later] == [("2020-01-15", 1), ("2020-01-15", 2)]
    with pytest.raises(InputError):
        await speeches.list_speeches_since(services, SpeechFilter(), latest)


async def test_a_rebuild_makes_the_speeches_again(desk, services, sitting):
    (meeting,) = await desk.publish(sitting(17, day="2026-02-17"))
    day = {"since": meeting.date, "until": meeting.date}
    async with services.database.unit() as unit:
        await unit.execute("DELETE FROM recap_speeches")
    assert not (await find(services, **day)).items
    await services.rebuilds.rebuild(["recap"], restart=True)
    assert len((await find(services, **day)).items) == 3


def test_a_filter_reads_back_from_its_address():
    wanted = SpeechFilter(
        person=("青木春子",), bill=("221-1",), text="図書館", since=date(2026, 1, 1), order="relevance"
    )
    pairs = wanted.parameters()
    assert parse_speech_filter({name: [value for key, value in pairs if key == name] for name, _ in pairs}) == wanted
    for wrong in ({"order": ["best"]}, {"from": ["2026-02-02"], "until": ["2026-02-01"]}, {"from": ["tomorrow"]}):
        with pytest.raises(FieldErrors):
            parse_speech_filter(wrong)


WORDS = ("予算", "図書館", "給食費", "年金", "防災")
GROUPS = ("みらい会", "市民クラブ", "緑の党")
ARTICLES, PER_ARTICLE = 60, 40


def a_long_archive(chance):
    """Speeches of several years with words that are frequent and rare; the numbers in them tell them apart."""
    for number in range(ARTICLES):
        day = date(2010, 1, 1) + timedelta(days=number * 31)
        texts = [
            f"第{number}回の{order}番、" + "と".join(chance.choices(WORDS, (40, 8, 4, 2, 1), k=chance.randrange(1, 6)))
            for order in range(1, PER_ARTICLE + 1)
        ]
        meeting = Meeting(
            issue_id=f"long{number:03d}",
            session=150 + number // 20,
            house="参議院",
            meeting="長期委員会",
            date=day,
            speeches=tuple(
                Speech(order=order, speaker=f"議員{order % 7}", group=GROUPS[order % 3], text=text)
                for order, text in enumerate(texts, 1)
            ),
        )
        yield meeting


@pytest.fixture(scope="module")
async def archive(services):
    made, empty = [], None
    for meeting in a_long_archive(random.Random(3)):
        empty = empty or await write_recap(
            meeting, writer=ExtractiveWriter(services.clock), clock=services.clock, pack_store=NoPackStore()
        )
        recap: Recap = msgspec.structs.replace(
            empty,
            participants=(),
            dialogs=tuple(Dialog(order=speech.order, reaction="意見") for speech in meeting.speeches),
        )
        article = article_from_recap(meeting, recap, asset_url="", version=1, now=services.clock.now())
        async with services.database.unit() as unit:
            await index_article(
                unit,
                services,
                article,
                search_document(article, None, None),
                build_speech_entries(article, recap, meeting),
            )
        made += [(meeting.date, speech) for speech in meeting.speeches]
    async with services.database.unit() as unit:
        await unit.execute("ANALYZE recap_speeches")
    return made


@pytest.mark.parametrize("text", ["", "予算", "給食費", "防災 年金", "図書館 -予算"])
@pytest.mark.parametrize("group", [(), ("みらい会",)])
@pytest.mark.parametrize("order", ["newest", "oldest"])
async def test_pages_hold_everything_once_in_order(services, archive, text, group, order):
    wanted = SpeechFilter(text=text, group=group, order=order, meeting=("長期委員会",))
    expected = [
        (day, speech.order, speech.text)
        for day, speech in archive
        if all((word.lstrip("-") in speech.text) != word.startswith("-") for word in text.split())
        and (not group or speech.group in group)
    ]
    expected.sort(key=lambda row: row[:2], reverse=order == "newest")
    got, cursor = [], None
    while True:
        page = await speeches.list_speeches(services, wanted, facets=("group",), limit=97, cursor=cursor)
        got += [(date.fromisoformat(hit.card.date), hit.order, hit.text) for hit in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert got == expected
    counted = expected if page.facets_among is None else expected[:COUNTED_SPEECHES]
    if page.facets_among is None:
        assert page.total == len(expected)
    else:
        assert (page.facets_among, len(expected) > COUNTED_SPEECHES) == (COUNTED_SPEECHES, True)
        counted = sorted(expected, key=lambda row: row[:2], reverse=True)[:COUNTED_SPEECHES]
    by_group = dict.fromkeys(GROUPS, 0)
    for _, number, _ in counted:
        by_group[GROUPS[number % 3]] += 1
    assert {value.value: value.count for value in page.facets["group"]} == {
        name: count for name, count in by_group.items() if count
    }
    exported = [hit.text async for hit in speeches.iterate_speeches(services, wanted)]
    assert exported == [text for _, _, text in expected]


async def test_relevance_ranks_the_speech_about_a_word_first(services, archive):
    wanted = SpeechFilter(text="図書館", meeting=("長期委員会",), order="relevance")
    page = await speeches.list_speeches(services, wanted, limit=10)
    counts = [hit.text.count("図書館") for hit in page.items]
    assert min(counts) > 1
    assert max(speech.text.count("図書館") for _, speech in archive) == counts[0]
    listed, cursor = [], None
    while True:
        page = await speeches.list_speeches(services, replace(wanted, text="予算"), limit=90, cursor=cursor)
        listed += [(hit.card.id, hit.order) for hit in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(listed) == len(set(listed)) == RANKED_SPEECHES == page.ranked


async def test_a_cursor_of_another_search_is_refused(services, archive):
    page = await find(services, text="予算", limit=5)
    assert page.next_cursor
    with pytest.raises(InputError):
        await find(services, text="図書館", limit=5, cursor=page.next_cursor)
