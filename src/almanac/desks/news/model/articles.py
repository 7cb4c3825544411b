"""What a finished article is: headlines and bullets by language, each bullet with the sentence it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

LANGUAGES = ("en", "zh", "ms")
ORIGINAL, TRANSLATED, NOT_TRANSLATED = "original", "translated", "not translated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullet:
    """One point. `start` and `end` are the place in the article of what it rests on; texts are by language."""

    sentence: str
    start: int
    end: int
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written about an article, and who wrote it."""

    headlines: Mapping[str, str]
    bullets: tuple[Bullet, ...]
    states: Mapping[str, str]
    writer: str
    prompt_version: str
    cost: float = 0.0
    dropped: tuple[str, ...] = ()

    def point_form(self, language: str) -> list[str]:
        """The bullets in a language, in the order of the article."""
        return [bullet.texts[language] for bullet in self.bullets if bullet.texts.get(language)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOfStory:
    """One outlet that tells a story."""

    link_id: int
    url: str
    domain: str
    title: str
    news_date: date | None
    discovered_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """A row of `processed_content` with its link, as readers get it."""

    id: int
    url: str
    domain: str
    source_task: str | None
    title: str
    titles: Mapping[str, str]
    content: str
    bullets: Mapping[str, list[str]]
    states: Mapping[str, str]
    points: tuple[Bullet, ...]
    tags: list[str]
    country: str | None
    news_date: date | None
    language: str
    article: str
    cluster: int
    metadata: Mapping[str, Any]
    discovered_at: datetime | None
    processed_at: datetime | None
    sources: tuple[SourceOfStory, ...] = field(default=())

    def headline(self, language: str) -> str:
        """The headline in a language, or the page's own where there is none."""
        return self.titles.get(language) or self.title
