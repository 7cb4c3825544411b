"""Hansard as sittings: the XML of ParlParse and the JSON of the official interface, told alike."""

import json

import pytest

from almanac.desks.recap.model.parliaments.record_reader import list_speakers, read_record, trace_course
from almanac.desks.recap.sources.diet_record import UnreadableRecord, encode_record, parse_meeting
from almanac.desks.recap.sources.hansard_debates import parse_debates
from almanac.desks.recap.sources.hansard_xml import parse_publicwhip
from hansard_files import DEBATES, PUBLICWHIP, SECOND_READING


def from_xml(text=PUBLICWHIP):
    return parse_publicwhip(text.encode("iso-8859-1"))


@pytest.fixture(params=["xml", "json"])
def meeting(request):
    return from_xml() if request.param == "xml" else parse_debates(json.loads(json.dumps(DEBATES)))


def test_a_day_of_a_chamber_is_one_sitting(meeting):
    assert (meeting.issue_id, meeting.house, meeting.meeting) == (
        "uk-commons-2026-06-02",
        "House of Commons",
        "Chamber",
    )
    assert (meeting.session, meeting.parliament_id) == (2024, "uk")


def test_the_header_lists_the_headings(meeting):
    assert "Oral Answers to Questions – Environment – Flood Defences" in meeting.header.text
    assert "Coastal Homes Bill [Lords]" in meeting.header.text


def test_entities_of_characters_are_read(meeting):
    assert any("£240 million" in speech.text for speech in meeting.spoken)


def test_oral_answers_end_where_no_numbered_question_follows(meeting):
    paths = [speech.heading_path for speech in meeting.spoken]
    assert paths[-1][0] == "Coastal Homes Bill [Lords]"


def test_questions_and_answers_are_paired(meeting):
    course = trace_course(meeting)
    asked = [order for order, reaction in course.reactions.items() if reaction == "質問"]
    assert [len(course.answers_of(order)) for order in asked] == [1, 1]


def test_a_note_behind_a_speech_is_not_its_speakers(meeting):
    (against,) = (speech for speech in meeting.spoken if speech.speaker == "Tom Reed")
    assert against.text == "We cannot support this Bill because it leaves councils to pay for the demolition of homes."
    assert any(speech.kind == "note" and speech.text.startswith("Question put,") for speech in meeting.spoken)


def test_the_division_is_bound_to_the_second_reading(meeting):
    (decision,) = read_record(meeting).decisions
    assert (decision.subject, decision.outcome) == ("Second Reading of the Coastal Homes Bill", "agreed")
    assert (decision.vote.in_favour, decision.vote.against) == (312, 188)


def test_a_record_is_kept_and_read_back(meeting):
    assert parse_meeting(encode_record(meeting)) == meeting


def test_people_are_known_by_the_sources_id():
    keys = {person.name: person.key for person in list_speakers(from_xml())}
    assert keys["Ada Marsh"] == "Ada Marsh:90001"


def test_the_interface_gives_party_and_office():
    people = {person.name: person for person in list_speakers(parse_debates(DEBATES))}
    assert people["Ada Marsh"].group == "Green"
    assert people["Tom Reed"].group == "Conservative"
    assert people["Priya Holt"].position == "The Secretary of State for the Environment"


def test_a_paragraph_without_attribution_goes_on_with_the_speech():
    speech = next(each for each in parse_debates(DEBATES).spoken if each.text.startswith("I beg to move"))
    assert speech.text.endswith("eroding cliff.")


def test_an_item_links_to_its_place_on_the_website():
    speech = next(each for each in parse_debates([SECOND_READING]).spoken if each.speaker == "Tom Reed")
    assert speech.url == (
        "https://hansard.parliament.uk/Commons/2026-06-02/debates/DDDD/CoastalHomesBillLords#contribution-ITEM-5"
    )


def test_those_who_voted_are_named_with_the_division():
    (division,) = (speech for speech in from_xml().spoken if speech.kind == "division")
    assert division.text == "Division No. 41: Ayes 312, Noes 188.\nAye: Priya Holt\nNo: Tom Reed"


def test_a_file_that_a_later_one_replaces_gives_nothing():
    assert from_xml(PUBLICWHIP.replace('latest="yes"', 'latest="no"')) is None


@pytest.mark.parametrize(
    "text",
    [
        "<publicwhip></publicwhip>",
        "<debates/>",
        '<!DOCTYPE publicwhip [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><publicwhip/>',
        "<publicwhip>",
    ],
)
def test_what_is_no_hansard_says_why(text):
    with pytest.raises(UnreadableRecord, match=r"\w"):
        from_xml(text)


def test_a_debate_without_a_day_says_so():
    with pytest.raises(UnreadableRecord, match="which house"):
        parse_debates([{"Overview": {"Title": "Fisheries"}, "Items": []}])
