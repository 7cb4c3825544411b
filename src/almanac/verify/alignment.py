"""Finds the source sentences that a claim is based on: the closest one, and others that cover its remaining words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from almanac.kit.lazy import lazy_regex
from almanac.verify.dates.moments import Moment, moments_match
from almanac.verify.facts import SentenceFacts
from almanac.verify.names.latin import LatinName, matches_word
from almanac.verify.normalization import has_kana
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.sources import SourceSentence, SourceText, sentence_terms, stem_word
from almanac.verify.words.content import content_words, text_keys

_MAX_SENTENCES = 4
_MIN_GAIN = 0.15
_FACT_WEIGHT = 0.02
_FEW_WORDS = 3
_FACT_WEIGHT_FEW_WORDS = 0.6
_RELATED_COVERAGE = 0.5
_OUTER = " .。!！?？\"'「」『』“”‘’()（）*-•"
_PARTICLE_ZH = lazy_regex("[不没未无非尚已将会了于在从被有曾可或]")


@dataclass(frozen=True, slots=True)
class Alignment:
    """The source sentences behind a claim: `best` is the closest, `sentences` are all it may rest on.

    `coverage` is the share of the claim's terms found in all of them; `best_coverage` is the share found in `best`,
    names not counted.
    """

    best: SourceSentence
    sentences: tuple[SourceSentence, ...]
    coverage: float
    best_coverage: float
    shared_facts: int

    @property
    def is_related(self) -> bool:
        """Whether the claim is recognizably made from these sentences."""
        return self.coverage >= _RELATED_COVERAGE or self.shared_facts > 0


def align_claim(facts: SentenceFacts, sources: Sequence[SourceText], *, translated: bool) -> Alignment | None:
    """Align a claim with its sources; None where the sources have no sentences."""
    pool = [sentence for source in sources for sentence in source.sentences]
    if not pool:
        return None
    wanted = _claim_terms(facts, pool)
    weights = _term_weights(wanted, pool)
    measured = [_count_shared_facts(facts, sentence) for sentence in pool]
    shared = [count + _count_shared_names(facts, sentence) for sentence, count in zip(pool, measured, strict=True)]
    weight = 1 if translated else _FACT_WEIGHT
    rated = [
        _weighted_share(weights, wanted & sentence.terms) + weight * count
        for sentence, count in zip(pool, shared, strict=True)
    ]
    if len(wanted) <= _FEW_WORDS:
        rated = [rate + _FACT_WEIGHT_FEW_WORDS * count for rate, count in zip(rated, measured, strict=True)]
    if not translated and max(rated) < _RELATED_COVERAGE and has_kana(facts.text):
        rated = [rate + share for rate, share in zip(rated, _word_shares(facts, pool), strict=True)]
    copied = _find_copied(facts, pool)
    at = max(range(len(pool)), key=lambda number: rated[number]) if copied is None else copied
    best = pool[at]
    chosen = pool if translated else _choose_sentences(best, pool, facts, weights)
    covered = frozenset[str]().union(*(sentence.terms for sentence in chosen))
    all_terms = sentence_terms(facts.masked_text)
    coverage = len(all_terms & covered) / len(all_terms) if all_terms else 1.0
    best_coverage = len(wanted & best.terms) / len(wanted) if wanted else 1.0
    return Alignment(best, tuple(chosen), coverage, best_coverage, shared[at])


def _word_shares(facts: SentenceFacts, pool: Sequence[SourceSentence]) -> list[float]:
    """The share of a Japanese claim's words that each sentence carries: other words for the same share no letters."""
    words = [word for word in content_words(facts.masked_text, "ja") if word.keys]
    carried = (text_keys(sentence.facts.masked_text, "ja") for sentence in pool)
    return [sum(bool(word.keys & keys) for word in words) / len(words) if words else 0.0 for keys in carried]


def _find_copied(facts: SentenceFacts, pool: Sequence[SourceSentence]) -> int | None:
    """The number of the first sentence that contains the claim word for word; None without one."""
    claimed = facts.text.strip(_OUTER).casefold()
    if not claimed:
        return None
    containing = [number for number, sentence in enumerate(pool) if claimed in sentence.folded_text]
    return min(containing, key=lambda number: len(pool[number].text), default=None)


def count_shared(facts: SentenceFacts, sentence: SourceSentence) -> int:
    """How many terms, facts and names of a claim a sentence shares."""
    return (
        len(_claim_terms(facts, [sentence]) & sentence.terms)
        + _count_shared_facts(facts, sentence)
        + _count_shared_names(facts, sentence)
    )


