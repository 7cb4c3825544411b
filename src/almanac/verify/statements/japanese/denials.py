"""Finds a Japanese predicate that the claim denies and the source affirms, or the reverse."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SENTENCE_CACHE_SIZE, SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import opposite_meaning, uncertain_difference
from almanac.verify.statements.japanese.phrases import NEGATIVE_PREFIXES, noun_keys
from almanac.verify.statements.japanese.predicates import Predicate, is_negation
from almanac.verify.words.morphemes import Morpheme, read_morphemes

_CLOSE_COPY = 0.6
_SAME_WORDS = 0.8
_FEWEST_WORDS, _LONGEST_ROOT = 2, 2
_DEPENDENT = "非自立可能"
_SPOKEN_KINDS = frozenset({"名詞", "動詞", "形容詞", "形状詞", "副詞", "代名詞"})


def check_denials(
    claimed: Sequence[Predicate], sourced: Sequence[Predicate], alignment: Alignment
) -> list[ClaimFinding]:
    """Report the first predicate whose polarity every counterpart in the source contradicts."""
    for predicate in claimed:
        if not predicate.is_asserted and not predicate.is_negated:
            continue
        same, is_certain = _find_counterparts(predicate, sourced)
        if not same or any(each.is_negated == predicate.is_negated for each in same):
            continue
        if is_certain and alignment.best_coverage >= _CLOSE_COPY:
            return [opposite_meaning(predicate.text, same[0].text)]
        return [uncertain_difference(predicate.text, same[0].text)]
    return []


def _find_counterparts(predicate: Predicate, sourced: Sequence[Predicate]) -> tuple[list[Predicate], bool]:
    """The source's predicates of the same word, else of a synonym; and whether the word is the same.

    Of several, those with the same subject count. A noun that is only mentioned says nothing of its own.
    """
    spoken = [each for each in sourced if each.is_asserted or each.is_negated]
    spoken = [each for each in spoken if _has_same_target(predicate, each)]
    same = [each for each in spoken if each.forms & predicate.forms]
    alike = same or [each for each in spoken if each.keys & predicate.keys]
    subject = predicate.subject
    if subject is not None:
        shared = [each for each in alike if each.subject is not None and each.subject.head_keys & subject.head_keys]
        alike = shared or alike
    return alike, bool(same)


def _has_same_target(mine: Predicate, other: Predicate) -> bool:
    """Whether both may be done to the same: 考えを示す isn't 財源を示す."""
    if mine.target is None or other.target is None or not mine.target.head_keys or not other.target.head_keys:
        return True
    return bool(mine.target.keys & other.target.keys)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a sentence between commas: its words, and whether it denies, counting each negation."""

    text: str
    words: frozenset[str]
    is_negated: bool


def check_clause_polarity(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report a clause that has the words of a source clause and one negation more or less."""
    sourced = [clause for sentence in alignment.sentences for clause in _read_clauses(sentence.facts.masked_text)]
    for claimed in _read_clauses(facts.masked_text):
        rated = [(_likeness(claimed, each), each) for each in sourced]
        alike = [each for likeness, each in rated if likeness >= _SAME_WORDS]
        if len(claimed.words) < _FEWEST_WORDS or not alike:
            continue
        if all(each.is_negated != claimed.is_negated for each in alike):
            return [opposite_meaning(claimed.text, alike[0].text)]
    return []


def _likeness(claimed: _Clause, sourced: _Clause) -> float:
    every = claimed.words | sourced.words
    return len(claimed.words & sourced.words) / len(every) if every else 0.0


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def _read_clauses(text: str) -> tuple[_Clause, ...]:
    return tuple(_cut_clauses(read_morphemes(text), text))


def _cut_clauses(morphemes: Sequence[Morpheme], text: str) -> Iterator[_Clause]:
    start = 0
    for at in range(len(morphemes) + 1):
        if at < len(morphemes) and morphemes[at].surface not in {"、", "。"}:
            continue
        places = range(start, at)
        words = frozenset(
            _without_prefix(morphemes[place])
            for place in places
            if morphemes[place].kind in _SPOKEN_KINDS and _DEPENDENT not in morphemes[place].kinds
        )
        if words:
            negations = sum(_denies(morphemes, place) for place in places)
            yield _Clause(text[morphemes[start].start : morphemes[at - 1].end], words, negations % 2 == 1)
        start = at + 1


def _without_prefix(morpheme: Morpheme) -> str:
    """十分 for 不十分."""
    return morpheme.form[1:] if _has_prefix(morpheme) else morpheme.form


def _has_prefix(morpheme: Morpheme) -> bool:
    is_word = morpheme.kind in {"名詞", "形状詞"} and len(morpheme.form) > _LONGEST_ROOT
    return is_word and morpheme.form[0] in NEGATIVE_PREFIXES


def _denies(morphemes: Sequence[Morpheme], at: int) -> bool:
    each = morphemes[at]
    prefixed = _has_prefix(each) or (each.kind == "接頭辞" and each.form in NEGATIVE_PREFIXES)
    return prefixed or is_negation(morphemes, at)


def check_prefixes(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report 営利 where the source only has 非営利, or the reverse."""
    claimed = read_morphemes(facts.masked_text)
    carried = frozenset[str]().union(
        *(
            noun_keys(morphemes, at)
            for morphemes in (read_morphemes(sentence.facts.masked_text) for sentence in alignment.sentences)
            for at, each in enumerate(morphemes)
            if each.kind == "名詞"
        )
    )
    for at, noun in enumerate(claimed):
        mine = noun_keys(claimed, at) if noun.kind == "名詞" else frozenset()
        forms = frozenset(key for key in mine if key.count(":") == key.startswith("不:"))
        turned = frozenset(key.removeprefix("不:") if key.startswith("不:") else f"不:{key}" for key in forms)
        if forms and not forms & carried and turned & carried:
            return [uncertain_difference(noun.surface, alignment.best.text)]
    return []
