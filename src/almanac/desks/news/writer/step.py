"""The step `news_story`: headlines and points of one article in three languages; by extraction in its own language."""

from dataclasses import dataclass

from pydantic import BaseModel

from almanac.articles.highlights import HEADLINE_WORDS, NO_HIGHLIGHTS, POINTS, WORDS, Highlights
from almanac.llm.port import WritingStep
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Reference, StepSource


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryInput:
    """The article, how much to say about it, and what was chosen of it by extraction."""

    sources: tuple[StepSource, ...]
    choice: Highlights = NO_HIGHLIGHTS
    bullets: int = POINTS
    words: int = WORDS
    headline_words: int = HEADLINE_WORDS


class StoryPoint(BaseModel, frozen=True):
    """One point in the article's own language and in those of the desk; an empty one was not translated."""

    text: str
    references: tuple[Reference, ...]
    en: str = ""
    zh: str = ""
    ms: str = ""


class Story(BaseModel, frozen=True):
    """The headline and the points."""

    headline: str = ""
    headline_en: str = ""
    headline_zh: str = ""
    headline_ms: str = ""
    points: tuple[StoryPoint, ...] = ()


def extract_story(given: StoryInput) -> Story:
    """What was chosen when the page was read."""
    source = given.sources[0].id
    points = (
        StoryPoint(text=highlight.text, references=(Reference(source=source, sentence=highlight.sentence),))
        for highlight in given.choice.points
    )
    return Story(headline=given.choice.headline, points=tuple(points))


STORY = WritingStep(
    name="news_story", prompt=load_prompt(__package__, "news_story"), output=Story, extract=extract_story
)
