"""What of a written story may be kept: every text against the article, also across translation; the rest is dropped.

Pure and slow for long articles, so callers run it in a thread.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from almanac.desks.news.model.articles import LANGUAGES, NOT_TRANSLATED, ORIGINAL, TRANSLATED, Bullet, is_headline
from almanac.desks.news.writer.step import Story, StoryPoint
from almanac.language.detection import detect_language
from almanac.language.segmentation import TextSentence, split_sentences
from almanac.verify import CitedClaim, VerificationReport, check

_ARTICLE = "article"
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class CheckedStory:
    """What stood the check, the state of each language, and what was dropped with its reason."""

    headlines: Mapping[str, str]
    bullets: tuple[Bullet, ...]
    states: Mapping[str, str]
    dropped: tuple[str, ...] = ()


@dataclass(slots=True)
class StoryCheck:
    """Checks the texts of one story against one article."""

    title: str
    text: str
    language: str
    dropped: list[str] = field(default_factory=list)
    _whole: str = field(init=False)
    _folded: str = field(init=False)

    def __post_init__(self) -> None:
        self._whole = f"{self.title}\n\n{self.text}"
        self._folded = _folded(self._whole)

    def kept(self, story: Story) -> CheckedStory:
        """The story without what the article does not say."""
        split = split_sentences(self.text)
        bullets = tuple(bullet for point in story.points if (bullet := self._bullet(point, split)) is not None)
        return CheckedStory(self._headlines(story), bullets, self._states(bullets), tuple(self.dropped))

    def _bullet(self, point: StoryPoint, split: list[TextSentence]) -> Bullet | None:
        numbers = [
            reference.sentence
            for reference in point.references
            if reference.sentence is not None and reference.sentence < len(split)
        ]
        if not numbers or not self._holds(point.text, translated=False):
            self.dropped.append(f"{point.text}: the article doesn't say this.")
            return None
        texts = {self.language: point.text}
        for language in LANGUAGES:
            translation = str(getattr(point, language)).strip()
            if language != self.language and translation and self._is_translation(translation, language):
                texts[language] = translation
        place = split[numbers[0]]
        return Bullet(sentence=place.text, start=place.start, end=place.end, texts=texts)

    def _is_translation(self, text: str, language: str) -> bool:
        if _written_in(text) == _script(language) and self._holds(text, translated=True):
            return True
        self.dropped.append(f"{text}: the article doesn't say this.")
        return False

    def _headlines(self, story: Story) -> dict[str, str]:
        headlines = {language: str(getattr(story, f"headline_{language}")).strip() for language in LANGUAGES}
        headlines[self.language] = story.headline.strip()
        return {
            language: text
            for language, text in headlines.items()
            if text and is_headline(text) and self._holds(text, translated=language != self.language)
        }

    def _holds(self, text: str, *, translated: bool) -> bool:
        """A part of the article word for word holds without further ado; anything else is checked fact by fact."""
        if not text.strip():
            return False
        if not translated and _folded(text).rstrip(".。") in self._folded:
            return True
        report: VerificationReport = check(
            [CitedClaim(text, (_ARTICLE,))], {_ARTICLE: self._whole}, across_translation=translated
        )
        return report.supported

    def _states(self, bullets: tuple[Bullet, ...]) -> dict[str, str]:
        """A language counts as translated only where every point is there."""
        states = {language: self._state(language, bullets) for language in LANGUAGES}
        return {**states, self.language: ORIGINAL}

    def _state(self, language: str, bullets: tuple[Bullet, ...]) -> str:
        is_complete = bool(bullets) and all(bullet.texts.get(language) for bullet in bullets)
        return TRANSLATED if is_complete else NOT_TRANSLATED


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).casefold()


def _script(language: str) -> str:
    return "zh" if language == "zh" else "latin"


def _written_in(text: str) -> str:
    return "zh" if detect_language(text) in ("zh", "ja") else "latin"
