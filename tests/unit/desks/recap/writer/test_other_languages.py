"""Articles about sittings of other parliaments: in the record's words and fixed phrases, each sentence with support."""

import asyncio
from datetime import UTC, datetime

import pytest

from almanac.desks.recap.model.recap import join_sentences
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.kit.clock import FixedClock
from almanac.language.scripts import is_cjk
from almanac.llm.extractive.writer import ExtractiveWriter
from commons_sittings import coastal_homes


@pytest.fixture(scope="module")
def recap():
    clock = FixedClock(datetime(2026, 6, 3, tzinfo=UTC))
    return asyncio.run(
        write_recap(coastal_homes(), writer=ExtractiveWriter(clock), clock=clock, pack_store=NoPackStore())
    )


def test_the_title_leads_with_the_vote(recap):
    assert recap.title == "Second Reading of the Coastal Homes Bill agreed to, 312 to 188; 1 more decision"


def test_decisions_come_first_and_name_their_speeches(recap):
    first = recap.key_points[0]
    assert first.text == "Second Reading of the Coastal Homes Bill was agreed to by 312 votes to 188."
    assert first.based_on_orders == (9, 11)


def test_positions_give_a_reason_and_no_concession(recap):
    texts = [point.text for point in recap.key_points if point.kind == "position"]
    assert [text.partition(". ")[::2] for text in texts] == [
        (
            "Tom Reed (Conservative) spoke against the Coastal Homes Bill",
            "The Bill puts an unfair burden of £90 million on local taxpayers.",
        ),
        (
            "Jo Lane (Liberal Democrat) spoke in favour of the Coastal Homes Bill",
            "My constituents will benefit from honest warnings before they buy a home.",
        ),
    ]


def test_every_order_is_covered_once(recap):
    assert [dialog.order for dialog in recap.dialogs] == [speech.order for speech in coastal_homes().speeches]


def test_every_sentence_names_speeches_of_the_record(recap):
    parts = [sentence for part in recap.middle_summary for sentence in part.sentences]
    written = [*recap.key_points, *recap.summary, *recap.soft_language_summary, *parts]
    orders = set(coastal_homes().by_order)
    assert written
    assert all(sentence.based_on_orders and orders.issuperset(sentence.based_on_orders) for sentence in written)


def test_questions_are_linked_to_their_answers(recap):
    pairs = [(each.question.text, [answer.text for answer in each.answers]) for each in recap.exchanges]
    assert pairs[1] == (
        "When will the sea wall be rebuilt?",
        ["Work on the sea wall will begin in March 2027."],
    )


def test_a_term_is_explained_in_the_speakers_words(recap):
    assert [(term.term, term.definition) for term in recap.terms] == [
        ("Condemned home", "a home that a council has ordered to be left within twelve months")
    ]


def test_people_keep_the_spaces_of_their_names(recap):
    assert [person.name for person in recap.participants] == [
        "Ada Marsh",
        "Priya Holt",
        "Lindsay Hoyle",
        "Tom Reed",
        "Jo Lane",
    ]


def test_no_japanese_is_written(recap):
    sections = [section for dialog in recap.dialogs for section in dialog.summary_sections]
    texts = [recap.title, recap.description, join_sentences(recap.summary)]
    texts += [part.title for part in recap.middle_summary]
    texts += [text for section in sections for text in (section.title, *section.bullets)]
    assert not any(is_cjk(character) for text in texts for character in text)


def test_sentences_are_joined_with_spaces(recap):
    assert "188. Programme motion" in recap.description
    assert ". " in join_sentences(recap.summary)
