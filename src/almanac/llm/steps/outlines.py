"""The steps `outline` (sections with items and their sources) and `draft_section` (a paragraph per item)."""

from dataclasses import dataclass

from pydantic import BaseModel

from almanac.llm.extractive.outlines import OutlineTopic, PlannedItem, PlannedSection, extract_draft, extract_outline
from almanac.llm.port import WritingStep
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Cited, Reference
from almanac.llm.steps.summaries import WritingInput


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineInput(WritingInput):
    """The wanted sections, in order, and the topics with the ids of their sources.

    A section without topics takes those that fit its name; the first section gives an overview of all.
    """

    title: str = ""
    sections: tuple[PlannedSection, ...]
    topics: tuple[OutlineTopic, ...]


class OutlineItem(BaseModel, frozen=True):
    """One thing to tell. The title and the description are taken from the sources that it names."""

    title: str
    description: Cited | None = None
    topic: str = ""
    references: tuple[Reference, ...]


class OutlineSection(BaseModel, frozen=True):
    """A section with its items; one that the sources have nothing for stays empty."""

    name: str
    items: tuple[OutlineItem, ...] = ()


class Outline(BaseModel, frozen=True):
    """Every wanted section, in the order wanted."""

    sections: tuple[OutlineSection, ...]


def _write_outline(given: OutlineInput) -> Outline:
    planned = extract_outline(given.sources, given.sections, given.topics, language=given.language)
    return Outline(
        sections=tuple(
            OutlineSection(
                name=section.name,
                items=tuple(
                    OutlineItem(
                        title=item.title, description=item.description, topic=item.topic, references=item.references
                    )
                    for item in items
                ),
            )
            for section, items in zip(given.sections, planned, strict=True)
        )
    )


OUTLINE = WritingStep(
    name="outline", prompt=load_prompt(__package__, "outline"), output=Outline, extract=_write_outline
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSectionInput(WritingInput):
    """The section's title and notes, its items with the ids of their pinned sources, and the number of words.

    `used` has sentences that are already in the publication and must not be repeated.
    """

    title: str
    notes: str = ""
    items: tuple[PlannedItem, ...]
    words: int = 200
    used: tuple[str, ...] = ()


class DraftParagraph(BaseModel, frozen=True):
    """The text for one item, which `item` counts from 0."""

    item: int
    sentences: tuple[Cited, ...]


class DraftedSection(BaseModel, frozen=True):
    """The paragraphs in the order of the items; an item whose sources yield nothing new has none."""

    paragraphs: tuple[DraftParagraph, ...]


def _write_draft_section(given: DraftSectionInput) -> DraftedSection:
    drafted = extract_draft(given.sources, given.items, words=given.words, used=given.used, language=given.language)
    return DraftedSection(
        paragraphs=tuple(DraftParagraph(item=item, sentences=text) for item, text in enumerate(drafted) if text)
    )


DRAFT_SECTION = WritingStep(
    name="draft_section",
    prompt=load_prompt(__package__, "draft_section"),
    output=DraftedSection,
    extract=_write_draft_section,
)
