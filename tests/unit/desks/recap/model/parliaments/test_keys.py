"""A record of another parliament has keys of its own; those of the Diet stay what they were."""

from datetime import date

from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.model.meeting import DIET, Meeting, Speech
from almanac.desks.recap.model.parliaments.registry import PARLIAMENTS, parliament_of
from almanac.desks.recap.sources.diet_record import encode_record, parse_meeting
from commons_sittings import coastal_homes, noted, sitting


def a_diet_meeting():
    return Meeting(
        issue_id="121705254X00120250331",
        session=217,
        house="参議院",
        meeting="本会議",
        date=date(2025, 3, 31),
        speeches=(
            Speech(order=0, speaker="会議録情報", text="議事日程"),
            Speech(order=1, speaker="関口昌一", position="議長", text="○議長　これより会議を開きます。"),
        ),
    )


def test_the_digest_and_key_of_a_diet_record_are_what_they_were_before_other_parliaments():
    meeting = a_diet_meeting()
    assert meeting.digest == "3ce4757b21d946a59deb465e4790c8da35b93cfe660bec3c925864178244650e"
    assert task_pk(meeting) == "e6f14a7e80a78d8f03d441c4fc9a21896c89007c002049c9542a364d3cc2a482"


def test_a_stored_record_without_a_parliament_is_the_diets():
    meeting = parse_meeting(encode_record(a_diet_meeting()))
    assert meeting == a_diet_meeting()
    assert parliament_of(meeting).id == DIET


def test_a_record_that_names_the_diet_is_the_same_as_one_that_names_none():
    assert parse_meeting(encode_record(a_diet_meeting()).replace(b'{"issueID"', b'{"parliament":"diet","issueID"')) == (
        a_diet_meeting()
    )


def test_a_stored_record_keeps_headings_notes_and_parliament():
    meeting = coastal_homes()
    assert parse_meeting(encode_record(meeting)) == meeting
    assert parliament_of(meeting).id == "uk"


def test_houses_of_different_parliaments_never_share_a_key():
    commons = sitting((("Business",), (noted("Question put and agreed to."),)))
    lords = sitting((("Business",), (noted("Question put and agreed to."),)), house="House of Lords")
    assert commons.canonical_house == "uk:House of Commons"
    assert task_pk(commons) != task_pk(lords)


def test_every_parliament_has_an_id_and_house_names_of_its_own():
    houses = [name for parliament in PARLIAMENTS for name in parliament.houses]
    assert len({parliament.id for parliament in PARLIAMENTS}) == len(PARLIAMENTS)
    assert len(set(houses)) == len(houses)
