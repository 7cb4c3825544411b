"""Finds a sentence turned into its opposite: a negation put in or left out, or a word replaced by its antonym."""

from difflib import SequenceMatcher

from almanac.verify.alignment import Alignment, holds_fact
from almanac.verify.denials import denied_otherwise
from almanac.verify.facts import Facts
from almanac.verify.latin_names import latin_words
from almanac.verify.model import Finding
from almanac.verify.negations import NOT, NOT_JA, NOT_ZH, may_deny, negated_stems, plain_negation, stands_affirmed
from almanac.verify.opposites import opposite_of
from almanac.verify.reasons import turned
from almanac.verify.sources import root

_FAITHFUL = 0.7
_AUXILIARY = frozenset(
    "do does did will would has have had is are was were be been can could the a an to any telah sudah akan"
    " masih".split()
)
_LONGEST_NOT = 7


def check_polarity(facts: Facts, alignment: Alignment, language: str) -> list[Finding]:
    """Only where the claim is nearly the source's sentence: elsewhere a negation may belong to what was left out."""
    said, meant = facts.text, alignment.best.facts.text
    cjk = language in {"ja", "zh"}
    found = None
    if alignment.nearness >= _FAITHFUL:
        found = _negated_cjk(said, meant, language) if cjk else _negated(said, meant)
    if found is None and language == "ja":
        found = _negated_verb(said, [sentence.facts.text for sentence in alignment.chosen])
    found = found or denied_otherwise(facts, alignment, language) or opposite_of(facts, alignment, language)
    return [] if found is None else [turned(*found)]


def _words(text: str) -> list[str]:
    return [word for key in (word.key for word in latin_words(text)) for word in (_apart(key))]


def _apart(key: str) -> list[str]:
    """`didn't` is two words."""
    return [key.removesuffix("n't"), "not"] if key.endswith("n't") else [key]


def _negated(said: str, meant: str) -> tuple[str, str] | None:
    one, two = _words(said), _words(meant)
    if _negations(one) == _negations(two):
        return None  # `no nurses were` for `the nurses were not`
    matcher = SequenceMatcher(None, [root(word) for word in one], [root(word) for word in two], autojunk=False)
    for tag, start, end, begin, stop in matcher.get_opcodes():
        if tag == "equal":
            continue
        ours, theirs = one[start:end], two[begin:stop]
        if (_negations(ours) - _negations(theirs)) % 2 and _content(ours) == _content(theirs):
            return _shown(one, start, end), _shown(two, begin, stop)
    return None


def _negations(words: list[str]) -> int:
    return sum(word in NOT for word in words)


def _content(words: list[str]) -> set[str]:
    return {root(word) for word in words if word not in NOT and word not in _AUXILIARY}


def _shown(words: list[str], start: int, end: int) -> str:
    return " ".join(words[max(0, start - 1) : end + 2])


def _negated_cjk(said: str, meant: str, language: str) -> tuple[str, str] | None:
    pattern = NOT_JA if language == "ja" else NOT_ZH
    said, meant = (text.replace("少な", "少|") for text in (said, meant))  # few, and no negation once it is cut apart
    if len(pattern.findall(said)) == len(pattern.findall(meant)):
        return None
    for tag, start, end, begin, stop in SequenceMatcher(None, said, meant, autojunk=False).get_opcodes()[1:-1]:
        ours, theirs = said[max(0, start - 1) : end + 2], meant[max(0, begin - 1) : stop + 2]
        small = end - start <= _LONGEST_NOT and stop - begin <= _LONGEST_NOT
        if tag != "equal" and small and bool(pattern.search(ours)) != bool(pattern.search(theirs)):
            return ours, theirs
    return None


def _negated_verb(said: str, sources: list[str]) -> tuple[str, str] | None:
    """A verb that the claim negates and its sources only affirm, where these deny nothing that the claim leaves out."""
    denied = set(negated_stems(said))
    for stem in sorted(denied - {stem for text in sources for stem in negated_stems(text)}):
        homes = [text for text in sources if stands_affirmed(stem, text)]
        if homes and all(set(negated_stems(text)) <= denied for text in homes):
            return _around(said, stem), _around(homes[0], stem[0])
    return None


def _around(text: str, words: str) -> str:
    at = text.index(words)
    return text[max(0, at - 1) : at + len(words) + _LONGEST_NOT]


def check_translated_polarity(facts: Facts, alignment: Alignment, language: str) -> list[Finding]:
    """A translation that denies, made from sentences with its facts in which nothing is denied in any way."""
    denial = plain_negation(facts.text, language)
    if denial is None:
        return []
    told = [one for one in alignment.chosen if any(holds_fact(one, fact) for fact in facts.measured)]
    if any(may_deny(sentence.facts.text) for sentence in told or alignment.chosen):
        return []
    return [turned(facts.text[denial.start() : denial.end() + _LONGEST_NOT], alignment.best.text)]
