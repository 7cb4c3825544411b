"""Outlines (which source belongs to which section, with items per story) and drafts written from their items."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.language.detection import detect_language
from almanac.llm.extractive.headlines import extract_headline
from almanac.llm.extractive.measures import count_words
from almanac.llm.extractive.selection import (
    DRAFT,
    SUMMARY,
    LengthBudget,
    flowing_text,
    rank_lines,
    select_lines,
    sort_by_source,
    word_overlap,
)
from almanac.llm.extractive.source_parser import (
    ParsedSource,
    SourceLine,
    parse_source,
    parse_sources,
    topic_words,
)
from almanac.llm.sources import Cited, Reference, StepSource

_SAME_STORY = 0.5
_LONGEST_TITLE = 12
_LONGEST_LEAD = 45.0
_OVERVIEW_SOURCES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSection:
    """A wanted section: its purpose, its topics, and the maximum number of items."""

    name: str
    purpose: str = ""
    topics: tuple[str, ...] = ()
    items: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineTopic:
    """A topic with the ids of its sources, the most relevant first."""

    name: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposedItem:
    """An item of an outline, taken from the sources that it references."""

    title: str
    description: Cited | None
    topic: str
    references: tuple[Reference, ...]


def extract_outline(
    sources: Sequence[StepSource],
    sections: Sequence[PlannedSection],
    topics: Sequence[OutlineTopic],
    *,
    language: str | None = None,
) -> list[list[ProposedItem]]:
    """The items of each section, in the order of the sections."""
    readings = {source.id: parse_source(source) for source in sources}
    placed = _assign_topics(sections, topics)
    used_ids: set[str] = set()
    outline = [_build_items(section, placed[n], readings, used_ids, language) for n, section in enumerate(sections)]
    if sections and not placed[0] and not outline[0]:
        outline[0] = _build_overview(outline, sections[0])
    return outline


def _assign_topics(sections: Sequence[PlannedSection], topics: Sequence[OutlineTopic]) -> list[list[OutlineTopic]]:
    """The topics of each section: those it names; the others go to the section whose words fit best."""
    placed: list[list[OutlineTopic]] = [
        [topic for topic in topics if topic.name in section.topics] for section in sections
    ]
    named = {topic.name for of_section in placed for topic in of_section}
    for topic in topics:
        if topic.name not in named and sections:
            placed[_best_section(sections, topic)].append(topic)
    return placed


def _best_section(sections: Sequence[PlannedSection], topic: OutlineTopic) -> int:
    about_topic = topic_words(topic.name, detect_language(topic.name))
    shares = [
        word_overlap(about_topic, topic_words(f"{section.name} {section.purpose}", detect_language(section.name)))
        for section in sections
    ]
    body = min(1, len(sections) - 1)
    return max(range(len(sections)), key=lambda n: (shares[n], n == body))


def _build_items(
    section: PlannedSection,
    topics: Sequence[OutlineTopic],
    readings: dict[str, ParsedSource],
    used_ids: set[str],
    language: str | None,
) -> list[ProposedItem]:
    """Takes items from the topics in turn, so that the first topic doesn't fill the section."""
    queues = [_group_stories(topic, readings, used_ids, language) for topic in topics]
    items: list[ProposedItem] = []
    while any(queues) and len(items) < section.items:
        for topic, queue in zip(topics, queues, strict=True):
            if queue and len(items) < section.items:
                items += _build_item(queue.pop(0), topic.name)
    return items


def _group_stories(
    topic: OutlineTopic, readings: dict[str, ParsedSource], used_ids: set[str], language: str | None
) -> list[list[ParsedSource]]:
    """The unused sources of a topic, grouped by story."""
    unused = [readings[id_] for id_ in topic.sources if id_ in readings and id_ not in used_ids]
    unused = [reading for reading in unused if reading.language == language] or unused
    used_ids |= {reading.source.id for reading in unused}
    stories: list[list[ParsedSource]] = []
    for reading in unused:
        if not reading.lines:
            continue
        lead = _lead_line(reading).topic_words
        same = next(
            (story for story in stories if word_overlap(_lead_line(story[0]).topic_words, lead) >= _SAME_STORY), None
        )
        if same:
            same.append(reading)
        else:
            stories.append([reading])
    return stories


def _lead_line(reading: ParsedSource) -> SourceLine:
    """The sentence that best tells what the source is about: its first, unless that is too long or not standalone."""
    first = reading.lines[0]
    if first.standalone and first.size <= _LONGEST_LEAD:
        return first
    worth = rank_lines([reading], SUMMARY)
    return max(worth, key=lambda line: (line.standalone is not None, worth[line], -line.order))


def _build_item(story: Sequence[ParsedSource], topic: str) -> list[ProposedItem]:
    title = extract_headline([story[0].source], _LONGEST_TITLE)
    if title is None:
        return []
    cut_from = {line.index: line for line in story[0].lines}.get(title.references[0].sentence or -1)
    lead = cut_from or _lead_line(story[0])
    description = (
        lead.cite(lead.standalone)
        if lead.standalone and count_words(lead.standalone) > count_words(title.text)
        else None
    )
    references = tuple(Reference(source=reading.source.id) for reading in story)
    return [ProposedItem(title.text, description, topic, references)]


def _build_overview(sections: Sequence[Sequence[ProposedItem]], section: PlannedSection) -> list[ProposedItem]:
    """One item for the opening section, over the first stories of the others."""
    firsts = [items[0] for items in sections if items][:_OVERVIEW_SOURCES]
    if not firsts or not section.items:
        return []
    references = tuple(item.references[0] for item in firsts)
    return [ProposedItem(section.name, None, "", references)]


_MOST_SENTENCES = 200
_LEAST_WORDS = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedItem:
    """An item of an outline. It rests on the sources with these ids; without any, on all of them."""

    title: str
    description: str = ""
    notes: str = ""
    sources: tuple[str, ...] = ()


def extract_draft(
    sources: Sequence[StepSource],
    items: Sequence[PlannedItem],
    *,
    words: int,
    used: Sequence[str] = (),
    language: str | None = None,
) -> list[tuple[Cited, ...]]:
    """The sentences for each item, in order; empty where its sources have nothing new."""
    taken = [topic_words(text, detect_language(text)) for text in used]
    share = max(_LEAST_WORDS, words / max(1, len(items)))
    paragraphs: list[tuple[Cited, ...]] = []
    for item in items:
        pinned = [source for source in sources if not item.sources or source.id in item.sources]
        pinned.sort(key=lambda source: item.sources.index(source.id) if item.sources else 0)
        readings = parse_sources(pinned, language)
        asked = f"{item.title} {item.description} {item.notes}"
        wanted = topic_words(asked, readings[0].language) if readings else frozenset[str]()
        chosen = select_lines(rank_lines(readings, DRAFT, wanted), LengthBudget(_MOST_SENTENCES, share), used=taken)
        taken += [line.topic_words for line in chosen]
        paragraphs.append(flowing_text(sort_by_source(chosen, [source.id for source in pinned])))
    return paragraphs