def _claim_terms(facts: SentenceFacts, pool: Sequence[SourceSentence]) -> frozenset[str]:
    """The claim's terms without its names, so that a swapped name doesn't attract its own sentence."""
    certain_keys = {
        key for sentence in pool for name in sentence.facts.latin_names if name.is_certain for key in name.keys
    }
    claim_names = [name for name in facts.latin_names if name.is_certain or name.keys <= certain_keys]
    names = {stem_word(key) for name in claim_names for key in name.keys}
    return frozenset(term for term in sentence_terms(facts.masked_text) if term not in names) or sentence_terms(
        facts.masked_text
    )


def _term_weights(wanted: frozenset[str], pool: Sequence[SourceSentence]) -> dict[str, float]:
    """Inverse document frequency: a term in few sentences says more about where a claim comes from."""
    counts = {term: sum(term in sentence.terms for sentence in pool) for term in wanted}
    return {term: log(1 + len(pool) / (1 + count)) + 0.1 for term, count in counts.items()}


def _weighted_share(weights: dict[str, float], terms: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weights[term] for term in terms) / total if total else 0.0


def _choose_sentences(
    best: SourceSentence, pool: Sequence[SourceSentence], facts: SentenceFacts, weights: dict[str, float]
) -> list[SourceSentence]:
    """The best sentence, and others while they cover terms, or terms with facts, that are still uncovered."""
    chosen, rest = [best], frozenset(weights) - best.terms
    while rest and len(chosen) < _MAX_SENTENCES:
        lacking = [fact for fact in facts.measured if not any(has_fact(each, fact) for each in chosen)]
        rated = {
            id(sentence): _weighted_share(weights, rest & sentence.terms)
            * (1 + sum(has_fact(sentence, fact) for fact in lacking))
            for sentence in pool
        }
        other = max(pool, key=lambda sentence: rated[id(sentence)])
        gained = rest & other.terms
        enough = len(gained) >= max(1, _MIN_GAIN * len(weights)) or (
            gained and any(has_fact(other, fact) for fact in lacking)
        )
        if not enough or other in chosen:
            break
        chosen.append(other)
        rest -= gained
    return chosen if rest else [*chosen, *_find_completing_sentences(chosen, pool, facts)]


def _find_completing_sentences(
    chosen: Sequence[SourceSentence], pool: Sequence[SourceSentence], facts: SentenceFacts
) -> list[SourceSentence]:
    """Sentences with both a missing fact and a missing name, as for `Hume made 18 and Dartford 7`."""
    lacking_facts = [fact for fact in facts.measured if not any(has_fact(each, fact) for each in chosen)]
    lacking_names = [name for name in facts.latin_names if not any(_has_name(each, name) for each in chosen)]
    if not lacking_facts or not lacking_names:
        return []
    return [
        sentence
        for sentence in pool
        if any(has_fact(sentence, fact) for fact in lacking_facts)
        and any(_has_name(sentence, name) for name in lacking_names)
    ][: _MAX_SENTENCES - 1]


def _count_shared_facts(facts: SentenceFacts, sentence: SourceSentence) -> int:
    """How many quantities and moments of the claim are in this sentence."""
    return sum(has_fact(sentence, fact) for fact in facts.measured)


def _count_shared_names(facts: SentenceFacts, sentence: SourceSentence) -> int:
    """How many names of the claim are in this sentence."""
    return sum(_has_name(sentence, name) for name in facts.latin_names)


def _has_name(sentence: SourceSentence, name: LatinName) -> bool:
    return all(matches_word(key, sentence.words) for key in name.keys)


def has_fact(sentence: SourceSentence, fact: Quantity | Moment) -> bool:
    """Whether a sentence contains a matching fact."""
    source_facts = sentence.facts
    if isinstance(fact, Quantity):
        return any(quantities_match(fact, sourced) for sourced in source_facts.quantities)
    return any(moments_match(fact, sourced, sentence.date_context) for sourced in source_facts.moments)


def coverage_for_language(facts: SentenceFacts, alignment: Alignment, language: str) -> float:
    """The coverage; for Chinese, without character pairs that span a particle or a negation."""
    if language != "zh":
        return alignment.coverage
    wanted = sentence_terms(_PARTICLE_ZH.sub(" ", facts.masked_text))
    covered = frozenset[str]().union(*(sentence.terms for sentence in alignment.sentences))
    return len(wanted & covered) / len(wanted) if wanted else 1.0
