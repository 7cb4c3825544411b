"""The step `draft_section`: the text of one section, one paragraph for each item of the outline, in its order."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from almanac.llm.extractive.drafts import PlannedItem, draft
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Cited
from almanac.llm.step import Step
from almanac.llm.steps.inputs import WritingInput


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSectionInput(WritingInput):
    """The section's title and notes, its items with the ids of their pinned sources, and about how many words.

    `used` holds sentences that stand elsewhere in the publication already and must not come again.
    """

    title: str
    notes: str = ""
    items: tuple[PlannedItem, ...]
    words: int = 200
    used: tuple[str, ...] = ()


class DraftParagraph(BaseModel):
    """The text for one item, which `item` counts from 0."""

    model_config = ConfigDict(frozen=True)

    item: int
    sentences: tuple[Cited, ...]


class DraftedSection(BaseModel):
    """The paragraphs in the order of the items; an item whose sources yield nothing new has none."""

    model_config = ConfigDict(frozen=True)

    paragraphs: tuple[DraftParagraph, ...]


def _extract(given: DraftSectionInput) -> DraftedSection:
    drafted = draft(given.sources, given.items, words=given.words, used=given.used, language=given.language)
    return DraftedSection(
        paragraphs=tuple(DraftParagraph(item=item, sentences=text) for item, text in enumerate(drafted) if text)
    )


DRAFT_SECTION = Step(
    name="draft_section", prompt=load_prompt(__package__, "draft_section"), output=DraftedSection, extract=_extract
)
