"""Checks the names of a claim against a source in another language, as far as their forms there are known.

A name whose other form nobody gave can't be checked, and is no fault.
"""

import re
from collections.abc import Mapping, Sequence

from almanac.kit.lazy_regex import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import Facts
from almanac.verify.han_names import find_han_names
from almanac.verify.known_names import country_forms, family_names, known_forms, other_forms, readings_of_family_names
from almanac.verify.latin_names import Name, find_latin_names, is_known_word, is_plain
from almanac.verify.model import Finding, FindingKind
from almanac.verify.naming import without_quotations
from almanac.verify.reasons import other_in_source
from almanac.verify.sources import SourceText
from almanac.verify.transliteration import is_told_apart
from almanac.verify.vocabulary import words_of

_WHERE = lazy_regex(r"(?i)\b(?:in|at|near|di|ke|dari) $")

AlsoKnownAs = Mapping[str, Sequence[str]]


def check_translated_names(
    facts: Facts, alignment: Alignment, sources: Sequence[SourceText], language: str, names: AlsoKnownAs | None
) -> list[Finding]:
    """Names that everybody knows, that the caller gave, that both languages write alike, or that sound alike."""
    findings = []
    for name in find_latin_names(without_quotations(facts)):
        finding = _check_latin(name, facts, alignment, sources, names)
        if finding is not None:
            findings.append(finding)
    if language in {"ja", "zh"}:
        findings += _check_han(facts, sources, language, names)
    return findings


def _check_latin(
    name: Name, facts: Facts, alignment: Alignment, sources: Sequence[SourceText], names: AlsoKnownAs | None
) -> Finding | None:
    whole = " ".join(source.folded for source in sources)
    words = frozenset[str]().union(*(source.words for source in sources))
    written = name.written(facts.text)
    forms = other_forms(" ".join(word.key for word in name.words), names)
    for key in name.keys:
        forms |= other_forms(key, names)
    if any(is_known_word(key, words) for key in name.keys) and not _has_stranger(name, words, sources):
        return None
    if any(_stands(form, whole) for form in forms):
        return None
    if _is_implied(name, whole):
        return None
    if forms or _is_other_family(name, whole) or is_told_apart(name.keys, whole):
        return other_in_source(FindingKind.NAME, written, None)
    latin = all(source.language in {"en", "ms"} for source in sources)
    if (
        latin
        and name.sure
        and not _is_title(name)
        and _has_stranger(name, words, sources)
        and (_has_free_name(facts, alignment) or _is_where(name, facts))
    ):
        return other_in_source(FindingKind.NAME, written, None)
    return None


def _is_implied(name: Name, whole: str) -> bool:
    """`China` for 全国: a text seldom names its own country, so this is a fault only beside another."""
    written = " ".join(word.key for word in name.words)
    if whole.isascii() or not (name.keys & country_forms() or written in country_forms()):
        return False
    return not any(_stands(form, whole) for form in country_forms() if not form.isascii())


def _is_title(name: Name) -> bool:
    """`Cyber Security Bill`, `Bank of Lachine`: what ends with such a word is translated, not kept."""
    return name.words[-1].key in words_of("generic_latin.txt") | words_of("institutional.txt")


def _stands(form: str, whole: str) -> bool:
    return bool(re.search(rf"\b{re.escape(form)}\b", whole)) if form.isascii() else form in whole


def _has_stranger(name: Name, words: frozenset[str], sources: Sequence[SourceText]) -> bool:
    """A word that isn't translated and that the source, in Latin letters too, hasn't got."""
    if not all(source.language in {"en", "ms"} for source in sources):
        return False
    return any(
        not is_known_word(key, words)
        and key not in words_of("institutional.txt")
        and not is_plain(key)
        and key not in known_forms()
        for key in name.keys
    )


def _is_where(name: Name, facts: Facts) -> bool:
    """One word after `in` or `di`: a place, which English and Malay write alike unless both forms are known."""
    return len(name.words) == 1 and bool(_WHERE.search(facts.text, max(0, name.start - 12), name.start))


def _has_free_name(facts: Facts, alignment: Alignment) -> bool:
    """Whether the source's sentence has a name that the claim left out, so that another may have taken its place."""
    said = frozenset(key for name in facts.latin_names for key in name.keys)
    free = {key for name in alignment.best.facts.latin_names if name.sure for key in name.keys} - said
    written = facts.bare.casefold()
    return any(
        key not in words_of("institutional.txt")
        and (key in known_forms() or not is_plain(key))
        and not _is_told(key, written)
        for key in free
    )


def _is_told(key: str, written: str) -> bool:
    """Whether the claim has a name that everybody knows in its own form, such as `Singapura` for Singapore."""
    return key in known_forms() and any(_stands(form, written) for form in other_forms(key, None))


def _is_other_family(name: Name, whole: str) -> bool:
    """A Japanese family name whose characters the source hasn't got, while it has those of another."""
    table = readings_of_family_names()
    read = [table[key] for key in name.keys if key in table]
    if not read or any(form in whole for forms in read for form in forms):
        return False
    return any(form in whole for form in family_names())


def _check_han(facts: Facts, sources: Sequence[SourceText], language: str, names: AlsoKnownAs | None) -> list[Finding]:
    whole = " ".join(source.folded for source in sources)
    words = frozenset[str]().union(*(source.words for source in sources))
    findings = []
    for name in find_han_names(without_quotations(facts), language):
        forms = other_forms(name.core, names)
        if name.core in whole or any(_stands(form, whole) for form in forms):
            continue
        family = next((family for family in family_names() if name.core.startswith(family)), None)
        read = family_names().get(family or "")
        strange = read is not None and read not in words and any(word in readings_of_family_names() for word in words)
        if forms or strange:
            findings.append(other_in_source(FindingKind.NAME, name.core, None))
    return findings
