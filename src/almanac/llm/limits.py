"""Limits of a step, applied to a model's answer: what goes beyond them is dropped, with the reason."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from almanac.kit.messages import gettext, ngettext
from almanac.kit.text import counted
from almanac.llm.answer import DroppedSentence
from almanac.llm.extractive.measures import count_words

# Models count words badly, and languages differ in what a word is: a little more than was asked for passes.
_MORE_PER_SENTENCE = 1.25
_MORE_IN_ALL = 1.5


class HasText(Protocol):
    """A part of an answer with a text of its own."""

    @property
    def text(self) -> str: ...


PartT = TypeVar("PartT", bound=HasText)


def is_too_long(text: str, words: int) -> bool:
    """Whether a text is clearly longer than asked for."""
    return count_words(text) > words * _MORE_PER_SENTENCE


def too_long(text: str, words: int) -> DroppedSentence:
    return DroppedSentence(
        text,
        ngettext(
            "It is longer than the %(num)s word asked for.", "It is longer than the %(num)s words asked for.", words
        ),
    )


def limit_parts(
    parts: Sequence[PartT], most: int, what: str, *, words: int | None = None
) -> tuple[tuple[PartT, ...], tuple[DroppedSentence, ...]]:
    """The first `most` parts that are not too long, and the others with the reason; `what` is the noun for a part."""
    kept: list[PartT] = []
    dropped: list[DroppedSentence] = []
    for part in parts:
        if words is not None and is_too_long(part.text, words):
            dropped.append(too_long(part.text, words))
        elif len(kept) < most:
            kept.append(part)
        else:
            dropped.append(
                DroppedSentence(part.text, gettext("Only %(most)s could be used.", most=counted(most, what)))
            )
    return tuple(kept), tuple(dropped)


class WordAllowance:
    """So many words for all sentences of a text together; the sentence that goes beyond is the first not to fit."""

    def __init__(self, words: int | None) -> None:
        self._words = words
        self._left = float("inf") if words is None else words * _MORE_IN_ALL

    def split(self, parts: Sequence[PartT]) -> tuple[tuple[PartT, ...], tuple[DroppedSentence, ...]]:
        """The next parts that fit, and those that don't."""
        kept: list[PartT] = []
        dropped: list[DroppedSentence] = []
        for part in parts:
            self._left -= count_words(part.text)
            if self._left >= 0:
                kept.append(part)
            else:
                reason = ngettext(
                    "The text is already as long as the %(num)s word asked for.",
                    "The text is already as long as the %(num)s words asked for.",
                    self._words or 0,
                )
                dropped.append(DroppedSentence(part.text, reason))
        return tuple(kept), tuple(dropped)
