"""Plenarprotokolle of the Bundestag as sittings: speeches, headings, decisions and the article about them."""

import asyncio
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import hansard_files
from almanac.desks.recap.model.parliaments.record_reader import list_speakers, read_record, trace_course
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.sources.diet_record import UnreadableRecord, encode_record, parse_meeting
from almanac.desks.recap.sources.formats import read_xml
from almanac.desks.recap.sources.plenarprotokoll import parse_plenarprotokoll
from almanac.desks.recap.writer.multilingual.analysis import analyze_sitting
from almanac.desks.recap.writer.multilingual.headlines import compose_headline
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.kit.clock import FixedClock
from almanac.llm.extractive.writer import ExtractiveWriter

DAY = Path(hansard_files.__file__).with_name("bundestag_day.xml").read_bytes()
BILL, MOTION = "Gesetz zur Sicherung der Deiche", "Marschen schützen"


@pytest.fixture(scope="module")
def meeting():
    return parse_plenarprotokoll(DAY)


@pytest.fixture(scope="module")
def facts(meeting):
    return read_record(meeting)


def by_speaker(meeting, name):
    return [speech for speech in meeting.spoken if speech.speaker == name]


def decided(*paragraphs):
    """The decisions that the chair announces in a debate on two motions and a bill."""
    agenda = "".join(
        f'<p klasse="T_NaS">{text}</p><p klasse="T_fett">{title}</p><p klasse="T_Drs">Drucksache {paper}</p>'
        for text, title, paper in (
            ("a) Beratung des Antrags der Fraktion Die Küste", "Häfen ausbauen", "21/11"),
            ("b) Beratung des Antrags der Fraktion Die Mitte", "Fähren fördern", "21/12"),
            ("c) Zweite und dritte Beratung des Entwurfs eines Gesetzes über Leuchttürme", "", "21/13"),
        )
    )
    spoken = "".join(f'<p klasse="J">{paragraph}</p>' for paragraph in paragraphs)
    sitting = parse_plenarprotokoll(
        '<dbtplenarprotokoll wahlperiode="21" sitzung-nr="8" sitzung-datum="05.06.2026"><sitzungsverlauf>'
        f'<tagesordnungspunkt top-id="Tagesordnungspunkt 9">{agenda}<name>Präsidentin Erika Sand:</name>{spoken}'
        "</tagesordnungspunkt></sitzungsverlauf></dbtplenarprotokoll>".encode()
    )
    return [
        (each.subject, each.outcome, (each.vote.in_favour, each.vote.against) if each.vote else None)
        for each in read_record(sitting).decisions
    ]


def test_a_protocol_is_one_sitting(meeting):
    assert (meeting.issue_id, meeting.session, meeting.house) == ("bundestag-21-7", 21, "Bundestag")
    assert (meeting.date, meeting.parliament_id) == (date(2026, 6, 4), "bundestag")
    assert meeting.url == "https://dserver.bundestag.de/btp/21/21007.xml"


def test_it_is_told_by_its_root_element():
    (record,) = read_xml(DAY)
    assert record.meeting.parliament_id == "bundestag"


def test_it_is_stored_and_read_again_whole(meeting):
    assert parse_meeting(encode_record(meeting)) == meeting


def test_speakers_have_their_group_or_office_and_the_records_id(meeting):
    minister, member = by_speaker(meeting, "Dr. Marie Tief")[0], by_speaker(meeting, "Ole Brand")[0]
    assert (minister.position, minister.group) == ("Bundesministerin für Umwelt", None)
    assert (member.group, member.person) == ("Die Küste", "990002")
    assert "Ole Brand:990002" in {person.key for person in list_speakers(meeting)}


def test_the_chair_interrupts_a_speech_and_the_speaker_goes_on(meeting):
    orders = [speech.order for speech in by_speaker(meeting, "Ole Brand")]
    (interruption,) = [speech for speech in meeting.spoken if "zum Schluss" in speech.text]
    assert orders == [interruption.order - 1, interruption.order + 1]
    assert interruption.position == "Präsidentin"


