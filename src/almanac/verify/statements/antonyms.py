"""Finds a word replaced by its antonym, comparing each clause of the claim with the matching clause of the source."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.dates.moments import NO_DATE_CONTEXT, Moment, moments_match
from almanac.verify.facts import SentenceFacts
from almanac.verify.names.latin import latin_words
from almanac.verify.names.mentions import collect_han_cores, find_name_mentions
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.sources import sentence_terms
from almanac.verify.statements.antonym_words import AntonymForms, mask_antonyms, read_antonyms
from almanac.verify.statements.clauses import Clause, clause_index, direction_free_terms, split_clauses
from almanac.verify.statements.negation import NEGATION_WORDS

_CLOSE_COPY = 0.7
_PIECE = lazy_regex(
    r"(?i)[,;、。]|\b(?:and|but|while|whereas|despite|although|though|as|dan|tetapi|manakala|walaupun|meskipun|sedangkan)\b|[而但]"
)


class _AntonymSwap(NamedTuple):
    """A word of the claim, its antonym in the source, and whether they are converse."""

    mine: str
    theirs: str
    converse: bool


def find_antonym_swap(facts: SentenceFacts, alignment: Alignment, language: str) -> tuple[str, str] | None:
    """The first word of the claim that replaces its antonym, and that antonym; None without one."""
    cjk = language in {"ja", "zh"}
    source_facts = alignment.best.facts
    for clause in split_clauses(facts):
        claimed, other = facts.text[clause.start : clause.end], _find_source_clause(clause, facts, alignment)
        sourced = source_facts.text if other is None else source_facts.text[other.start : other.end]
        for swap in _find_cjk_swaps(claimed, sourced) if cjk else _find_latin_swaps(claimed, sourced):
            if swap.converse and not _has_one_actor(facts, clause, source_facts, other, language):
                continue
            # A claim with both words, as votes for and against, has one of them from another sentence.
            if other is None and swap.theirs in facts.text.lower():
                continue
            if _coverage_after_fix(clause, alignment, swap, cjk=cjk) >= _CLOSE_COPY:
                return swap.mine, swap.theirs
        for swap in _find_swaps_in_pieces(facts, clause, source_facts, other, cjk=cjk):
            return swap.mine, swap.theirs
    return None


def _find_swaps_in_pieces(
    facts: SentenceFacts, clause: Clause, source_facts: SentenceFacts, other: Clause | None, *, cjk: bool
) -> Iterator[_AntonymSwap]:
    """Compare small parts of a clause, where the source has both words of a pair for different things."""
    theirs = _split_pieces(other or Clause(0, len(source_facts.text), source_facts.masked_text))
    for piece in _split_pieces(clause):
        wanted = _antonym_free_terms(piece)
        rated = sorted(((len(wanted & _antonym_free_terms(each)), each.start, each) for each in theirs), reverse=True)
        if not wanted or not rated or rated[0][0] < _CLOSE_COPY * len(wanted):
            continue
        best = rated[0][2]
        if (len(rated) > 1 and rated[1][0] == rated[0][0]) or not _share_facts(facts, piece, source_facts, best):
            continue
        claimed, sourced = facts.text[piece.start : piece.end], source_facts.text[best.start : best.end]
        for swap in _find_cjk_swaps(claimed, sourced) if cjk else _find_latin_swaps(claimed, sourced):
            elsewhere = [
                each
                for each in theirs
                if each != best and swap.mine in source_facts.text[each.start : each.end].lower()
            ]
            if not swap.converse and all(_antonym_free_terms(each) - wanted for each in elsewhere):
                yield swap


def _antonym_free_terms(piece: Clause) -> frozenset[str]:
    """The terms of a piece without words that have an antonym, unless nothing else is left."""
    return sentence_terms(mask_antonyms(piece.masked_text)[piece.start : piece.end]) or direction_free_terms(piece)


def _split_pieces(clause: Clause) -> list[Clause]:
    edges = [
        clause.start,
        *(m.start() for m in _PIECE.finditer(clause.masked_text, clause.start + 1, clause.end)),
        clause.end,
    ]
    return [
        Clause(start, end, clause.masked_text)
        for start, end in pairwise(edges)
        if sentence_terms(clause.masked_text[start:end])
    ]


def _share_facts(facts: SentenceFacts, piece: Clause, source_facts: SentenceFacts, best: Clause) -> bool:
    """Whether both pieces share a figure or date, or the claim's has none."""
    claimed = [fact for fact in facts.measured if piece.contains(fact.start)]
    sourced = [fact for fact in source_facts.measured if best.contains(fact.start)]
    return not claimed or any(_facts_match(first, second) for first in claimed for second in sourced)


