"""The levels that a model wrote, with only what the speeches support."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.writer.checking import draft, evidence, orders_of, settle
from almanac.desks.recap.writer.extractive.levels import write_levels
from almanac.desks.recap.writer.extractive.naming import with_group
from almanac.desks.recap.writer.extractive.sitting import read_sitting
from almanac.desks.recap.writer.notes import Levels, MiddleNote
from almanac.llm.sources import Cited

_AnyCited = TypeVar("_AnyCited", bound=Cited)


def verified(levels: Levels, meeting: Meeting) -> tuple[Levels, int]:
    """What holds, and how many sentences didn't; a level of which nothing is left is written by extraction."""
    cited = list(_all(levels))
    orders = tuple(speech.order for speech in meeting.spoken)
    drafts = [draft(orders_of(each), each.text) for each in cited]
    headings = [draft(orders, levels.title), draft(orders, levels.description)]
    settled = settle([*drafts, *headings], meeting)
    title, description = settled[-2:]
    holds = iter([text is not None for text in settled[:-2]])
    points = _kept(levels.key_points, holds)
    summary, soft = _kept(levels.summary, holds), _kept(levels.soft_language_summary, holds)
    parts = [MiddleNote(title=part.title, sentences=_kept(part.sentences, holds)) for part in levels.middle_summary]
    told = [part for part in parts if part.sentences]
    middle = tuple(_titled(part, meeting) for part in told)
    own = levels if all((title, points, summary, soft, middle)) else write_levels(read_sitting(meeting))
    kept = Levels(
        title=title or own.title,
        description=description or _opening(points or own.key_points),
        categories=levels.categories,
        key_points=points or own.key_points,
        summary=summary or own.summary,
        soft_language_summary=soft or own.soft_language_summary,
        middle_summary=middle or own.middle_summary,
    )
    retitled = sum(old.title != new.title for old, new in zip(told, middle, strict=True))
    return kept, sum(text is None for text in settled) + retitled


def _all(levels: Levels) -> Iterator[Cited]:
    yield from levels.key_points
    yield from levels.summary
    yield from levels.soft_language_summary
    for part in levels.middle_summary:
        yield from part.sentences


def _kept(level: Sequence[_AnyCited], holds: Iterator[bool]) -> tuple[_AnyCited, ...]:
    return tuple([each for each in level if next(holds)])


def _titled(part: MiddleNote, meeting: Meeting) -> MiddleNote:
    """Under its own title, or where that says more than the speeches, under the name of whoever speaks first in it."""
    orders = tuple(dict.fromkeys(order for sentence in part.sentences for order in orders_of(sentence)))
    if part.title.strip() and evidence(meeting).may_head(part.title, orders):
        return part
    return MiddleNote(title=with_group(meeting.by_order[min(orders)]), sentences=part.sentences)


def _opening(points: Sequence[Cited]) -> str:
    return "".join(point.text for point in points[:2])
