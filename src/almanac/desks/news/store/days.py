"""What a day is made of: its stories, what was collected, and the links that failed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from almanac.desks.news.store.articles import decode_bullets
from almanac.desks.news.store.rows import QUERIES, mark_utc, to_naive_utc
from almanac.relational import ReadTransaction, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryLine:
    """A story as the page of a day shows it: one headline, one line, and how many sources tell it."""

    id: int
    title: str
    text: str
    language: str
    news_date: date
    sources: int


@dataclass(frozen=True, slots=True)
class FailedLinks:
    """How many links failed, with the title and reason of the one that has waited longest."""

    count: int
    title: str
    reason: str | None
    since: datetime | None


@dataclass(frozen=True, slots=True)
class NewsDay:
    """A day: `added` links were collected, the last of them at `collected_at`."""

    stories: Sequence[StoryLine]
    has_unread: bool
    failed: FailedLinks | None
    added: int
    collected_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsDayQuery:
    """Stories dated between two days, in a language as far as they were written in it; what was collected between two
    moments; and failed links up to a number, which may be 0.
    """

    first: date
    last: date
    since: datetime
    until: datetime
    language: str
    max_stories: int
    max_failed: int


async def read_day(reading: ReadTransaction, query: NewsDayQuery) -> NewsDay:
    """The latest stories first."""
    asked = {
        "first": query.first,
        "last": query.last,
        "since": to_naive_utc(query.since),
        "until": to_naive_utc(query.until),
        "limit": query.max_stories,
        "failed": query.max_failed,
    }
    rows = await reading.all(QUERIES["read_day"], asked)
    figures = rows[0]
    mark_utc(figures)
    failed = FailedLinks(
        figures["failed_count"], figures["failed_title"], figures["failed_reason"], figures["failed_at"]
    )
    return NewsDay(
        stories=[_story_line(row, query.language) for row in rows if row["id"] is not None],
        has_unread=figures["has_unread"],
        failed=failed if figures["failed_id"] is not None else None,
        added=figures["added"],
        collected_at=figures["last_at"],
    )


def _story_line(row: Row, language: str) -> StoryLine:
    title = row[f"title_{language}"]
    lines = decode_bullets(row["translated_content"]).get(language, ())
    return StoryLine(
        id=row["id"],
        title=title or row["title"],
        text=lines[0] if lines else "",
        language=language if title else row["language"] or "",
        news_date=row["news_date"],
        sources=row["sources"],
    )
