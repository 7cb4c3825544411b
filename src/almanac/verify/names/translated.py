"""Checks the names of a claim against a source in another language, as far as their other forms are known.

A name without a known form can't be checked and isn't reported.
"""

from collections.abc import Sequence

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.names.check import without_quotations
from almanac.verify.names.gazetteer import (
    NameAliases,
    contains_form,
    country_forms,
    family_names_by_reading,
    japanese_family_names,
    known_name_forms,
    other_name_forms,
)
from almanac.verify.names.han import find_han_names
from almanac.verify.names.latin import LatinName, find_latin_names, is_common_word, matches_word
from almanac.verify.names.transliteration import sounds_like_no_katakana_name
from almanac.verify.reasons import fact_not_in_source
from almanac.verify.sources import SourceText
from almanac.verify.word_lists import read_words
from almanac.verify.words.concepts import is_listed_word

_WHERE = lazy_regex(r"(?i)\b(?:in|at|near|di|ke|dari) $")


def check_translated_names(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText], language: str, names: NameAliases | None
) -> list[ClaimFinding]:
    """Check names that are known, given by the caller, written alike in both languages, or that sound alike."""
    findings = []
    for name in find_latin_names(without_quotations(facts)):
        first = name.words[0]
        if len(name.words) == 1 and first.starts_sentence and is_listed_word(first.key, language):
            continue
        finding = _check_latin(name, facts, alignment, sources, names)
        if finding is not None:
            findings.append(finding)
    if language in {"ja", "zh"}:
        findings += _check_han(facts, sources, language, names)
    return findings


def _check_latin(
    name: LatinName,
    facts: SentenceFacts,
    alignment: Alignment,
    sources: Sequence[SourceText],
    names: NameAliases | None,
) -> ClaimFinding | None:
    source_text = " ".join(source.casefolded for source in sources)
    words = frozenset[str]().union(*(source.words for source in sources))
    written = name.written(facts.text)
    forms = other_name_forms(" ".join(word.key for word in name.words), names)
    for key in name.keys:
        forms |= other_name_forms(key, names)
    if any(matches_word(key, words) for key in name.keys) and not _has_foreign_word(name, words, sources):
        return None
    if any(contains_form(form, source_text) for form in forms):
        return None
    if _is_implied(name, source_text):
        return None
    if forms or _is_other_family_name(name, source_text) or sounds_like_no_katakana_name(name.keys, source_text):
        return fact_not_in_source(FindingKind.NAME, written, None)
    latin = all(source.language in {"en", "ms"} for source in sources)
    if (
        latin
        and name.is_certain
        and not _is_title(name)
        and _has_foreign_word(name, words, sources)
        and (_has_unmentioned_name(facts, alignment) or _is_after_place_word(name, facts))
    ):
        return fact_not_in_source(FindingKind.NAME, written, None)
    return None


def _is_implied(name: LatinName, source_text: str) -> bool:
    """Whether a country may stay unnamed in the source, as `China` for 全国: a text seldom names its own country."""
    written = " ".join(word.key for word in name.words)
    if source_text.isascii() or not (name.keys & country_forms() or written in country_forms()):
        return False
    return not any(contains_form(form, source_text) for form in country_forms() if not form.isascii())


def _is_title(name: LatinName) -> bool:
    """Whether it ends with a word that is translated: `Cyber Security Bill`, `Bank of Lachine`."""
    return name.words[-1].key in read_words("generic_latin.txt") | read_words("institutional.txt")


def _has_foreign_word(name: LatinName, words: frozenset[str], sources: Sequence[SourceText]) -> bool:
    """Whether it has a word that isn't translated and that the source, also in Latin letters, lacks."""
    if not all(source.language in {"en", "ms"} for source in sources):
        return False
    return any(
        not matches_word(key, words)
        and key not in read_words("institutional.txt")
        and not is_common_word(key)
        and key not in known_name_forms()
        for key in name.keys
    )


def _is_after_place_word(name: LatinName, facts: SentenceFacts) -> bool:
    """Whether it is one word after `in` or `di`: a place, which English and Malay write alike."""
    return len(name.words) == 1 and bool(_WHERE.search(facts.text, max(0, name.start - 12), name.start))


def _has_unmentioned_name(facts: SentenceFacts, alignment: Alignment) -> bool:
    """Whether the source sentence has a name that the claim left out, so that another may have replaced it."""
    claimed = frozenset(key for name in facts.latin_names for key in name.keys)
    free = {key for name in alignment.best.facts.latin_names if name.is_certain for key in name.keys} - claimed
    written = facts.masked_text.casefold()
    return any(
        key not in read_words("institutional.txt")
        and (key in known_name_forms() or not is_common_word(key))
        and not _is_mentioned_translated(key, written)
        for key in free
    )


def _is_mentioned_translated(key: str, written: str) -> bool:
    """Whether the claim has a known name in its own form, such as `Singapura` for Singapore."""
    return key in known_name_forms() and any(contains_form(form, written) for form in other_name_forms(key, None))


def _is_other_family_name(name: LatinName, source_text: str) -> bool:
    """Whether the source lacks the characters of this Japanese family name and has another one's."""
    table = family_names_by_reading()
    read = [table[key] for key in name.keys if key in table]
    if not read or any(form in source_text for forms in read for form in forms):
        return False
    return any(form in source_text for form in japanese_family_names())


def _check_han(
    facts: SentenceFacts, sources: Sequence[SourceText], language: str, names: NameAliases | None
) -> list[ClaimFinding]:
    source_text = " ".join(source.casefolded for source in sources)
    words = frozenset[str]().union(*(source.words for source in sources))
    findings = []
    for name in find_han_names(without_quotations(facts), language):
        forms = other_name_forms(name.core, names)
        if name.core in source_text or any(contains_form(form, source_text) for form in forms):
            continue
        family = next((family for family in japanese_family_names() if name.core.startswith(family)), None)
        read = japanese_family_names().get(family or "")
        strange = read is not None and read not in words and any(word in family_names_by_reading() for word in words)
        if forms or strange:
            findings.append(fact_not_in_source(FindingKind.NAME, name.core, None))
    return findings
