"""What of a written story may be kept: a text that the sentences it cites support, also across translation.

Where another sentence of the article carries a point, its reference moves there. Everything else is dropped with the
reason. Pure and slow for long articles, so callers run it in a thread.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from almanac.desks.news.model.articles import (
    LANGUAGES,
    NOT_TRANSLATED,
    ORIGINAL,
    PARTLY_TRANSLATED,
    TRANSLATED,
    Bullet,
    is_headline,
)
from almanac.desks.news.writer.step import Story, StoryPoint
from almanac.judge import JudgeOpinions, SourcedCheck
from almanac.language.boilerplate import Omission, find_omissions, is_boilerplate, is_instruction
from almanac.language.detection import detect_language
from almanac.language.segmentation import TextSentence, split_sentences
from almanac.llm.answer import DroppedSentence
from almanac.verify import CheckedClaim, CitedClaim, Verdict, check
from almanac.verify.explanations import explain_fault

_SOURCE, _NAME = "article", "The article"
_SPACE = re.compile(r"\s+")
_NAMES = {"en": "English", "zh": "Chinese", "ms": "Malay"}
_EMPTY = "It has no words."
_INSTRUCTION = "It is addressed to machines and isn't part of the article."
_BOILERPLATE = "It is a line of the publisher (byline, sign-up, sharing or the like) and isn't part of the article."
_NO_HEADLINE = "A headline has two to eight words on one line, without a full stop."
_OTHER_SCRIPT = "It isn't written in that language."
_NO_REFERENCE = "It names no sentence of the article, and no sentence carries it."


@dataclass(frozen=True, slots=True)
class CheckedStory:
    """What stood the check, the state of each language, and what was dropped with its reason."""

    headlines: Mapping[str, str]
    bullets: tuple[Bullet, ...]
    states: Mapping[str, str]
    dropped: tuple[DroppedSentence, ...] = ()


class _SentenceCheck(NamedTuple):
    """The number of the sentence that carries a text, or None and the reason."""

    number: int | None
    reason: str = ""


@dataclass(slots=True)
class StoryCheck:
    """Checks the texts of one story against one article.

    Extraction can't say what the article doesn't: of a point that was shortened too much it keeps the whole sentence.
    """

    title: str
    text: str
    language: str
    is_extracted: bool = False
    opinions: JudgeOpinions = field(default_factory=JudgeOpinions)
    checks: list[SourcedCheck] = field(default_factory=list)
    dropped: list[DroppedSentence] = field(default_factory=list)
    _confirmed: dict[str, str] = field(default_factory=dict)
    _split: list[TextSentence] = field(init=False)
    _omissions: Mapping[int, Omission] = field(init=False)

    def __post_init__(self) -> None:
        self._split = split_sentences(self.text)
        self._omissions = find_omissions(self._split)

    def kept(self, story: Story) -> CheckedStory:
        """The story without what the article does not say."""
        bullets = tuple(bullet for point in story.points if (bullet := self._bullet(point)) is not None)
        return CheckedStory(self._headlines(story), bullets, self._states(bullets), tuple(self.dropped))

    def _bullet(self, point: StoryPoint) -> Bullet | None:
        cited = self._cited_numbers(point)
        number, reason = self._find_support(point.text, cited)
        text = point.text
        if number is None and self.is_extracted and cited:
            number, text = cited[0], self._split[cited[0]].text
        if number is None:
            self._drop(point.text, reason)
            return None
        texts = {self.language: text}
        for language in LANGUAGES:
            translation = str(getattr(point, language)).strip()
            if language != self.language and translation and self._is_translation(translation, language, number, cited):
                texts[language] = translation
        place = self._split[number]
        moved = number not in cited
        judged_by = next((self._confirmed[text] for text in texts.values() if text in self._confirmed), "")
        return Bullet(
            sentence=place.text, start=place.start, end=place.end, texts=texts, moved=moved, judged_by=judged_by
        )

    def _cited_numbers(self, point: StoryPoint) -> list[int]:
        """The sentences that a point cites, without those that aren't part of the article."""
        numbers = (reference.sentence for reference in point.references)
        return [
            number
            for number in dict.fromkeys(numbers)
            if number is not None and number < len(self._split) and number not in self._omissions
        ]

    def _find_support(self, text: str, cited: Sequence[int]) -> _SentenceCheck:
        if reason := _find_foreign_text(text):
            return _SentenceCheck(None, reason)
        if (number := next((n for n in cited if _folded(self._split[n].text) == _folded(text)), None)) is not None:
            return _SentenceCheck(number)
        first = self._check_sentences(text, cited) if cited else _SentenceCheck(None, _NO_REFERENCE)
        if first.number is not None:
            return first
        # A name that the cited sentence replaces by "the farm" may stand in the title or in another sentence.
        nearest = self._nearest_sentence(text)
        candidates = [(nearest, ""), (cited, self.title), (nearest, self.title)]
        for numbers, title in candidates:
            if numbers and (checked := self._check_sentences(text, numbers, title)).number is not None:
                return checked
        return first

    def _check_sentences(self, text: str, numbers: Sequence[int], title: str = "") -> _SentenceCheck:
        """The check against these sentences alone, with the title for what they leave unnamed."""
        starts, source = [], f"{title}\n\n" if title else ""
        for number in sorted(numbers):
            starts.append((number, len(source)))
            source += self._split[number].text + "\n"
        checked = self._check(text, source)
        if checked.verdict is not Verdict.SUPPORTED:
            return _SentenceCheck(None, explain_fault(checked, _NAME))
        at = checked.matched[0] if checked.matched else starts[0][1]
        return _SentenceCheck(next((number for number, start in reversed(starts) if start <= at), None))

    def _nearest_sentence(self, text: str) -> list[int]:
        """The sentence of the whole article that is most like a text; none if that isn't part of the article."""
        matched = _check(text, self.text).matched
        if matched is None:
            return []
        start, end = matched
        inside = [n for n, sentence in enumerate(self._split) if sentence.start < end and start < sentence.end]
        return [number for number in inside if number not in self._omissions][:1]

    def _is_translation(self, text: str, language: str, number: int, cited: Sequence[int]) -> bool:
        reason = _find_foreign_text(text) or ("" if _written_in(text) == _script(language) else _OTHER_SCRIPT)
        if not reason:
            source = "\n".join([self.title, *(self._split[n].text for n in sorted({number, *cited}))])
            checked = self._check(text, source, translated=True)
            if checked.verdict is Verdict.SUPPORTED:
                return True
            reason = explain_fault(checked, _NAME)
        self._drop(text, f"Translation into {_NAMES[language]}: {reason}")
        return False

    def _headlines(self, story: Story) -> dict[str, str]:
        headlines = {language: str(getattr(story, f"headline_{language}")).strip() for language in LANGUAGES}
        headlines[self.language] = story.headline.strip()
        return {language: text for language, text in headlines.items() if text and self._is_headline(text, language)}

    def _is_headline(self, text: str, language: str) -> bool:
        reason = "" if is_headline(text) else _NO_HEADLINE
        reason = reason or _find_foreign_text(text)
        if not reason and _folded(text) == _folded(self.title):
            return True
        if not reason:
            checked = self._check(text, f"{self.title}\n\n{self.text}", translated=language != self.language)
            # A headline has no room for the name of a judge, so only the rules confirm it.
            if checked.verdict is Verdict.SUPPORTED and not checked.judged_by:
                return True
            reason = explain_fault(checked, _NAME)
        self._drop(text, f"Headline: {reason}")
        return False

    def _check(self, text: str, source: str, *, translated: bool = False) -> CheckedClaim:
        """A check that decides about a text, by the rules and the opinion of a judge."""
        checked = _check(text, source, translated=translated)
        sources = {_SOURCE: source}
        self.checks.append(SourcedCheck(checked, sources))
        checked = self.opinions.apply(checked, sources)
        if checked.judged_by:
            self._confirmed[text] = checked.judged_by
        return checked

    def _drop(self, text: str, reason: str) -> None:
        """Extraction drops in silence, because the sentence stands in the article anyway."""
        if not self.is_extracted:
            self.dropped.append(DroppedSentence(text, reason))

    def _states(self, bullets: tuple[Bullet, ...]) -> dict[str, str]:
        """A language counts as translated only where every point is there, and as partly translated where some are."""
        states = {language: self._state(language, bullets) for language in LANGUAGES}
        return {**states, self.language: ORIGINAL}

    def _state(self, language: str, bullets: tuple[Bullet, ...]) -> str:
        is_there = [bool(bullet.texts.get(language)) for bullet in bullets]
        if not any(is_there):
            return NOT_TRANSLATED
        return TRANSLATED if all(is_there) else PARTLY_TRANSLATED


def _check(text: str, source: str, *, translated: bool = False) -> CheckedClaim:
    claim = CitedClaim(text, (_SOURCE,))
    return check([claim], {_SOURCE: source}, across_translation=translated).sentences[0]


def _find_foreign_text(text: str) -> str:
    """Why a text can't be content of an article whatever it says; empty if it can."""
    if not text.strip():
        return _EMPTY
    if is_instruction(text):
        return _INSTRUCTION
    return _BOILERPLATE if is_boilerplate(text) else ""


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip().rstrip(".。").casefold()


def _script(language: str) -> str:
    return "zh" if language == "zh" else "latin"


def _written_in(text: str) -> str:
    return "zh" if detect_language(text) in ("zh", "ja") else "latin"
