"""The minutes as they are read: filters, search within, pages of a long sitting, and the record's own lines."""

from datetime import date

from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.minutes import (
    SPEECHES_PER_PART,
    MinutesFilter,
    find_part,
    read_minutes,
    split_minutes_lines,
)
from almanac.desks.recap.model.recap import Dialog

SPEECHES = (
    Speech(order=0, speaker="会議録情報", text="議事日程"),
    Speech(order=1, speaker="森田一郎", group="無所属", text="○議長（森田一郎君）　これより会議を開きます。"),
    Speech(order=2, speaker="川島花子", group="みどりの会", text="ＡＩの予算は六千三十四億円ですか。"),
    Speech(order=3, speaker="大野健", group=None, position="大臣", text="そのとおりです。AIに使います。"),
)
DIALOGS = (Dialog(order=2, reaction="質問"), Dialog(order=3, reaction="答弁"), Dialog(order=1, reaction="議事進行"))


def a_meeting(speeches=SPEECHES) -> Meeting:
    return Meeting(
        issue_id="1", session=217, house="参議院", meeting="本会議", date=date(2025, 4, 1), speeches=tuple(speeches)
    )


def orders(**wanted) -> list[int]:
    return [entry.order for entry in read_minutes(a_meeting(), DIALOGS, MinutesFilter(**wanted)).speeches]


def test_without_a_filter_every_speech_is_there():
    assert orders() == [0, 1, 2, 3]


def test_filters_hold_together():
    assert orders(speaker="川島花子") == [2]
    assert orders(group="みどりの会") == [2]
    assert orders(reaction="答弁") == [3]
    assert orders(reaction="答弁", speaker="川島花子") == []


def test_a_search_finds_words_whatever_their_case_and_width():
    assert orders(text="ai") == [2, 3]
    assert orders(text="ＡＩ　予算") == [2]


def test_what_was_found_is_marked_and_shown_in_full():
    (shown,) = read_minutes(a_meeting(), DIALOGS, MinutesFilter(text="ai", group="みどりの会")).speeches
    assert [span.text for span in shown.lines[0].spans if span.marked] == ["ＡＩ"]
    assert shown.is_open


def test_counts_are_over_the_whole_sitting_and_leave_the_header_out():
    minutes = read_minutes(a_meeting(), DIALOGS, MinutesFilter(speaker="川島花子"))
    assert dict(minutes.reactions) == {"質問": 1, "答弁": 1, "議事進行": 1}
    assert "会議録情報" not in dict(minutes.speakers)
    assert "" not in dict(minutes.groups)


def test_a_speech_that_nothing_was_written_about_is_still_there():
    minutes = read_minutes(a_meeting(), (), MinutesFilter())
    assert [entry.dialog.order for entry in minutes.speeches] == [0, 1, 2, 3]


def test_a_long_sitting_comes_in_parts_and_each_speech_knows_its_own():
    meeting = a_meeting(Speech(order=n, speaker="川島花子", text="はい。") for n in range(SPEECHES_PER_PART + 10))
    second = read_minutes(meeting, (), MinutesFilter(part=2))
    assert (second.parts, len(second.speeches)) == (2, 10)
    assert find_part(meeting, SPEECHES_PER_PART + 3) == 2
    assert find_part(meeting, 99_999) is None
    assert read_minutes(meeting, (), MinutesFilter(part=99)).part == 2


def test_lines_of_the_record_keep_their_kind():
    lines = split_minutes_lines(
        "○議長（森田一郎君）　これより会議を開きます。\r\n　　　─────────\r\n　〔拍手〕\r\n\r\n　以上です。"
    )
    assert [line.kind for line in lines] == ["text", "rule", "note", "text"]
    assert lines[0].label == "○議長（森田一郎君）"
    assert "".join(span.text for span in lines[0].spans) == "これより会議を開きます。"


def test_an_empty_speech_has_no_lines():
    assert split_minutes_lines("") == ()
    assert split_minutes_lines("\r\n　\r\n") == ()
