"""A record has one speech for every order, whatever its source made of it."""

from datetime import date

import msgspec
import pytest

from almanac.desks.recap.model.meeting import Meeting, Speech, with_unique_orders


def speech(order, text="", speaker="九重由香"):
    return Speech(order=order, speaker=speaker, text=text)


def test_speeches_stand_by_order():
    assert [each.order for each in with_unique_orders([speech(7), speech(0), speech(3)])] == [0, 3, 7]


def test_a_speech_that_came_twice_is_there_once():
    assert with_unique_orders([speech(1, "一"), speech(1, "一")]) == (speech(1, "一"),)


def test_another_speech_under_a_taken_order_is_not_lost():
    kept = with_unique_orders([speech(1, "一"), speech(1, "二"), speech(5, "五")])
    assert [(each.order, each.text) for each in kept] == [(1, "一"), (5, "五"), (6, "二")]


@pytest.mark.parametrize(
    ("house", "canonical"), [("衆議院", "shugi"), ("参議院", "sangi"), ("両院", "joint"), ("", "joint")]
)
def test_houses_have_a_canonical_name(house, canonical):
    assert Meeting(issue_id="x", session=1, house=house, meeting="", date=date(2026, 1, 1)).canonical_house == canonical


def test_only_what_nobody_spoke_is_the_header():
    header, member = Speech(order=0, speaker="会議録情報"), speech(0, "発言")
    assert (header.is_header, member.is_header, Speech(order=0).is_header) == (True, False, True)


def test_the_digest_changes_with_any_word_of_the_record(sample_of):
    meeting = sample_of("sangiin-honkaigi")
    changed = msgspec.structs.replace(meeting, speeches=(*meeting.speeches[:-1], speech(14, "別の言葉。")))
    assert meeting.digest == msgspec.structs.replace(meeting).digest
    assert meeting.digest != changed.digest
