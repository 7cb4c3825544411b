"""The step `news_story`: headlines and points of one article in three languages; by extraction in its own language."""

from dataclasses import dataclass

from almanac.articles.highlights import HEADLINE_WORDS, NO_HIGHLIGHTS, POINTS, WORDS, Highlights
from almanac.llm.answer import LimitedAnswer, StepAnswer
from almanac.llm.limits import limit_parts
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


class StoryPoint(StepAnswer):
    """One point in the article's own language and in those of the desk; an empty one was not translated."""

    text: str
    references: tuple[Reference, ...]
    en: str
    zh: str
    ms: str


class Story(StepAnswer):
    """The headline and the points."""

    headline: str
    headline_en: str
    headline_zh: str
    headline_ms: str
    points: tuple[StoryPoint, ...]

    @property
    def is_empty(self) -> bool:
        """A headline alone is no story."""
        return not any(point.text.strip() for point in self.points)


def extract_story(given: StoryInput) -> Story:
    """What was chosen when the page was read."""
    source = given.sources[0].id
    points = (
        StoryPoint(
            text=highlight.text,
            references=(Reference(source=source, sentence=highlight.sentence),),
            en="",
            zh="",
            ms="",
        )
        for highlight in given.choice.points
    )
    return Story(headline=given.choice.headline, headline_en="", headline_zh="", headline_ms="", points=tuple(points))


def _limit_story(given: StoryInput, answer: Story) -> LimitedAnswer[Story]:
    points, beyond = limit_parts(answer.points, given.bullets, "point", words=given.words)
    return LimitedAnswer(answer.model_copy(update={"points": points}), beyond)


STORY = WritingStep(
    name="news_story",
    prompt=load_prompt(__package__, "news_story"),
    output=Story,
    extract=extract_story,
    limit=_limit_story,
)
