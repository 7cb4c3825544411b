"""What a finished article is: headlines and bullets by language, each bullet with the sentence it is based on."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from almanac.kit.json_text import to_builtins
from almanac.language.segmentation import split_sentences
from almanac.llm.answer import DroppedSentence

LANGUAGES = ("en", "zh", "ms")
ORIGINAL, TRANSLATED, NOT_TRANSLATED = "original", "translated", "not translated"
PARTLY_TRANSLATED = "partly translated"
MIN_HEADLINE_WORDS, MAX_HEADLINE_WORDS = 2, 8
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+(?:['’.,&/-][^\W_]+)*[%°]?")
_CHARACTERS_PER_WORD = 2.5
_SENTENCE_END = re.compile(r"[.。!！?？…;；]\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullet:
    """One point. `start` and `end` are the position in the article of `sentence`; texts are by language.

    `moved` says that the writer named another sentence, which doesn't carry the point. `judged_by` names the model that
    confirmed a point in which the rules found words that the article lacks.
    """

    sentence: str
    start: int
    end: int
    texts: Mapping[str, str]
    moved: bool = False
    judged_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryFallback:
    """Why extraction took the place of a model, when the model is asked again, and how often it was asked in vain.

    `can_retry` is False where the model gave an answer of which nothing passed the check: it would give the same again.
    """

    reason: str
    retry_at: datetime | None = None
    attempts: int = 1
    can_retry: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenStory:
    """A checked story about an article. `dropped` is what was written and isn't shown; `writer` names the model."""

    headlines: Mapping[str, str]
    bullets: tuple[Bullet, ...]
    states: Mapping[str, str]
    writer: str
    prompt_version: str
    cost: float = 0.0
    dropped: tuple[DroppedSentence, ...] = ()
    fallback: StoryFallback | None = None

    def point_form(self, language: str) -> list[str]:
        """The bullets in a language, in the order of the article."""
        return [bullet.texts[language] for bullet in self.bullets if bullet.texts.get(language)]

    def list_form(self, language: str) -> str:
        """The bullets in a language as one text."""
        return "\n".join(f"- {line}" for line in self.point_form(language))

    def metadata(self) -> dict[str, Any]:
        """How it was written, as stored with the article."""
        return {
            "translations": dict(self.states),
            "points": to_builtins(self.bullets),
            "writer": self.writer,
            "prompt_version": self.prompt_version,
            "cost": self.cost,
            "dropped": to_builtins(self.dropped),
            "fallback": to_builtins(self.fallback),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StorySource:
    """One outlet that reports a story."""

    link_id: int
    url: str
    domain: str
    title: str
    news_date: date | None
    discovered_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsArticle:
    """A row of `processed_content` with its link. `cluster` is the story: the id of its first article."""

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
    sources: tuple[StorySource, ...] = ()
    dropped: tuple[DroppedSentence, ...] = ()
    instructions: tuple[str, ...] = ()
    fallback: StoryFallback | None = None

    def headline(self, language: str) -> str:
        """The headline in a language, or the page's own where there is none."""
        return self.titles.get(language) or self.title


def headline_words(text: str) -> float:
    """The length of a headline in words; two and a half Chinese characters count as one."""
    return len(_CJK.findall(text)) / _CHARACTERS_PER_WORD + len(_WORD.findall(_CJK.sub(" ", text)))


def is_headline(text: str) -> bool:
    """Whether a text is two to eight words on one line, without the end of a sentence."""
    plain = text.strip()
    return (
        "\n" not in plain
        and not _SENTENCE_END.search(plain)
        and len(split_sentences(plain)) == 1
        and MIN_HEADLINE_WORDS - 0.5 <= headline_words(plain) <= MAX_HEADLINE_WORDS
    )


def text_hash(text: str) -> str:
    """SHA-256 of an article's text, which tells whether it changed."""
    return hashlib.sha256(text.encode()).hexdigest()
