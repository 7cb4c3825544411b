"""The sentences of an article that tell most of it, and its headline, by extraction; done where the page is read."""

from dataclasses import dataclass

from almanac.language.boilerplate import find_omissions
from almanac.language.segmentation import split_sentences
from almanac.llm.extractive.headlines import extract_headline
from almanac.llm.extractive.summaries import extract_bullets
from almanac.llm.sources import StepSource

POINTS, WORDS, HEADLINE_WORDS = 5, 30, 8
_OPENING = 3


@dataclass(frozen=True, slots=True)
class Highlight:
    """A part of a sentence that stands alone, and the number of that sentence in the article, from 0."""

    text: str
    sentence: int


@dataclass(frozen=True, slots=True)
class Highlights:
    """What was chosen; the headline is empty where no part of the article makes one."""

    headline: str = ""
    points: tuple[Highlight, ...] = ()


NO_HIGHLIGHTS = Highlights()


def pick_highlights(title: str, text: str) -> Highlights:
    """Points and headline of an article; of one in which no sentence stands out, the first ones."""
    source = StepSource(id="article", text=text, title=title)
    headline = extract_headline((source,), HEADLINE_WORDS)
    points = tuple(
        Highlight(bullet.text, bullet.references[0].sentence)
        for bullet in extract_bullets((source,), POINTS, words=WORDS)
        if bullet.references and bullet.references[0].sentence is not None
    )
    return Highlights(headline.text if headline else "", points or _opening(text))


def _opening(text: str) -> tuple[Highlight, ...]:
    split = split_sentences(text)
    omissions = find_omissions(split)
    content = [Highlight(sentence.text, number) for number, sentence in enumerate(split) if number not in omissions]
    return tuple(content[:_OPENING])
