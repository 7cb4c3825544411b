"""A record is not lost for a number that is missing or written otherwise, nor for a speech that is none."""

from datetime import date

import pytest

from almanac.desks.recap.sources.diet_record import UnreadableRecord, encode_record, parse_meeting


def record(**changes):
    speech = {"speechOrder": 1, "speaker": "榛名一成", "speech": "○榛名一成君　質問します。", "startPage": 3}
    return {
        "issueID": "122100001X00120260210",
        "session": 221,
        "nameOfHouse": "衆議院",
        "nameOfMeeting": "本会議",
        "date": "2026-02-10",
        "speechRecord": [speech],
        **changes,
    }


def with_speech(**changes):
    (speech,) = record()["speechRecord"]
    return record(speechRecord=[{**speech, **changes}])


@pytest.mark.parametrize(
    ("session", "read"), [("221", 221), ("２２１", 221), (221.0, 221), ("", 0), (None, 0), ("常会", 0)]
)
def test_a_session_is_a_number_however_it_is_written(session, read):
    assert parse_meeting(record(session=session)).session == read


@pytest.mark.parametrize(
    "day", ["2026-02-10", "2026-02-10T00:00:00+09:00", "2026/2/10", "20260210", "２０２６-０２-１０", "2026年2月10日"]
)
def test_a_day_is_read_whichever_signs_it_is_written_with(day):
    assert parse_meeting(record(date=day)).date == date(2026, 2, 10)


@pytest.mark.parametrize("day", [None, "", "soon", "2026-13-01", "2026-02-30"])
def test_a_record_without_a_day_is_refused(day):
    with pytest.raises(UnreadableRecord, match="no day"):
        parse_meeting(record(date=day))


@pytest.mark.parametrize("given", ["", None, "一", float("inf"), 10**30])
def test_a_page_or_an_order_that_is_no_number_costs_no_speech(given):
    (speech,) = parse_meeting(with_speech(startPage=given, speechOrder=given)).speeches
    assert (speech.order, speech.start_page, speech.speaker) == (0, None, "榛名一成")


@pytest.mark.parametrize("given", ["3", "３", 3.0])
def test_an_order_may_be_a_text(given):
    (speech,) = parse_meeting(with_speech(speechOrder=given)).speeches
    assert speech.order == 3


def test_a_null_among_the_speeches_is_none_of_them():
    (speech,) = record()["speechRecord"]
    assert len(parse_meeting(record(speechRecord=[None, speech, None])).speeches) == 1


def test_numbers_may_stand_where_texts_are_expected():
    meeting = parse_meeting(record(issueID=1221, issue=10))
    assert (meeting.issue_id, meeting.issue) == ("1221", "10")


def test_what_is_kept_of_an_odd_record_reads_the_same():
    meeting = parse_meeting(record(session="２２１", date="2026/2/10", speechRecord=[None]))
    assert parse_meeting(encode_record(meeting)) == meeting


@pytest.mark.parametrize(
    ("changes", "title"),
    [
        ({"nameOfHouse": None, "nameOfMeeting": None, "issue": "第3号"}, "第3号"),
        ({"nameOfHouse": None, "nameOfMeeting": None}, "122100001X00120260210"),
        ({"issue": "第3号"}, "衆議院本会議第3号"),
    ],
)
def test_every_sitting_has_a_title(recap_of, changes, title):
    assert recap_of(parse_meeting(record(**changes))).title == title


def test_a_title_has_no_empty_brackets(recap_of):
    (speech,) = record()["speechRecord"]
    header = {"speechOrder": 0, "speaker": "会議録情報", "speech": "○本日の会議に付した案件\n　図書館整備法案\n"}
    meeting = parse_meeting(record(nameOfHouse=None, nameOfMeeting=None, speechRecord=[header, speech]))
    assert recap_of(meeting).title == "図書館整備法案を審議"
