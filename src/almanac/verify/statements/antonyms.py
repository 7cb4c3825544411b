"""Finds a word put for its antonym, each clause of the claim beside the clause of the source that tells the same."""

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
    """A word of the claim, its antonym in the source, and whether both tell one deed from its two ends."""

    mine: str
    theirs: str
    converse: bool


def find_antonym_swap(facts: SentenceFacts, alignment: Alignment, language: str) -> tuple[str, str] | None:
    """The first word of the claim that stands for its antonym, and that antonym."""
    cjk = language in {"ja", "zh"}
    there = alignment.best.facts
    for clause in split_clauses(facts):
        said, other = facts.text[clause.start : clause.end], _find_source_clause(clause, facts, alignment)
        meant = there.text if other is None else there.text[other.start : other.end]
        for put in _find_cjk_swaps(said, meant) if cjk else _find_latin_swaps(said, meant):
            if put.converse and not _has_one_actor(facts, clause, there, other, language):
                continue
            # Who tells both, as votes for and against, has one of them from another sentence.
            if other is None and put.theirs in facts.text.lower():
                continue
            if _coverage_after_fix(clause, alignment, put, cjk=cjk) >= _CLOSE_COPY:
                return put.mine, put.theirs
        for put in _find_swaps_in_pieces(facts, clause, there, other, cjk=cjk):
            return put.mine, put.theirs
    return None


def _find_swaps_in_pieces(
    facts: SentenceFacts, clause: Clause, there: SentenceFacts, other: Clause | None, *, cjk: bool
) -> Iterator[_AntonymSwap]:
    """The same within the small parts of a clause, where the source says one of this and the other of that."""
    theirs = _split_pieces(other or Clause(0, len(there.text), there.masked_text))
    for piece in _split_pieces(clause):
        wanted = _antonym_free_terms(piece)
        rated = sorted(((len(wanted & _antonym_free_terms(each)), each.start, each) for each in theirs), reverse=True)
        if not wanted or not rated or rated[0][0] < _CLOSE_COPY * len(wanted):
            continue
        best = rated[0][2]
        if (len(rated) > 1 and rated[1][0] == rated[0][0]) or not _share_facts(facts, piece, there, best):
            continue
        said, meant = facts.text[piece.start : piece.end], there.text[best.start : best.end]
        for put in _find_cjk_swaps(said, meant) if cjk else _find_latin_swaps(said, meant):
            elsewhere = [
                each for each in theirs if each != best and put.mine in there.text[each.start : each.end].lower()
            ]
            if not put.converse and all(_antonym_free_terms(each) - wanted for each in elsewhere):
                yield put


def _antonym_free_terms(piece: Clause) -> frozenset[str]:
    """What a piece is about apart from all that has an antonym; `exports` has one and is a subject all the same."""
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


def _share_facts(facts: SentenceFacts, piece: Clause, there: SentenceFacts, best: Clause) -> bool:
    """Whether both pieces have the same figures and dates: those of another piece are of something else."""
    said = [fact for fact in facts.measured if piece.contains(fact.start)]
    meant = [fact for fact in there.measured if best.contains(fact.start)]
    return not said or any(_facts_match(one, two) for one in said for two in meant)


def _facts_match(one: Quantity | Moment, two: Quantity | Moment) -> bool:
    if isinstance(one, Quantity) and isinstance(two, Quantity):
        return quantities_match(one, two)
    return isinstance(one, Moment) and isinstance(two, Moment) and moments_match(one, two, NO_DATE_CONTEXT)


def _find_source_clause(clause: Clause, facts: SentenceFacts, alignment: Alignment) -> Clause | None:
    """The clause of the source's sentence that has the figures of this one and most of its words."""
    there = alignment.best.facts
    held = {
        clause_index(there, meant.start)
        for meant in there.quantities
        for said in facts.quantities
        if clause.contains(said.start) and quantities_match(said, meant)
    }
    if len(held) != 1:
        return None
    other = split_clauses(there)[held.pop()]
    shared = direction_free_terms(clause) & alignment.best.terms
    return other if not shared or len(shared & other.terms) > len(shared) / 2 else None


def _has_one_actor(
    facts: SentenceFacts, clause: Clause, there: SentenceFacts, other: Clause | None, language: str
) -> bool:
    """Whether both clauses name only one side of a deed, the same: `Hume sold` for `Hume bought`."""
    cores = collect_han_cores([facts, there], language)
    mine = [name for name in find_name_mentions(facts, cores) if clause.contains(name.start)]
    theirs = [name for name in find_name_mentions(there, cores) if other is None or other.contains(name.start)]
    return len(mine) == 1 and bool(theirs) and mine[0].is_same_name(theirs[0])


def _coverage_after_fix(clause: Clause, alignment: Alignment, put: _AntonymSwap, *, cjk: bool) -> float:
    """How near a clause comes to the source once the antonym is put right, or left out where words have no ends."""
    said = clause.masked_text[clause.start : clause.end]
    wanted = sentence_terms(said.replace(put.mine, " ") if cjk else re.sub(rf"(?i)\b{put.mine}\b", put.theirs, said))
    return len(wanted & alignment.best.terms) / len(wanted) if wanted else 1.0


def _find_latin_swaps(said: str, meant: str) -> Iterator[_AntonymSwap]:
    one, two = _words(said), _words(meant)
    if (one & NEGATION_WORDS) != (two & NEGATION_WORDS):
        return
    for left, right, converse in read_antonyms("antonyms.txt"):
        for mine, theirs in (({*left}, {*right}), ({*right}, {*left})):
            if one & mine and not one & theirs and two & theirs and not two & mine:
                yield _AntonymSwap(min(one & mine), min(two & theirs), converse)


def _words(text: str) -> frozenset[str]:
    """The words of a text; `didn't` is a negation."""
    keys = [word.key for word in latin_words(text)]
    return frozenset(keys) | {"not" for key in keys if key.endswith("n't")}


def _find_cjk_swaps(said: str, meant: str) -> Iterator[_AntonymSwap]:
    for left, right, converse in read_antonyms("antonyms_cjk.txt"):
        for mine, theirs in ((left, right), (right, left)):
            ours, others = _first_form_in(said, mine), _first_form_in(meant, theirs)
            if ours and others and not _first_form_in(said, theirs) and not _first_form_in(meant, mine):
                yield _AntonymSwap(ours, others, converse)


def _first_form_in(text: str, forms: AntonymForms) -> str | None:
    return next((form for form in forms if form in text), None)
