"""Collecting from the National Diet's interface: whole, politely, and however it chooses to answer."""

from datetime import UTC, date, datetime

import msgspec
import pytest
from aiohttp import web

from almanac.desks.recap.sources.national_diet import NationalDiet, RequestPacer
from almanac.desks.recap.sources.port import CollectedRecord, DaySpan, SkippedRecord, SourceRefused
from almanac.errors import Retryable
from almanac.fetch.guard import FetchGuard
from almanac.fetch.http import FetchLimits, HttpFetcher
from almanac.kit.clock import FixedClock


def a_sitting(number, day, **changes):
    speech = {"speechOrder": 0, "speaker": "会議録情報", "speech": "議事日程"}
    return {
        "issueID": f"I{number}",
        "session": 221,
        "nameOfHouse": "衆議院",
        "nameOfMeeting": "本会議",
        "date": day,
        "imageKind": "会議録",
        "speechRecord": [speech],
        **changes,
    }


@pytest.fixture
def clock():
    return FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


@pytest.fixture
def source(diet, clock):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)
        clock.advance(seconds=seconds)

    fetcher = HttpFetcher(FetchGuard.from_settings("127.0.0.1", "80"), FetchLimits(seconds=5))
    made = NationalDiet(fetcher, diet.url, RequestPacer(clock, 5, sleep=sleep))
    return made, slept


async def everything(source, first, last):
    made, _ = source
    spans = made.spans(date.fromisoformat(first), date.fromisoformat(last))
    return [item for span in spans for item in [collected async for collected in made.collect(span)]]


async def test_days_are_asked_for_a_week_at_a_time_with_the_documented_parameters(source, diet):
    assert await everything(source, "2026-01-01", "2026-01-17") == []
    assert [(item["from"], item["until"]) for item in diet.asked] == [
        ("2026-01-01", "2026-01-07"),
        ("2026-01-08", "2026-01-14"),
        ("2026-01-15", "2026-01-17"),
    ]
    assert {item["recordPacking"] for item in diet.asked} == {"json"}
    assert {item["maximumRecords"] for item in diet.asked} == {"10"}


async def test_requests_are_five_seconds_apart(source, diet):
    await everything(source, "2026-01-01", "2026-01-28")
    assert len(diet.asked) == 4
    assert source[1] == [5, 5, 5]


async def test_a_week_that_is_cut_short_is_halved_until_it_is_whole(source, diet):
    diet.sittings = [a_sitting(number, f"2026-01-0{1 + number % 7}") for number in range(14)]
    collected = await everything(source, "2026-01-01", "2026-01-07")
    assert sorted(item.meeting.issue_id for item in collected) == sorted(f"I{number}" for number in range(14))
    assert {item["startRecord"] for item in diet.asked} == {"1"}
    assert [(item["from"], item["until"]) for item in diet.asked] == [
        ("2026-01-01", "2026-01-07"),
        ("2026-01-01", "2026-01-03"),
        ("2026-01-04", "2026-01-07"),
    ]


async def test_a_day_that_is_cut_short_is_paged_and_no_record_comes_twice(source, diet):
    diet.sittings = [a_sitting(number, "2026-01-05") for number in range(23)]
    collected = await everything(source, "2026-01-05", "2026-01-05")
    assert [item.meeting.issue_id for item in collected] == [f"I{number}" for number in range(23)]
    assert [item["startRecord"] for item in diet.asked] == ["1", "11", "21"]


async def test_a_single_record_and_a_single_speech_come_without_lists(source, diet):
    diet.sittings = [a_sitting(1, "2026-01-05", speechRecord={"speechOrder": 3, "speaker": "青木", "speech": "はい。"})]
    (collected,) = await everything(source, "2026-01-05", "2026-01-05")
    assert isinstance(collected, CollectedRecord)
    assert [(item.order, item.speaker, item.text) for item in collected.meeting.speeches] == [(3, "青木", "はい。")]


async def test_nulls_are_nothing_and_undefined_is_no_kind_of_image(source, diet):
    empty = {"speechOrder": 1, "speaker": None, "speech": None, "speakerYomi": None}
    diet.sittings = [
        a_sitting(1, "2026-01-05", imageKind="undefined", nameOfMeeting=None, closing=None, speechRecord=[empty]),
        a_sitting(2, "2026-01-06", imageKind=None, speechRecord=None),
    ]
    first, second = await everything(source, "2026-01-05", "2026-01-06")
    assert (first.meeting.image_kind, first.meeting.meeting, first.meeting.speeches[0].text) == (None, "", "")
    assert (second.meeting.image_kind, second.meeting.speeches) == (None, ())