def _facts_match(first: Quantity | Moment, second: Quantity | Moment) -> bool:
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        return quantities_match(first, second)
    return isinstance(first, Moment) and isinstance(second, Moment) and moments_match(first, second, NO_DATE_CONTEXT)


def _find_source_clause(clause: Clause, facts: SentenceFacts, alignment: Alignment) -> Clause | None:
    """The source clause with the same figures and most of the words; None if that isn't one clause."""
    source_facts = alignment.best.facts
    held = {
        clause_index(source_facts, sourced.start)
        for sourced in source_facts.quantities
        for claimed in facts.quantities
        if clause.contains(claimed.start) and quantities_match(claimed, sourced)
    }
    if len(held) != 1:
        return None
    other = split_clauses(source_facts)[held.pop()]
    shared = direction_free_terms(clause) & alignment.best.terms
    return other if not shared or len(shared & other.terms) > len(shared) / 2 else None


def _has_one_actor(
    facts: SentenceFacts, clause: Clause, source_facts: SentenceFacts, other: Clause | None, language: str
) -> bool:
    """Whether both clauses name only one party, the same: `Hume sold` for `Hume bought`."""
    cores = collect_han_cores([facts, source_facts], language)
    mine = [name for name in find_name_mentions(facts, cores) if clause.contains(name.start)]
    theirs = [name for name in find_name_mentions(source_facts, cores) if other is None or other.contains(name.start)]
    return len(mine) == 1 and bool(theirs) and mine[0].is_same_name(theirs[0])


def _coverage_after_fix(clause: Clause, alignment: Alignment, swap: _AntonymSwap, *, cjk: bool) -> float:
    """The share of a clause's terms in the source once the antonym is corrected (removed in CJK text)."""
    claimed = clause.masked_text[clause.start : clause.end]
    wanted = sentence_terms(
        claimed.replace(swap.mine, " ") if cjk else re.sub(rf"(?i)\b{swap.mine}\b", swap.theirs, claimed)
    )
    return len(wanted & alignment.best.terms) / len(wanted) if wanted else 1.0


def _find_latin_swaps(claimed: str, sourced: str) -> Iterator[_AntonymSwap]:
    claimed_words, sourced_words = _words(claimed), _words(sourced)
    if (claimed_words & NEGATION_WORDS) != (sourced_words & NEGATION_WORDS):
        return
    for left, right, converse in read_antonyms("antonyms.txt"):
        for mine, theirs in (({*left}, {*right}), ({*right}, {*left})):
            if (
                claimed_words & mine
                and not claimed_words & theirs
                and sourced_words & theirs
                and not sourced_words & mine
            ):
                yield _AntonymSwap(min(claimed_words & mine), min(sourced_words & theirs), converse)


def _words(text: str) -> frozenset[str]:
    """The words of a text; `didn't` counts as not."""
    keys = [word.key for word in latin_words(text)]
    return frozenset(keys) | {"not" for key in keys if key.endswith("n't")}


def _find_cjk_swaps(claimed: str, sourced: str) -> Iterator[_AntonymSwap]:
    for left, right, converse in read_antonyms("antonyms_cjk.txt"):
        for mine, theirs in ((left, right), (right, left)):
            ours, others = _first_form_in(claimed, mine), _first_form_in(sourced, theirs)
            if ours and others and not _first_form_in(claimed, theirs) and not _first_form_in(sourced, mine):
                yield _AntonymSwap(ours, others, converse)


def _first_form_in(text: str, forms: AntonymForms) -> str | None:
    return next((form for form in forms if form in text), None)
