"""Outlines: which source belongs to which section, grouped where several tell the same, titled by what they tell."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.language import detect
from almanac.llm.extractive.headlines import headline
from almanac.llm.extractive.ranking import SUMMARY, rank
from almanac.llm.extractive.reading import Line, Reading, about, read, size
from almanac.llm.extractive.selection import likeness
from almanac.llm.sources import Cited, Reference, Source

_SAME_STORY = 0.5
_LONGEST_TITLE = 12
_LONGEST_LEAD = 45.0
_OVERVIEW_SOURCES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSection:
    """A section that is wanted: what it is for, which topics belong to it, and how many items at most."""

    name: str
    purpose: str = ""
    topics: tuple[str, ...] = ()
    items: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic with the ids of its sources, the most relevant first."""

    name: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposedItem:
    """One item of an outline, taken from the sources that it names."""

    title: str
    description: Cited | None
    topic: str
    references: tuple[Reference, ...]


def outline(
    sources: Sequence[Source],
    sections: Sequence[PlannedSection],
    topics: Sequence[Topic],
    *,
    language: str | None = None,
) -> list[list[ProposedItem]]:
    """The items of each section, in the order of the sections."""
    readings = {source.id: read(source) for source in sources}
    placed = _placed(sections, topics)
    told: set[str] = set()
    found = [_items_of(section, placed[n], readings, told, language) for n, section in enumerate(sections)]
    if sections and not placed[0] and not found[0]:
        found[0] = _overview(found, sections[0])
    return found


def _placed(sections: Sequence[PlannedSection], topics: Sequence[Topic]) -> list[list[Topic]]:
    """The topics of each section: those it names, and those that nobody names where the section's words fit best."""
    placed: list[list[Topic]] = [[topic for topic in topics if topic.name in section.topics] for section in sections]
    named = {topic.name for of_section in placed for topic in of_section}
    for topic in topics:
        if topic.name not in named and sections:
            placed[_fitting(sections, topic)].append(topic)
    return placed


def _fitting(sections: Sequence[PlannedSection], topic: Topic) -> int:
    about_topic = about(topic.name, detect(topic.name))
    shares = [
        likeness(about_topic, about(f"{section.name} {section.purpose}", detect(section.name))) for section in sections
    ]
    body = min(1, len(sections) - 1)
    return max(range(len(sections)), key=lambda n: (shares[n], n == body))


def _items_of(
    section: PlannedSection, topics: Sequence[Topic], readings: dict[str, Reading], told: set[str], language: str | None
) -> list[ProposedItem]:
    """Topics take turns, so that a section isn't filled by the first of them."""
    queues = [_stories(topic, readings, told, language) for topic in topics]
    items: list[ProposedItem] = []
    while any(queues) and len(items) < section.items:
        for topic, queue in zip(topics, queues, strict=True):
            if queue and len(items) < section.items:
                items += _item(queue.pop(0), topic.name)
    return items


def _stories(topic: Topic, readings: dict[str, Reading], told: set[str], language: str | None) -> list[list[Reading]]:
    """The sources of a topic that aren't told elsewhere, those of the same story together."""
    known = [readings[id_] for id_ in topic.sources if id_ in readings and id_ not in told]
    known = [reading for reading in known if reading.language == language] or known
    told |= {reading.source.id for reading in known}
    stories: list[list[Reading]] = []
    for reading in known:
        if not reading.lines:
            continue
        lead = _lead(reading).about
        same = next((story for story in stories if likeness(_lead(story[0]).about, lead) >= _SAME_STORY), None)
        if same:
            same.append(reading)
        else:
            stories.append([reading])
    return stories


def _lead(reading: Reading) -> Line:
    """The sentence that tells what the source is about: its first, unless that is too long or leans on nothing."""
    first = reading.lines[0]
    if first.alone and first.size <= _LONGEST_LEAD:
        return first
    worth = rank([reading], SUMMARY)
    return max(worth, key=lambda line: (line.alone is not None, worth[line], -line.order))


def _item(story: Sequence[Reading], topic: str) -> list[ProposedItem]:
    title = headline([story[0].source], _LONGEST_TITLE)
    if title is None:
        return []
    cut_from = {line.index: line for line in story[0].lines}.get(title.references[0].sentence or -1)
    told = cut_from or _lead(story[0])
    description = told.cited(told.alone) if told.alone and size(told.alone) > size(title.text) else None
    references = tuple(Reference(source=reading.source.id) for reading in story)
    return [ProposedItem(title.text, description, topic, references)]


def _overview(found: Sequence[Sequence[ProposedItem]], section: PlannedSection) -> list[ProposedItem]:
    """One item for the opening section, over the first stories of the others."""
    firsts = [items[0] for items in found if items][:_OVERVIEW_SOURCES]
    if not firsts or not section.items:
        return []
    references = tuple(item.references[0] for item in firsts)
    return [ProposedItem(section.name, None, "", references)]
