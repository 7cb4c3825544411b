"""The steps `outline` (sections with items and their sources) and `draft_section` (a paragraph per item)."""

from dataclasses import dataclass

from almanac.kit.messages import gettext, ngettext
from almanac.llm.answer import DroppedSentence, LimitedAnswer, StepAnswer, fold_sentence
from almanac.llm.extractive.outlines import OutlineTopic, PlannedItem, PlannedSection, extract_draft, extract_outline
from almanac.llm.limits import WordAllowance
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


class OutlineItem(StepAnswer):
    """One thing to tell. The title and the description are taken from the sources that it names."""

    title: str
    description: Cited | None
    topic: str
    references: tuple[Reference, ...]


class OutlineSection(StepAnswer):
    """A section with its items; one that the sources have nothing for stays empty."""

    name: str
    items: tuple[OutlineItem, ...]


class Outline(StepAnswer):
    """Every wanted section, in the order wanted."""

    sections: tuple[OutlineSection, ...]

    @property
    def is_empty(self) -> bool:
        return not any(section.items for section in self.sections)

    def text_groups(self) -> list[list[str]]:
        """An overview may have an item of another section again."""
        return [group for section in self.sections for group in section.text_groups()]


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


def _limit_outline(given: OutlineInput, answer: Outline) -> LimitedAnswer[Outline]:
    most = {section.name: section.items for section in given.sections}
    sections: list[OutlineSection] = []
    dropped: list[DroppedSentence] = []
    for section in answer.sections:
        if section.name not in most:
            dropped.append(DroppedSentence(section.name, gettext("No section of this name was asked for.")))
            continue
        kept, beyond = section.items[: most[section.name]], section.items[most[section.name] :]
        reason = ngettext(
            "The section %(name)s has only %(num)s item.",
            "The section %(name)s has only %(num)s items.",
            most[section.name],
            name=section.name,
        )
        dropped += [DroppedSentence(item.title, reason) for item in beyond]
        sections.append(OutlineSection(name=section.name, items=kept))
    return LimitedAnswer(Outline(sections=tuple(sections)), tuple(dropped))


OUTLINE = WritingStep(
    name="outline",
    prompt=load_prompt(__package__, "outline"),
    output=Outline,
    extract=_write_outline,
    limit=_limit_outline,
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


class DraftParagraph(StepAnswer):
    """The text for one item, which `item` counts from 0."""

    item: int
    sentences: tuple[Cited, ...]


class DraftedSection(StepAnswer):
    """The paragraphs in the order of the items; an item whose sources yield nothing new has none."""

    paragraphs: tuple[DraftParagraph, ...]


def _write_draft_section(given: DraftSectionInput) -> DraftedSection:
    drafted = extract_draft(given.sources, given.items, words=given.words, used=given.used, language=given.language)
    return DraftedSection(
        paragraphs=tuple(DraftParagraph(item=item, sentences=text) for item, text in enumerate(drafted) if text)
    )


def _limit_draft_section(given: DraftSectionInput, answer: DraftedSection) -> LimitedAnswer[DraftedSection]:
    """A paragraph per item, as many words as asked for, and nothing that stands elsewhere in the publication."""
    allowance, used = WordAllowance(given.words), set(map(fold_sentence, given.used))
    paragraphs: dict[int, DraftParagraph] = {}
    dropped: list[DroppedSentence] = []
    for paragraph in answer.paragraphs:
        if paragraph.item in paragraphs or not 0 <= paragraph.item < max(1, len(given.items)):
            reason = gettext("The outline has no further item for this paragraph.")
            dropped += [DroppedSentence(sentence.text, reason) for sentence in paragraph.sentences]
            continue
        repeated = [sentence for sentence in paragraph.sentences if fold_sentence(sentence.text) in used]
        dropped += [
            DroppedSentence(sentence.text, gettext("It already stands elsewhere in the draft."))
            for sentence in repeated
        ]
        kept, beyond = allowance.split([sentence for sentence in paragraph.sentences if sentence not in repeated])
        dropped += beyond
        paragraphs[paragraph.item] = DraftParagraph(item=paragraph.item, sentences=kept)
    written = tuple(paragraph for paragraph in paragraphs.values() if paragraph.sentences)
    return LimitedAnswer(DraftedSection(paragraphs=written), tuple(dropped))


DRAFT_SECTION = WritingStep(
    name="draft_section",
    prompt=load_prompt(__package__, "draft_section"),
    output=DraftedSection,
    extract=_write_draft_section,
    limit=_limit_draft_section,
)
