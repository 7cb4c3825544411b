"""A reference moves to the passage of the same document that carries the sentence, and only there."""

import pytest

from almanac.citations.model import PassageLocation
from almanac.desks.newsletter.model.checks import VerdictCache
from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.draft import ReferenceMove
from almanac.desks.newsletter.model.reference_moves import move_references

SAID = "The ministry opened 14 boreholes in Wajir."


def chunk(name, content, item="report", **more):
    place = PassageLocation(
        desk="knowledge", item=item, part=name, version="1", path=f"/knowledge/{item}", start=0, end=len(content)
    )
    return RetrievedChunk(
        id=name, topic="News", source="Observer", score=1, content=content, place=more.pop("place", place), **more
    )


CHUNKS = [
    chunk("a", "Rainfall reached 43 percent of the average in Marsabit."),
    chunk("b", "The ministry opened 14 boreholes in Wajir. Herders travelled 40 kilometres."),
    chunk("c", "The ministry opened 14 boreholes in Wajir, another newspaper wrote.", item="elsewhere"),
]


def moved(text, chunks=CHUNKS):
    cache = VerdictCache({}, {each.id: each.content for each in chunks}, "1")
    return move_references(text, chunks, cache)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{SAID} [@a]", f"{SAID} [@b]"),
        (f"{SAID}[@a] It rained. [@own]", f"{SAID}[@b] It rained. [@own]"),
        ("The ministry opened 14 boreholes in Wajir [@a].", "The ministry opened 14 boreholes in Wajir [@b]."),
    ],
)
def test_a_reference_moves_within_its_document(text, expected):
    assert moved(text) == (expected, (ReferenceMove(sentence=moved(text)[1][0].sentence, old="a", new="b"),))


def test_a_reference_that_carries_its_sentence_stays():
    text = f"Rainfall reached 43 percent of the average in Marsabit. [@a] {SAID} [@b]"
    assert moved(text) == (text, ())


def test_a_reference_never_moves_to_another_document():
    chunks = [CHUNKS[0], CHUNKS[2]]
    assert moved(f"{SAID} [@a]", chunks) == (f"{SAID} [@a]", ())


def test_a_reference_never_moves_to_an_excluded_passage():
    chunks = [CHUNKS[0], chunk("b", CHUNKS[1].content, included=False)]
    assert moved(f"{SAID} [@a]", chunks)[1] == ()


def test_an_invented_sentence_stays_where_it_is():
    text = "The ministry closed 15 boreholes in Garissa. [@a]"
    assert moved(text) == (text, ())


def test_references_to_other_documents_stay():
    text, moves = moved(f"{SAID} [@a][@unknown]")
    assert (text, moves) == (f"{SAID} [@a][@unknown]", ())
    other = chunk("d", "Wajir has 14 boreholes.", item="elsewhere")
    assert moved("Rainfall was low. [@own]\n\n- " + SAID + " [@a][@d]", [*CHUNKS[:2], other])[0].endswith("[@b][@d]")
