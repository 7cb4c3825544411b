"""Model output in outline and draft: unsupported titles and sentences are rejected."""

import datetime as dt

import pytest

from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.outline_merge import GeneratedItem, GeneratedSection
from almanac.desks.newsletter.pipeline.draft import text_with_markers
from almanac.desks.newsletter.pipeline.outline import remove_unsupported
from almanac.llm.sources import Cited, Reference
from almanac.verify import check_text

CHUNK = RetrievedChunk(
    id="c1",
    topic="Market Access",
    source="Observer",
    score=0.9,
    title="Maize prices ease in Mandera",
    content="The price of maize in Mandera fell by 14 per cent in February. Traders expect a good harvest.",
    date=dt.date(2026, 3, 1),
)


def outlined(title, description=""):
    item = GeneratedItem(title, description, ("c1",))
    ((checked,),) = [section.items for section in remove_unsupported([GeneratedSection("News", (item,))], [CHUNK])]
    return checked


@pytest.mark.parametrize(
    "title",
    ["Maize prices fall by 14 per cent", "Mandera: a good harvest expected", "What the markets say", "Overview"],
)
def test_a_title_may_be_worded_freely(title):
    assert outlined(title).title == title


@pytest.mark.parametrize(
    "title",
    [
        "Maize prices fall by 41 per cent",
        "Maize prices fall in Garissa",
        "Maize prices fell in January",
        "The price of maize in Mandera rose in February",
        "Traders: “a harvest like never before”",
    ],
)
def test_a_title_that_says_more_than_its_source_gives_way_to_the_sources_own(title):
    assert outlined(title).title == "Maize prices ease in Mandera"


def test_a_description_is_what_the_source_says_or_nothing():
    source = "The price of maize in Mandera fell by 14 per cent in February."
    assert outlined("Maize", source).description == source
    assert outlined("Maize", "The price of maize in Mandera fell by 41 per cent in February.").description == ""


def test_an_item_without_sources_is_left_as_it_is():
    section = GeneratedSection("Conclusion", (GeneratedItem("Looking ahead", "Coming dates."),))
    assert remove_unsupported([section], [CHUNK]) == [section]


@pytest.mark.parametrize("opening", ["## ", "# ## ", " ### ", "Prices\n===\n"])
def test_no_sentence_hides_as_a_heading(opening):
    sentence = f"{opening}Maize fell by 41 per cent."
    text = text_with_markers([Cited(text=sentence, references=())])
    assert not check_text(text, {"c1": CHUNK.content}).supported
    cited = text_with_markers([Cited(text=sentence, references=(Reference(source="c1"),))])
    assert not check_text(cited, {"c1": CHUNK.content}).supported


def test_no_generated_sentence_is_marked_as_a_persons_own():
    sentence = Cited(text="Western Grid is bankrupt. [@own]", references=())
    text = text_with_markers([sentence, Cited(text="Prices[@own; @c1] rose.", references=(Reference(source="c1"),))])
    assert "own" not in text
    assert [checked.references for checked in check_text(text, {"c1": CHUNK.content}).sentences] == [(), ("c1",)]
