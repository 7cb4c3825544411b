"""Extracts the facts of a sentence: moments, then identifier codes, then quantities.

Words and names are extracted on first use and cached with the sentence.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.verify.dates.moments import Moment, find_moments
from almanac.verify.names.han import HanName, find_han_names
from almanac.verify.names.latin import LatinName, LatinWord, capital_words, find_latin_names, latin_words
from almanac.verify.normalization import mask_spans, normalize_text
from almanac.verify.quantities.quantity import Quantity, find_quantities
from almanac.verify.quantities.rounding import locate_rounding
from almanac.verify.quantities.units import currency_before, is_unit

_CODE = lazy_regex(
    r"(?<![\w.])(?=[A-Z0-9/_-]*[0-9])(?=[A-Z0-9/_-]*[A-Z])[A-Z0-9]+(?:[-/_][A-Z0-9]+)+(?![\w])"
    r"|(?<![A-Za-z0-9])(?:[A-Za-z]+[0-9]|[0-9]+[A-Za-z]+[0-9])[A-Za-z0-9]*(?![A-Za-z0-9])"
)
_MEASURED_TWICE = lazy_regex(
    r"(?i)[0-9]+(?:c?m|km|mm|x|h|hrs?|mins?|am|pm|gb|to|th|st|nd|rd|km2|m2|m3|v)[0-9]*(?:c?m|mm|ft|in)?"
)
_AGE_BEFORE = lazy_regex(
    r"(?i)\b(?:aged|age|ages|berusia|berumur|usia|umur)(?= [0-9])"
    r"|\b(?:past|last|previous)(?= (?:[0-9]+|a|one|two|three|four|five|six|seven|eight|nine|ten|twelve|few)?[ -]?"
    r"(?:years|months|weeks|days|decades?|hours|century)\b)"
)
# Enough for one page of text; parsed sources hold their own sentences.
SENTENCE_CACHE_SIZE = 1024
_FIRST_DIGIT = lazy_regex("[0-9]")


@dataclass(frozen=True, slots=True)
class IdentifierCode:
    """An identifier of letters and digits, such as an invoice number; it must match the source exactly."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class SentenceFacts:
    """The checkable facts of one sentence; quotations are found separately."""

    text: str
    moments: tuple[Moment, ...]
    codes: tuple[IdentifierCode, ...]
    quantities: tuple[Quantity, ...]

    @property
    def measured(self) -> tuple[Quantity | Moment, ...]:
        """Quantities and moments: facts whose value can be written in several ways."""
        return (*self.quantities, *self.moments)

    @cached_property
    def masked_text(self) -> str:
        """The normalized text with its facts masked: only words and names are left."""
        read: list[Moment | IdentifierCode | Quantity] = [*self.measured, *self.codes]
        return mask_spans(self.text, [(fact.start, fact.end) for fact in read])

    @cached_property
    def content_text(self) -> str:
        """The masked text without words that only belong to a figure: `more than`, `aged`."""
        spans = [locate_rounding(self.text, each.start, each.end)[1] for each in self.quantities]
        spans += [match.span() for match in _AGE_BEFORE.finditer(self.text)]
        return mask_spans(self.masked_text, spans)

    @cached_property
    def words(self) -> tuple[LatinWord, ...]:
        """Words in Latin letters; parts of hyphenated words are words."""
        return latin_words(self.text)

    @cached_property
    def word_keys(self) -> frozenset[str]:
        """All words in Latin letters, casefolded."""
        return frozenset(word.key for word in self.words)

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """The words in capitals, casefolded."""
        return capital_words(self.words)

    @cached_property
    def latin_names(self) -> tuple[LatinName, ...]:
        return find_latin_names(self.masked_text)

    def han_names(self, language: str) -> tuple[HanName, ...]:
        """Names in Han characters and kana, read as Japanese or as Chinese."""
        return self._as_japanese if language == "ja" else self._as_chinese

    @cached_property
    def _as_japanese(self) -> tuple[HanName, ...]:
        return find_han_names(self.masked_text, "ja")

    @cached_property
    def _as_chinese(self) -> tuple[HanName, ...]:
        return find_han_names(self.masked_text, "zh")


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def read_facts(sentence: str) -> SentenceFacts:
    """Extract the facts of a sentence. Cached."""
    text = normalize_text(sentence)
    moments = find_moments(text)
    rest = mask_spans(text, [(moment.start, moment.end) for moment in moments])
    codes = [IdentifierCode(*match.span(), match[0]) for match in _CODE.finditer(rest) if not _is_measured(rest, match)]
    rest = mask_spans(rest, [(code.start, code.end) for code in codes])
    return SentenceFacts(text, tuple(moments), tuple(codes), tuple(find_quantities(rest)))


def _is_measured(text: str, match: re.Match[str]) -> bool:
    """RM97 is an amount, km2 a unit; RON97 is a kind of petrol, CYP1A2 an enzyme."""
    if is_unit(match[0]) or _MEASURED_TWICE.fullmatch(match[0]):
        return True
    digit = _FIRST_DIGIT.search(text, match.start())
    before = currency_before(text, digit.start()) if digit else None
    return before is not None and before[1] == match.start()
