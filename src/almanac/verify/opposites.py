"""Finds a word put for its antonym, each clause of the claim beside the clause of the source that tells the same."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from almanac.kit.lazy_regex import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.antonyms import Side, antonyms, unturned
from almanac.verify.clauses import Clause, clause_at, clauses_of, undirected_terms
from almanac.verify.facts import Facts
from almanac.verify.latin_names import latin_words
from almanac.verify.moments import NOTHING_AROUND, Moment, says_same_moment
from almanac.verify.named import cores_of, names_in
from almanac.verify.negations import NOT
from almanac.verify.quantities import Quantity, says_same
from almanac.verify.sources import terms

_FAITHFUL = 0.7
_PIECE = lazy_regex(
    r"(?i)[,;、。]|\b(?:and|but|while|whereas|despite|although|though|as|dan|tetapi|manakala|walaupun|meskipun|sedangkan)\b|[而但]"
)


class _Put(NamedTuple):
    """A word of the claim, its antonym in the source, and whether both tell one deed from its two ends."""

    mine: str
    theirs: str
    converse: bool


def opposite_of(facts: Facts, alignment: Alignment, language: str) -> tuple[str, str] | None:
    """The first word of the claim that stands for its antonym, and that antonym."""
    cjk = language in {"ja", "zh"}
    there = alignment.best.facts
    for clause in clauses_of(facts):
        said, other = facts.text[clause.start : clause.end], _clause_for(clause, facts, alignment)
        meant = there.text if other is None else there.text[other.start : other.end]
        for put in _put_cjk(said, meant) if cjk else _put(said, meant):
            if put.converse and not _has_one_actor(facts, clause, there, other, language):
                continue
            # Who tells both, as votes for and against, has one of them from another sentence.
            if other is None and put.theirs in facts.text.lower():
                continue
            if _nearness_without(clause, alignment, put, cjk=cjk) >= _FAITHFUL:
                return put.mine, put.theirs
        for put in _put_in_pieces(facts, clause, there, other, cjk=cjk):
            return put.mine, put.theirs
    return None


def _put_in_pieces(facts: Facts, clause: Clause, there: Facts, other: Clause | None, *, cjk: bool) -> Iterator[_Put]:
    """The same within the small parts of a clause, where the source says one of this and the other of that."""
    theirs = _pieces(other or Clause(0, len(there.text), there.bare))
    for piece in _pieces(clause):
        wanted = _unturned_terms(piece)
        rated = sorted(((len(wanted & _unturned_terms(each)), each.start, each) for each in theirs), reverse=True)
        if not wanted or not rated or rated[0][0] < _FAITHFUL * len(wanted):
            continue
        best = rated[0][2]
        if (len(rated) > 1 and rated[1][0] == rated[0][0]) or not _share_facts(facts, piece, there, best):
            continue
        said, meant = facts.text[piece.start : piece.end], there.text[best.start : best.end]
        for put in _put_cjk(said, meant) if cjk else _put(said, meant):
            elsewhere = [
                each for each in theirs if each != best and put.mine in there.text[each.start : each.end].lower()
            ]
            if not put.converse and all(_unturned_terms(each) - wanted for each in elsewhere):
                yield put


def _unturned_terms(piece: Clause) -> frozenset[str]:
    """What a piece is about apart from all that has an antonym; `exports` has one and is a subject all the same."""
    return terms(unturned(piece.bare)[piece.start : piece.end]) or undirected_terms(piece)


def _pieces(clause: Clause) -> list[Clause]:
    edges = [clause.start, *(m.start() for m in _PIECE.finditer(clause.bare, clause.start + 1, clause.end)), clause.end]
    return [Clause(start, end, clause.bare) for start, end in pairwise(edges) if terms(clause.bare[start:end])]


def _share_facts(facts: Facts, piece: Clause, there: Facts, best: Clause) -> bool:
    """Whether both pieces have the same figures and dates: those of another piece are of something else."""
    said = [fact for fact in facts.measured if piece.holds(fact.start)]
    meant = [fact for fact in there.measured if best.holds(fact.start)]
    return not said or any(_is_same(one, two) for one in said for two in meant)


def _is_same(one: Quantity | Moment, two: Quantity | Moment) -> bool:
    if isinstance(one, Quantity) and isinstance(two, Quantity):
        return says_same(one, two)
    return isinstance(one, Moment) and isinstance(two, Moment) and says_same_moment(one, two, NOTHING_AROUND)


def _clause_for(clause: Clause, facts: Facts, alignment: Alignment) -> Clause | None:
    """The clause of the source's sentence that has the figures of this one and most of its words."""
    there = alignment.best.facts
    held = {
        clause_at(there, meant.start)
        for meant in there.quantities
        for said in facts.quantities
        if clause.holds(said.start) and says_same(said, meant)
    }
    if len(held) != 1:
        return None
    other = clauses_of(there)[held.pop()]
    shared = undirected_terms(clause) & alignment.best.terms
    return other if not shared or len(shared & other.terms) > len(shared) / 2 else None


def _has_one_actor(facts: Facts, clause: Clause, there: Facts, other: Clause | None, language: str) -> bool:
    """Whether both clauses name only one side of a deed, the same: `Hume sold` for `Hume bought`."""
    cores = cores_of([facts, there], language)
    mine = [name for name in names_in(facts, cores) if clause.holds(name.start)]
    theirs = [name for name in names_in(there, cores) if other is None or other.holds(name.start)]
    return len(mine) == 1 and bool(theirs) and mine[0].is_same(theirs[0])


def _nearness_without(clause: Clause, alignment: Alignment, put: _Put, *, cjk: bool) -> float:
    """How near a clause comes to the source once the antonym is put right, or left out where words have no ends."""
    said = clause.bare[clause.start : clause.end]
    wanted = terms(said.replace(put.mine, " ") if cjk else re.sub(rf"(?i)\b{put.mine}\b", put.theirs, said))
    return len(wanted & alignment.best.terms) / len(wanted) if wanted else 1.0


def _put(said: str, meant: str) -> Iterator[_Put]:
    one, two = _words(said), _words(meant)
    if (one & NOT) != (two & NOT):
        return
    for left, right, converse in antonyms("antonyms.txt"):
        for mine, theirs in (({*left}, {*right}), ({*right}, {*left})):
            if one & mine and not one & theirs and two & theirs and not two & mine:
                yield _Put(min(one & mine), min(two & theirs), converse)


def _words(text: str) -> frozenset[str]:
    """The words of a text; `didn't` is a negation."""
    keys = [word.key for word in latin_words(text)]
    return frozenset(keys) | {"not" for key in keys if key.endswith("n't")}


def _put_cjk(said: str, meant: str) -> Iterator[_Put]:
    for left, right, converse in antonyms("antonyms_cjk.txt"):
        for mine, theirs in ((left, right), (right, left)):
            ours, others = _held(said, mine), _held(meant, theirs)
            if ours and others and not _held(said, theirs) and not _held(meant, mine):
                yield _Put(ours, others, converse)


def _held(text: str, forms: Side) -> str | None:
    return next((form for form in forms if form in text), None)
