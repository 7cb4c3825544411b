"""Stored sentences in the reader's language.

The reasons of jobs, mails and checks are stored in English, whoever reads them later. A page that shows such a sentence
finds the text that it was made of and says it in the reader's language; a sentence that no text fits stays as it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from almanac.kit.catalogs import SOURCE_LANGUAGE, get_catalog, nearest_language
from almanac.kit.messages import Translatable, spoken_language, translate

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
_NUMBER = "num"
# A pattern with fewer letters of its own, such as `%(name)s: %(text)s`, would fit sentences that it didn't make.
_FEWEST_LETTERS = 8
_PREFIX = 3
_KEPT = 4096


@dataclass(frozen=True)
class _Pattern:
    """A text with placeholders; `shape` is its singular or its plural."""

    source: str
    plural: str
    context: str
    shape: str

    @property
    def letters(self) -> int:
        return sum(character.isalpha() for character in _PLACEHOLDER.sub("", self.shape))

    @property
    def beginning(self) -> str:
        return _PLACEHOLDER.split(self.shape)[0].replace("%%", "%")[:_PREFIX]

    @cached_property
    def expression(self) -> re.Pattern[str]:
        parts, seen = _PLACEHOLDER.split(self.shape), set[str]()
        written = re.escape(parts[0].replace("%%", "%"))
        for name, after in zip(parts[1::2], parts[2::2], strict=True):
            written += f"(?P={name})" if name in seen else f"(?P<{name}>.+?)"
            written += re.escape(after.replace("%%", "%"))
            seen.add(name)
        return re.compile(written, re.DOTALL)

    def read(self, sentence: str) -> Translatable | None:
        """The message that this sentence is, if this text made it."""
        match = self.expression.fullmatch(sentence)
        if match is None:
            return None
        values: dict[str, object] = {name: _recognize_part(value) for name, value in match.groupdict().items()}
        if not self.plural:
            return Translatable(self.source, values, context=self.context)
        number = str(values.pop(_NUMBER, "2" if self.shape == self.plural else "1")).replace(",", "")
        if not number.isdecimal():
            return None
        return Translatable(self.source, values, plural=self.plural, number=int(number))


@cache
def _list_patterns() -> tuple[dict[str, str], dict[str, list[_Pattern]]]:
    """Texts without placeholders with their contexts, and the others by how they begin, the longest first."""
    whole: dict[str, str] = {}
    patterns: dict[str, list[_Pattern]] = {}
    for pattern in _read_patterns():
        if not _PLACEHOLDER.search(pattern.shape):
            whole.setdefault(pattern.shape.replace("%%", "%"), pattern.context)
        elif pattern.letters >= _FEWEST_LETTERS:
            beginning = pattern.beginning
            patterns.setdefault(beginning if len(beginning) == _PREFIX else "", []).append(pattern)
    for listed in patterns.values():
        listed.sort(key=lambda pattern: -pattern.letters)
    return whole, patterns


def _read_patterns() -> Iterator[_Pattern]:
    """Every text of the interface, as any language's catalog lists them."""
    for context, source, plural in get_catalog("ja").texts:
        yield _Pattern(source, plural, context, source)
        if plural:
            yield _Pattern(source, plural, context, plural)


def translate_stored(sentence: str, language: str | None = None) -> str:
    """A sentence that was stored in English, in a language, by default the one being spoken."""
    language = nearest_language(spoken_language() if language is None else language)
    if language == SOURCE_LANGUAGE or not sentence:
        return str(sentence)
    return translate(sentence if isinstance(sentence, Translatable) else _recognize(sentence), language)


@lru_cache(_KEPT)
def _recognize(sentence: str) -> str:
    whole, patterns = _list_patterns()
    if (context := whole.get(sentence)) is not None:
        return Translatable(sentence.replace("%", "%%"), {}, context=context)
    candidates: list[_Pattern] = [*patterns.get(sentence[:_PREFIX], ()), *patterns.get("", ())]
    messages = (pattern.read(sentence) for pattern in candidates)
    return next((message for message in messages if message is not None), sentence)


def _recognize_part(value: str) -> str:
    """A value in a stored sentence, which may be a sentence itself; single words may be anybody's."""
    return _recognize(value) if " " in value else value
