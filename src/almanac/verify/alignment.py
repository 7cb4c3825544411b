"""Which sentences of the sources a claim comes from: the nearest one, and those that give the rest of its words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from almanac.kit.lazy_regex import lazy_regex
from almanac.verify.facts import Facts
from almanac.verify.latin_names import Name, is_known_word
from almanac.verify.moments import Moment, says_same_moment
from almanac.verify.quantities import Quantity, says_same
from almanac.verify.sources import SourceSentence, SourceText, root, terms

_MOST = 4
_GAIN = 0.15
_FACT = 0.02
_FEW_WORDS = 3
_FACT_OF_FEW = 0.6
_KIN = 0.5
_PARTICLE_ZH = lazy_regex("[不没未无非尚已将会了于在从被有曾可或]")


@dataclass(frozen=True, slots=True)
class Alignment:
    """`best` is the nearest sentence, `chosen` all that the claim may rest on.

    `coverage` is the share of the claim's words in all of them, `nearness` that in the best, names left aside.
    """

    best: SourceSentence
    chosen: tuple[SourceSentence, ...]
    coverage: float
    nearness: float
    shared_facts: int

    @property
    def is_kin(self) -> bool:
        """Whether the claim is recognisably made from these sentences."""
        return self.coverage >= _KIN or self.shared_facts > 0


def align(facts: Facts, sources: Sequence[SourceText], *, translated: bool) -> Alignment | None:
    """The sentences of these sources nearest to a claim; None where the sources hold nothing."""
    pool = [sentence for source in sources for sentence in source.sentences]
    if not pool:
        return None
    wanted = _wanted(facts, pool)
    weights = _weights(wanted, pool)
    measured = [_measured(facts, sentence) for sentence in pool]
    shared = [count + _named(facts, sentence) for sentence, count in zip(pool, measured, strict=True)]
    weight = 1 if translated else _FACT
    rated = [
        _share(weights, wanted & sentence.terms) + weight * count for sentence, count in zip(pool, shared, strict=True)
    ]
    if len(wanted) <= _FEW_WORDS:
        rated = [rate + _FACT_OF_FEW * count for rate, count in zip(rated, measured, strict=True)]
    at = max(range(len(pool)), key=lambda number: rated[number])
    best = pool[at]
    chosen = pool if translated else _chosen(best, pool, facts, weights)
    covered = frozenset[str]().union(*(sentence.terms for sentence in chosen))
    whole = terms(facts.bare)
    coverage = len(whole & covered) / len(whole) if whole else 1.0
    nearness = len(wanted & best.terms) / len(wanted) if wanted else 1.0
    return Alignment(best, tuple(chosen), coverage, nearness, shared[at])


def rating(facts: Facts, sentence: SourceSentence) -> int:
    """How much of a claim stands in a sentence: words, facts and names, one by one."""
    return len(_wanted(facts, [sentence]) & sentence.terms) + _measured(facts, sentence) + _named(facts, sentence)


def _wanted(facts: Facts, pool: Sequence[SourceSentence]) -> frozenset[str]:
    """The words of a claim without its names: a swapped name must not draw the claim to its own sentence."""
    known = {key for sentence in pool for name in sentence.facts.latin_names if name.sure for key in name.keys}
    told = [name for name in facts.latin_names if name.sure or name.keys <= known]
    names = {root(key) for name in told for key in name.keys}
    return frozenset(term for term in terms(facts.bare) if term not in names) or terms(facts.bare)


def _weights(wanted: frozenset[str], pool: Sequence[SourceSentence]) -> dict[str, float]:
    """A word that few sentences have says more about where a claim comes from."""
    counts = {term: sum(term in sentence.terms for sentence in pool) for term in wanted}
    return {term: log(1 + len(pool) / (1 + count)) + 0.1 for term, count in counts.items()}


def _share(weights: dict[str, float], found: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weights[term] for term in found) / total if total else 0.0


def _chosen(
    best: SourceSentence, pool: Sequence[SourceSentence], facts: Facts, weights: dict[str, float]
) -> list[SourceSentence]:
    """The best sentence, and others as long as they explain words, or words with facts, that are still unexplained."""
    chosen, rest = [best], frozenset(weights) - best.terms
    while rest and len(chosen) < _MOST:
        lacking = [fact for fact in facts.measured if not any(holds_fact(one, fact) for one in chosen)]
        rated = {
            id(sentence): _share(weights, rest & sentence.terms)
            * (1 + sum(holds_fact(sentence, fact) for fact in lacking))
            for sentence in pool
        }
        other = max(pool, key=lambda sentence: rated[id(sentence)])
        gained = rest & other.terms
        enough = len(gained) >= max(1, _GAIN * len(weights)) or (
            gained and any(holds_fact(other, fact) for fact in lacking)
        )
        if not enough or other in chosen:
            break
        chosen.append(other)
        rest -= gained
    return chosen if rest else [*chosen, *_completing(chosen, pool, facts)]


def _completing(chosen: Sequence[SourceSentence], pool: Sequence[SourceSentence], facts: Facts) -> list[SourceSentence]:
    """`Hume made 18 and Dartford 7`: sentences that have a lacking fact together with a lacking name."""
    facts_told = [fact for fact in facts.measured if not any(holds_fact(one, fact) for one in chosen)]
    lacking = [name for name in facts.latin_names if not any(_has_name(one, name) for one in chosen)]
    if not facts_told or not lacking:
        return []
    return [
        sentence
        for sentence in pool
        if any(holds_fact(sentence, fact) for fact in facts_told) and any(_has_name(sentence, name) for name in lacking)
    ][: _MOST - 1]


def _measured(facts: Facts, sentence: SourceSentence) -> int:
    """How many figures and dates of the claim stand in this sentence."""
    return sum(holds_fact(sentence, fact) for fact in facts.measured)


def _named(facts: Facts, sentence: SourceSentence) -> int:
    """How many names of the claim stand in this sentence."""
    return sum(_has_name(sentence, name) for name in facts.latin_names)


def _has_name(sentence: SourceSentence, name: Name) -> bool:
    return all(is_known_word(key, sentence.words) for key in name.keys)


def holds_fact(sentence: SourceSentence, fact: Quantity | Moment) -> bool:
    """Whether a sentence has this very fact."""
    there = sentence.facts
    if isinstance(fact, Quantity):
        return any(says_same(fact, meant) for meant in there.quantities)
    return any(says_same_moment(fact, meant, sentence.surroundings) for meant in there.moments)


def coverage_beside(facts: Facts, alignment: Alignment, language: str) -> float:
    """The coverage; in Chinese without pairs across a particle or a negation, which come and go within a sentence."""
    if language != "zh":
        return alignment.coverage
    wanted = terms(_PARTICLE_ZH.sub(" ", facts.bare))
    there = frozenset[str]().union(*(sentence.terms for sentence in alignment.chosen))
    return len(wanted & there) / len(wanted) if wanted else 1.0
