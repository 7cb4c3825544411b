"""The standard steps: each has a prompt that fills in, an output type, and a way without a model."""

import pytest

from almanac.llm.extractive.outlines import OutlineTopic, PlannedItem, PlannedSection
from almanac.llm.prompts import render_prompt
from almanac.llm.sources import StepSource
from almanac.llm.steps.outlines import DRAFT_SECTION, OUTLINE, DraftSectionInput, OutlineInput
from almanac.llm.steps.summaries import (
    BULLETS,
    HEADLINE,
    KEY_POINTS,
    KEYWORDS,
    PLAIN_SUMMARY,
    SUMMARY,
    BulletsInput,
    HeadlineInput,
    KeyPointsInput,
    KeywordsInput,
    PlainSummaryInput,
    SummaryInput,
)

TEXT = "The council approved a budget of $12 million on Monday. The budget pays for 40 new buses and two depots."
SOURCES = (StepSource(id="secret-id", text=TEXT, title="Council approves budget"), StepSource(id="thin", text=""))
WISHES = {"sources": SOURCES, "language": "ms", "audience": "farmers", "tone": "plain", "instruction": "Be brief."}
STEPS = [
    (SUMMARY, SummaryInput(**WISHES, words=60)),
    (PLAIN_SUMMARY, PlainSummaryInput(**WISHES)),
    (KEY_POINTS, KeyPointsInput(**WISHES)),
    (BULLETS, BulletsInput(**WISHES)),
    (HEADLINE, HeadlineInput(**WISHES)),
    (KEYWORDS, KeywordsInput(**WISHES)),
    (
        OUTLINE,
        OutlineInput(
            **WISHES,
            title="Weekly",
            sections=(PlannedSection(name="News", topics=("Budget",), purpose="what happened"),),
            topics=(OutlineTopic(name="Budget", sources=("secret-id", "thin")),),
        ),
    ),
    (
        DRAFT_SECTION,
        DraftSectionInput(
            **WISHES,
            title="News",
            notes="short",
            items=(PlannedItem(title="Budget", sources=("secret-id",)), PlannedItem(title="Buses")),
            used=("The mayor was ill.",),
        ),
    ),
]


@pytest.mark.parametrize(("step", "given"), STEPS, ids=lambda value: getattr(value, "name", ""))
def test_a_prompt_fills_in_and_names_no_real_id(step, given):
    request = render_prompt(step.prompt, given)
    assert "Malay" in request.instructions
    assert "farmers" in request.instructions
    assert "Be brief." in request.instructions
    assert "{{" not in request.instructions
    assert "secret-id" not in request.instructions + request.sources
    assert step.prompt.version == "1.0"
    assert all(f"`{name}`" in request.instructions for name in step.output.model_fields)


@pytest.mark.parametrize(("step", "given"), STEPS, ids=lambda value: getattr(value, "name", ""))
def test_a_step_is_written_without_a_model(step, given):
    made = step.extract(given)
    assert isinstance(made, step.output)
    assert made == step.extract(given)
    assert "secret-id" in made.model_dump_json()


def test_without_a_language_the_prompt_asks_for_that_of_the_sources():
    assert "the language of the sources" in render_prompt(SUMMARY.prompt, SummaryInput(sources=SOURCES)).instructions


def test_priorities_fall_with_the_rank():
    keywords = KEYWORDS.extract(KeywordsInput(sources=SOURCES)).keywords
    order = ["high", "medium", "low"]
    assert [keyword.priority for keyword in keywords] == sorted((k.priority for k in keywords), key=order.index)


def test_a_source_that_yields_no_headline_gives_an_empty_one():
    made = HEADLINE.extract(HeadlineInput(sources=(StepSource(id="s", text="Menu"),)))
    assert (made.text, made.references) == ("", ())
