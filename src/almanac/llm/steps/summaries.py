"""The steps `summary`, `plain_summary`, `key_points`, `bullets`, `headline` and `keywords`, and their common input.

Class names and docstrings of the outputs are part of the JSON schema that models see, and so of the cache key.
"""

from dataclasses import dataclass
from typing import Literal

from almanac.llm.answer import LimitedAnswer, StepAnswer
from almanac.llm.extractive.headlines import extract_headline
from almanac.llm.extractive.keywords import extract_keywords
from almanac.llm.extractive.summaries import extract_bullets, extract_key_points, extract_plain_summary, extract_summary
from almanac.llm.limits import WordAllowance, is_too_long, limit_parts, too_long
from almanac.llm.port import WritingStep
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Cited, Reference, StepSource

_NAMES = {"en": "English", "ms": "Malay", "zh": "Chinese", "ja": "Japanese"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingInput:
    """The sources, and for whom and how to write. Without a language, that of the sources is used.

    Extraction can't translate: it prefers sources in the wanted language and otherwise keeps the source's language.
    """

    sources: tuple[StepSource, ...]
    language: str | None = None
    audience: str = ""
    tone: str = ""
    instruction: str = ""

    @property
    def language_name(self) -> str:
        """The language as prompts name it."""
        return _NAMES.get(self.language, self.language) if self.language else "the language of the sources"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryInput(WritingInput):
    """A maximum number of sentences and, where given, an approximate number of words."""

    sentences: int = 5
    words: int | None = None


class Summary(StepAnswer):
    """The sentences in reading order; none where the sources say nothing."""

    sentences: tuple[Cited, ...]


def _summarize(given: SummaryInput) -> Summary:
    return Summary(
        sentences=extract_summary(given.sources, given.sentences, words=given.words, language=given.language)
    )


def _limit_summary(given: SummaryInput, answer: Summary) -> LimitedAnswer[Summary]:
    sentences, beyond = limit_parts(answer.sentences, given.sentences, "sentence")
    sentences, longer = WordAllowance(given.words).split(sentences)
    return LimitedAnswer(Summary(sentences=sentences), (*longer, *beyond))


SUMMARY = WritingStep(
    name="summary",
    prompt=load_prompt(__package__, "summary"),
    output=Summary,
    extract=_summarize,
    limit=_limit_summary,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSummaryInput(WritingInput):
    """A maximum number of sentences."""

    sentences: int = 4


class PlainSummary(StepAnswer):
    """The sentences in reading order."""

    sentences: tuple[Cited, ...]


def _summarize_plainly(given: PlainSummaryInput) -> PlainSummary:
    return PlainSummary(sentences=extract_plain_summary(given.sources, given.sentences, language=given.language))


def _limit_plain_summary(given: PlainSummaryInput, answer: PlainSummary) -> LimitedAnswer[PlainSummary]:
    sentences, beyond = limit_parts(answer.sentences, given.sentences, "sentence")
    return LimitedAnswer(PlainSummary(sentences=sentences), beyond)


PLAIN_SUMMARY = WritingStep(
    name="plain_summary",
    prompt=load_prompt(__package__, "plain_summary"),
    output=PlainSummary,
    extract=_summarize_plainly,
    limit=_limit_plain_summary,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPointsInput(WritingInput):
    """A maximum number of points."""

    points: int = 5


class KeyPoints(StepAnswer):
    """The points in the order of the sources."""

    points: tuple[Cited, ...]


def _list_key_points(given: KeyPointsInput) -> KeyPoints:
    return KeyPoints(points=extract_key_points(given.sources, given.points, language=given.language))


def _limit_key_points(given: KeyPointsInput, answer: KeyPoints) -> LimitedAnswer[KeyPoints]:
    points, beyond = limit_parts(answer.points, given.points, "point")
    return LimitedAnswer(KeyPoints(points=points), beyond)


KEY_POINTS = WritingStep(
    name="key_points",
    prompt=load_prompt(__package__, "key_points"),
    output=KeyPoints,
    extract=_list_key_points,
    limit=_limit_key_points,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BulletsInput(WritingInput):
    """A maximum number of bullets and an approximate maximum of words for each."""

    bullets: int = 5
    words: int = 30


class Bullets(StepAnswer):
    """The bullets in the order of the sources."""

    bullets: tuple[Cited, ...]


def _list_bullets(given: BulletsInput) -> Bullets:
    return Bullets(bullets=extract_bullets(given.sources, given.bullets, words=given.words, language=given.language))


def _limit_bullets(given: BulletsInput, answer: Bullets) -> LimitedAnswer[Bullets]:
    bullets, beyond = limit_parts(answer.bullets, given.bullets, "bullet", words=given.words)
    return LimitedAnswer(Bullets(bullets=bullets), beyond)


BULLETS = WritingStep(
    name="bullets",
    prompt=load_prompt(__package__, "bullets"),
    output=Bullets,
    extract=_list_bullets,
    limit=_limit_bullets,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineInput(WritingInput):
    """A maximum number of words; about two and a half Chinese or Japanese characters count as one."""

    words: int = 12


class Headline(StepAnswer):
    """One line without a closing stop, empty where the sources yield none; a source's own title has no sentence."""

    text: str
    references: tuple[Reference, ...]


def _write_headline(given: HeadlineInput) -> Headline:
    headline = extract_headline(given.sources, given.words, language=given.language)
    return (
        Headline(text=headline.text, references=headline.references) if headline else Headline(text="", references=())
    )


def _limit_headline(given: HeadlineInput, answer: Headline) -> LimitedAnswer[Headline]:
    if not is_too_long(answer.text, given.words):
        return LimitedAnswer(answer)
    return LimitedAnswer(Headline(text="", references=()), (too_long(answer.text, given.words),))


HEADLINE = WritingStep(
    name="headline",
    prompt=load_prompt(__package__, "headline"),
    output=Headline,
    extract=_write_headline,
    limit=_limit_headline,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordsInput(WritingInput):
    """A maximum number of keywords."""

    keywords: int = 10


class Keyword(StepAnswer):
    """A word or short phrase as the sources write it, with where it stands."""

    text: str
    priority: Literal["high", "medium", "low"]
    references: tuple[Reference, ...]


class Keywords(StepAnswer):
    """The keywords, the weightiest first."""

    keywords: tuple[Keyword, ...]


def _list_keywords(given: KeywordsInput) -> Keywords:
    keywords = extract_keywords(given.sources, given.keywords, language=given.language)
    return Keywords(
        keywords=tuple(
            Keyword(text=keyword.text, priority=_priority(rank, len(keywords)), references=keyword.references)
            for rank, keyword in enumerate(keywords)
        )
    )


def _priority(rank: int, count: int) -> Literal["high", "medium", "low"]:
    return "high" if rank < (count + 2) // 3 else "medium" if rank < (2 * count + 2) // 3 else "low"


def _limit_keywords(given: KeywordsInput, answer: Keywords) -> LimitedAnswer[Keywords]:
    keywords, beyond = limit_parts(answer.keywords, given.keywords, "keyword")
    return LimitedAnswer(Keywords(keywords=keywords), beyond)


KEYWORDS = WritingStep(
    name="keywords",
    prompt=load_prompt(__package__, "keywords"),
    output=Keywords,
    extract=_list_keywords,
    limit=_limit_keywords,
)
