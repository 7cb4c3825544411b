"""The form of every step's output, and what was dropped from a model's answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from almanac.kit.text import shorten
from almanac.language.scripts import CJK
from almanac.language.segmentation import split_sentences

_CJK = re.compile(f"[{CJK}]")
_NOT_WORDS = re.compile(r"[\W_]+")
_FEWEST_WORDS, _FEWEST_CJK, _LONGEST_SHOWN = 4, 8, 120


class StepAnswer(BaseModel):
    """What a step makes. No field has a default, so an answer that lacks one is refused, as is an unknown field."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing. Such an answer is never cached."""
        return not any(text.strip() for group in self.text_groups() for text in group)

    def text_groups(self) -> list[list[str]]:
        """Texts in which no sentence may stand twice: by default those of the same field, in all of its lists."""
        groups: dict[str, list[str]] = {}
        for path, text in _walk(self, ""):
            groups.setdefault(path, []).append(text)
        return list(groups.values())


def _walk(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Every text with the names of its fields. References are no text."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, StepAnswer):
        for name in type(value).model_fields:
            yield from _walk(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _walk(item, path)


@dataclass(frozen=True, slots=True)
class DroppedSentence:
    """A sentence of a model's answer that is not used, and why, in a sentence for people."""

    text: str
    reason: str


AnswerT = TypeVar("AnswerT", bound=StepAnswer)


@dataclass(frozen=True, slots=True)
class LimitedAnswer(Generic[AnswerT]):
    """An answer within the limits of its step, and what went beyond them."""

    output: AnswerT
    dropped: tuple[DroppedSentence, ...] = ()


def refuse_repeats(answer: StepAnswer) -> None:
    """Raise ValidationError if a sentence stands twice in one group of texts. Short phrases may."""
    repeated = [sentence for group in answer.text_groups() for sentence in _repeated_sentences(group)]
    if repeated:
        raise ValidationError.from_exception_data(type(answer).__name__, [_repeat_error(text) for text in repeated])


def _repeated_sentences(texts: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        for sentence in split_sentences(text):
            folded = fold_sentence(sentence.text)
            if folded in seen:
                yield sentence.text
            elif len(folded.split()) >= _FEWEST_WORDS or len(_CJK.findall(folded)) >= _FEWEST_CJK:
                seen.add(folded)


def fold_sentence(text: str) -> str:
    """The words alone, in small letters: equal for sentences that differ in spaces and punctuation only."""
    return _NOT_WORDS.sub(" ", text.casefold()).strip()


def _repeat_error(text: str) -> InitErrorDetails:
    message = "this sentence stands twice, write it once: {sentence}"
    error = PydanticCustomError("repeated_sentence", message, {"sentence": shorten(text, _LONGEST_SHOWN)})
    return InitErrorDetails(type=error, loc=(), input=None)