def test_remarks_stay_and_notes_at_the_foot_of_a_page_go(meeting):
    text = "\n".join(speech.text for speech in meeting.spoken)
    assert "(Beifall bei der Fraktion Die Mitte)" in text
    assert "Ergebnis Seite" not in text


def test_lists_of_names_are_one_division(meeting):
    assert [speech.text for speech in meeting.speeches if speech.kind == "division"] == [
        "Ja: Die Mitte: Ida Kern\nNein: Die Küste: Ole Brand"
    ]


def test_each_decision_is_bound_to_what_the_chair_named(facts):
    decisions = [(each.subject, each.outcome, each.vote and each.vote.in_favour) for each in facts.decisions]
    assert decisions == [
        (f"Änderungsantrag der Fraktion Die Küste: {BILL}", "rejected", None),
        (f"{BILL} (zweite Beratung)", "agreed", None),
        (f"Empfehlung, „{MOTION}“ abzulehnen", "agreed", None),
        (BILL, "passed", 340),
        ("Fährengesetz", "referred", None),
    ]
    assert facts.decisions[3].vote.against == 255


def test_speeches_belong_to_all_that_is_debated_together(facts, meeting):
    orders = {speech.order for speech in by_speaker(meeting, "Ida Kern")}
    items = {item.title: set(item.orders) for item in facts.agenda}
    assert all(orders <= items[title] for title in (BILL, MOTION, "Deichbau sofort beginnen"))
    assert not orders & items["Fährengesetz"]


def test_times_are_those_of_the_record(facts):
    assert (facts.opened, facts.closed) == ("Beginn: 9:00 Uhr", "Schluss: 15:42 Uhr")


def test_sides_are_taken_by_what_members_say(meeting):
    reactions = trace_course(meeting).reactions
    assert reactions[by_speaker(meeting, "Ole Brand")[0].order] == "反対"
    assert reactions[by_speaker(meeting, "Ida Kern")[0].order] == "賛成"


def test_what_was_not_named_among_several_has_no_subject():
    assert decided("Wir stimmen ab. Wer stimmt dafür? – Damit ist der Antrag abgelehnt.") == [("", "rejected", None)]


def test_a_paper_that_is_not_on_the_agenda_is_not_taken_for_the_last_one():
    first = "Abstimmung über den Antrag auf Drucksache 21/11. Wer stimmt dafür? – Der Antrag ist angenommen."
    second = (
        "Der Ausschuss empfiehlt, den Antrag auf Drucksache 21/99 abzulehnen. – Die Beschlussempfehlung ist angenommen."
    )
    assert decided(first, second) == [("Häfen ausbauen", "agreed", None), ("", "agreed", None)]


def test_an_adopted_recommendation_is_not_an_adopted_motion():
    put = "Ich komme zur Abstimmung über den Antrag der Fraktion Die Mitte „Fähren fördern“ auf Drucksache 21/12."
    assert decided(put, "Damit ist die Beschlussempfehlung angenommen.") == [
        ("Beschlussempfehlung zu „Fähren fördern“", "agreed", None)
    ]


@pytest.mark.parametrize(
    "count",
    [
        "Mit Ja haben gestimmt 137, mit Nein haben gestimmt 467. Es gab keine Enthaltungen.",
        "Mit Ja haben gestimmt 137 Abgeordnete, mit Nein 467.",
        "Auf Ja entfielen 137 Stimmen, auf Nein 467 Stimmen.",
        "Mit Ja haben gestimmt 137. Mit Nein haben gestimmt 467. 0 Enthaltungen.",
    ],
)
def test_counts_in_any_wording(count):
    opened = "Ich gebe das Ergebnis der namentlichen Abstimmung über den Gesetzentwurf auf Drucksache 21/13 bekannt:"
    assert decided(opened, f"Abgegebene Stimmen 604. {count} Der Gesetzentwurf ist damit abgelehnt.") == [
        ("Gesetz über Leuchttürme", "rejected", (137, 467))
    ]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Sammelübersicht 24 auf Drucksache 21/53. Wer stimmt dafür? – Sammelübersicht 24 ist angenommen.", "agreed"),
        (
            "Abstimmung über den Antrag auf Drucksache 21/11. – Damit ist der Antrag leider nicht angenommen.",
            "rejected",
        ),
    ],
)
def test_results_in_other_words(text, outcome):
    ((subject, result, _),) = decided(text)
    assert subject
    assert result == outcome