async def test_what_nobody_could_store_or_should_follow_is_left_out(source, diet):
    spoken = {"speechOrder": 1, "speaker": "青木\0", "speech": "は\0い。", "speechURL": "javascript:alert(1)"}
    diet.sittings = [
        a_sitting(
            1, "2026-01-05", speechRecord=[spoken], pdfURL="data:text/html,x", meetingURL="https://kokkai.example/1"
        )
    ]
    (collected,) = await everything(source, "2026-01-05", "2026-01-05")
    (speech_text,) = collected.meeting.speeches
    assert (speech_text.speaker, speech_text.text, speech_text.url, collected.meeting.pdf_url) == (
        "青木",
        "はい。",
        None,
        None,
    )
    assert collected.meeting.url == "https://kokkai.example/1"


async def test_speech_order_zero_is_the_header(source, diet):
    diet.sittings = [a_sitting(1, "2026-01-05")]
    (collected,) = await everything(source, "2026-01-05", "2026-01-05")
    assert collected.meeting.header.order == 0
    assert collected.meeting.spoken == ()


async def test_a_record_that_names_nothing_is_skipped_with_a_reason_and_the_others_are_collected(source, diet):
    diet.sittings = [a_sitting(1, "2026-01-05", issueID=None), a_sitting(2, "2026-01-05")]
    skipped, collected = await everything(source, "2026-01-05", "2026-01-05")
    assert isinstance(skipped, SkippedRecord)
    assert "issueID" in skipped.reason
    assert collected.meeting.issue_id == "I2"


@pytest.mark.parametrize("status", [200, 400])
async def test_a_refusal_is_told_in_the_words_of_the_interface(source, diet, status):
    diet.refuses(status)
    with pytest.raises(SourceRefused, match="fromの値が不正です"):
        await everything(source, "2026-01-05", "2026-01-05")


@pytest.mark.parametrize("trouble", ["out of order", "no JSON"])
async def test_an_interface_out_of_order_is_worth_another_try_and_then_answers(source, diet, trouble):
    diet.sittings = [a_sitting(1, "2026-01-05")]
    diet.fails(500) if trouble == "out of order" else diet.babbles()
    with pytest.raises(Retryable):
        await everything(source, "2026-01-05", "2026-01-05")
    assert len(await everything(source, "2026-01-05", "2026-01-05")) == 1


async def test_the_record_is_kept_as_it_was_given(source, diet):
    diet.sittings = [a_sitting(1, "2026-01-05", searchObject=7)]
    (collected,) = await everything(source, "2026-01-05", "2026-01-05")
    assert msgspec.json.decode(collected.raw) == diet.sittings[0]


def test_a_span_is_halved_without_losing_a_day():
    week = DaySpan(date(2026, 1, 1), date(2026, 1, 7))
    first, second = week.halves()
    assert (first.days, second.days) == (3, 4)
    assert (first.first, first.last, second.first, second.last) == (
        date(2026, 1, 1),
        date(2026, 1, 3),
        date(2026, 1, 4),
        date(2026, 1, 7),
    )


def answer(**fields):
    return lambda _request: web.json_response(fields)


@pytest.mark.parametrize(
    "troubles",
    [
        [web.Response(text='{"meetingRecord": [{"issueID": "I1"', content_type="application/json")],
        [web.Response(status=503, text="<html>maintenance</html>", content_type="text/html")],
        [web.Response(status=200, body=b"")],
        [web.Response(status=200, text="null")],
    ],
    ids=["cut in the middle", "an HTML page with status 503", "nothing", "null"],
)
async def test_an_answer_that_is_no_answer_is_worth_another_try(source, diet, troubles):
    diet.troubles.extend(lambda _request, given=given: given for given in troubles)
    with pytest.raises(Retryable):
        await everything(source, "2026-01-05", "2026-01-05")


async def test_a_next_position_that_gives_nothing_or_never_moves_ends_in_a_sentence(source, diet):
    record = a_sitting(1, "2026-01-05")
    diet.troubles.extend([answer(meetingRecord=[record], nextRecordPosition=2), answer(nextRecordPosition=None)])
    with pytest.raises(Retryable, match="gave nothing from record 2 on"):
        await everything(source, "2026-01-05", "2026-01-05")
    diet.troubles.extend([answer(meetingRecord=[record], nextRecordPosition=2)] * 2)
    with pytest.raises(Retryable, match="gave nothing from record 2 on"):
        await everything(source, "2026-01-05", "2026-01-05")


async def test_wrong_counts_lose_no_record(source, diet):
    records = [a_sitting(number, "2026-01-05") for number in range(3)]
    diet.troubles.append(answer(numberOfRecords=99, numberOfReturn=1, meetingRecord=records, nextRecordPosition=None))
    assert len(await everything(source, "2026-01-05", "2026-01-05")) == 3
    diet.troubles.append(answer(numberOfRecords="0", numberOfReturn=None, meetingRecord=records[0]))
    assert len(await everything(source, "2026-01-05", "2026-01-05")) == 1
