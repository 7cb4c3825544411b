"""Splits sentences into clauses, so that a fact can be assigned to the words around it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import CJK
from almanac.verify.facts import SENTENCE_CACHE_SIZE, SentenceFacts
from almanac.verify.normalization import Span, mask_spans
from almanac.verify.quotations import find_quotations
from almanac.verify.sources import sentence_terms
from almanac.verify.statements.antonym_words import mask_directions

_CJK = lazy_regex(f"[{CJK}]")
_CJK_BREAK = lazy_regex("[;,、。]|而(?=[^且])")
_LATIN_BREAK = lazy_regex(
    r"(?i);|,? \b(?:while|whereas|whilst|but|and|although|though|manakala|sementara|sedangkan|tetapi|namun|dan)\b"
    r"|, (?:compared|against|versus|berbanding)\b"
)

_AND = lazy_regex(r"(?i),? ?(?:and|dan)\b")

_HARD = lazy_regex(r"(?i);|,? (?:while|whereas|manakala|sementara|sedangkan)\b")
_LETTER = lazy_regex(r"\w")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence. `masked_text` is the whole sentence with facts and quotations masked."""

    start: int
    end: int
    masked_text: str

    @property
    def terms(self) -> frozenset[str]:
        return sentence_terms(self.masked_text[self.start : self.end])

    def contains(self, start: int) -> bool:
        return self.start <= start < self.end


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def split_clauses(facts: SentenceFacts) -> tuple[Clause, ...]:
    """The clauses in order. A part without a fact joins the next one, unless `while` or a semicolon separates them."""
    quoted = [(quotation.start, quotation.end) for quotation in find_quotations(facts.text)]
    bare = mask_spans(facts.masked_text, quoted)
    starts = sorted([*(fact.start for fact in (*facts.measured, *facts.codes)), *(start for start, _ in quoted)])
    breaks = _breaks(bare)
    spans: list[Span] = []
    begin = 0
    for end in [*breaks, len(bare)]:
        if any(begin <= at < end for at in starts) or _HARD.match(bare, end):
            spans.append((begin, end))
            begin = end
    if begin < len(bare) and spans and _belongs_before(bare[begin:]):
        begin = spans.pop()[0]
    if begin < len(bare):
        spans.append((begin, len(bare)))
    return tuple(Clause(start, end, bare) for start, end in spans)


def _breaks(bare: str) -> list[int]:
    pattern = _CJK_BREAK if _CJK.search(bare) else _LATIN_BREAK
    return [match.start() for match in pattern.finditer(bare) if not _joins_names(bare, match)]


def _joins_names(bare: str, match: re.Match[str]) -> bool:
    """Whether the break joins two names, as in `in Hume and Dartford`."""
    before, after = bare[: match.start()].rpartition(" ")[2], bare[match.end() :].lstrip()
    return bool(_AND.fullmatch(match[0])) and before[:1].isupper() and after[:1].isupper()


def _belongs_before(rest: str) -> bool:
    """Whether a last part without a fact belongs to the clause before: `and Hume`, or the speaker in Chinese."""
    return not _LETTER.search(rest) or bool(_CJK.search(rest) or _AND.match(rest))


def clause_index(facts: SentenceFacts, start: int) -> int:
    """The index of the clause in which a fact starts."""
    return next(number for number, clause in enumerate(split_clauses(facts)) if clause.contains(start))


def clause_terms(clause: Clause) -> frozenset[str]:
    """The terms of a clause."""
    return clause.terms


def direction_free_terms(clause: Clause) -> frozenset[str]:
    """The terms of a clause without rose, fell and similar words."""
    return sentence_terms(mask_directions(clause.masked_text)[clause.start : clause.end])