@pytest.mark.parametrize(
    "text",
    [
        "Für die Aussprache wurde eine Dauer von 60 Minuten beschlossen.",
        "Nachdem die Zwischenfrage abgelehnt worden ist, hat der Kollege das Wort.",
        "Ich lasse abstimmen über den Überweisungsvorschlag der Küste. – Der Überweisungsvorschlag ist abgelehnt.",
        "Abstimmung über den Absetzungsantrag der Fraktion Die Küste. – Damit ist der Antrag abgelehnt worden.",
    ],
)
def test_the_conduct_of_the_sitting_is_no_decision(text):
    assert decided(text) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"sitzungsverlauf>", b"verlauf>", "sitzungsverlauf"),
        (b'sitzung-datum="04.06.2026"', b'sitzung-datum="2026"', "sitzung-datum"),
        (b'wahlperiode="21"', b'wahlperiode="x"', "wahlperiode"),
    ],
)
def test_a_file_that_lacks_what_names_it_is_refused(old, new, words):
    with pytest.raises(UnreadableRecord, match=words):
        parse_plenarprotokoll(DAY.replace(old, new))


def test_the_article_is_german_and_leads_with_the_final_vote(meeting):
    clock = FixedClock(datetime(2026, 6, 5, tzinfo=UTC))
    recap = asyncio.run(write_recap(meeting, writer=ExtractiveWriter(clock), clock=clock, pack_store=NoPackStore()))
    assert recap.title == f"{BILL}: angenommen, 340 zu 255; 4 weitere Beschlüsse"
    assert recap.key_points[0].text == f"{BILL}: angenommen mit 340 zu 255 Stimmen."
    position = next(point.text for point in recap.key_points if point.text.startswith("Ole Brand"))
    assert position.startswith(f"Ole Brand (Die Küste) sprach gegen das Vorhaben „{BILL}“.")
    assert "2 Milliarden Euro" in position
    vote = next(
        dialog for dialog in recap.dialogs if "zweiter Beratung angenommen" in meeting.by_order[dialog.order].text
    )
    bullets = [bullet for section in vote.summary_sections for bullet in section.bullets]
    assert bullets
    assert not any(bullet.lstrip("– ").startswith("Wer ") for bullet in bullets)
    assert [dialog.order for dialog in recap.dialogs] == [speech.order for speech in meeting.speeches]
    assert "zustimmen wollen" not in {word.keyword for word in recap.keywords}


def test_the_end_of_a_bill_leads_before_its_second_reading():
    second = (
        "Abstimmung über den Entwurf auf Drucksache 21/410. – Der Gesetzentwurf ist in zweiter Beratung angenommen."
    )
    third = "Dritte Beratung und Schlussabstimmung. – Der Gesetzentwurf ist angenommen."
    sitting = parse_plenarprotokoll(
        '<dbtplenarprotokoll wahlperiode="21" sitzung-nr="9" sitzung-datum="05.06.2026"><sitzungsverlauf>'
        '<tagesordnungspunkt top-id="Tagesordnungspunkt 1"><p klasse="T_NaS">Zweite und dritte Beratung des Entwurfs'
        ' eines Gesetzes zur Sicherung der Deiche</p><p klasse="T_Drs">Drucksache 21/410</p><name>Präsidentin A:</name>'
        f'<p klasse="J">{second}</p><p klasse="J">{third}</p></tagesordnungspunkt></sitzungsverlauf>'
        "</dbtplenarprotokoll>".encode()
    )
    assert compose_headline(analyze_sitting(sitting)) == f"{BILL}: angenommen; 1 weiterer Beschluss"
