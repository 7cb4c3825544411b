"""The step `news_story`: headlines and points of one article in three languages; by extraction in its own language."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from almanac.desks.news.model.headlines import MOST
from almanac.language import sentences
from almanac.llm.extractive.headlines import headline
from almanac.llm.extractive.summaries import bullets
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Reference, Source
from almanac.llm.step import Step

_OPENING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryInput:
    """The article, and how much to say about it."""

    sources: tuple[Source, ...]
    bullets: int = 5
    words: int = 30
    headline_words: int = MOST


class Point(BaseModel):
    """One point in the article's own language and in those of the desk; an empty one was not translated."""

    model_config = ConfigDict(frozen=True)

    text: str
    references: tuple[Reference, ...]
    en: str = ""
    zh: str = ""
    ms: str = ""


class Story(BaseModel):
    """The headline and the points."""

    model_config = ConfigDict(frozen=True)

    headline: str = ""
    headline_en: str = ""
    headline_zh: str = ""
    headline_ms: str = ""
    points: tuple[Point, ...] = ()


def _extract(given: StoryInput) -> Story:
    """Sentences of the article; of one in which none stands out, the first ones."""
    title = headline(given.sources, given.headline_words)
    found = bullets(given.sources, given.bullets, words=given.words)
    points = tuple(Point(text=one.text, references=one.references) for one in found)
    return Story(headline=title.text if title else "", points=points or _opening(given.sources[0]))


def _opening(source: Source) -> tuple[Point, ...]:
    return tuple(
        Point(text=sentence.text, references=(Reference(source=source.id, sentence=number),))
        for number, sentence in enumerate(sentences(source.text)[:_OPENING])
    )


STORY = Step(name="news_story", prompt=load_prompt(__package__, "news_story"), output=Story, extract=_extract)
