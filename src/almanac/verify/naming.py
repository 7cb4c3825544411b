"""Checks the names of a claim against sources in the same language.

A name must be in the source; where it is only in another sentence, it must not stand in another name's place.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from almanac.kit.lazy_regex import lazy_regex
from almanac.language.scripts import HAN, KATAKANA
from almanac.verify.alignment import Alignment, rating
from almanac.verify.facts import Facts
from almanac.verify.han_names import HanName, end_of_role, find_han_names, stands_in
from almanac.verify.known_names import known_forms, other_forms
from almanac.verify.latin_names import (
    Name,
    acronyms,
    find_latin_names,
    is_acronym_of,
    is_known_word,
    is_plain,
    is_title_case,
)
from almanac.verify.model import Finding, FindingKind
from almanac.verify.neighbours import beside
from almanac.verify.plain import blanked
from almanac.verify.quotations import find_quotations
from almanac.verify.reasons import other_in_source
from almanac.verify.sources import SourceSentence, SourceText

AlsoKnownAs = Mapping[str, Sequence[str]]

_PRONOUN = lazy_regex(
    r"(?i)\b(?:he|she|they|it|him|her|them|his|their|its|who|beliau|dia|mereka|ia|nya)\b|彼女?|同氏|同社|同省|同市|同国|同氏|他们?|她们?|它|该"
)
_HAN_ONLY = lazy_regex(f"[{HAN}{KATAKANA}]{{1,5}}")
_FAITHFUL = 0.6
_VERBATIM = 0.9
_MOST_PAIRS = 90_000  # of characters: longer sentences that repeat themselves would take minutes


def check_latin_names(
    facts: Facts, alignment: Alignment, sources: Sequence[SourceText], names: AlsoKnownAs | None
) -> list[Finding]:
    """Names in Latin letters, wherever they stand: in an English sentence or between kanji."""
    text = without_quotations(facts)
    headline = is_title_case(text)
    findings = []
    for name in find_latin_names(text):
        missing = _missing(name, sources, names)
        if missing:
            finding = _absent(name, facts, alignment, headline=headline)
        else:
            finding = _misplaced(name, facts, alignment, sources)
        if finding is not None:
            findings.append(finding)
    return findings


def without_quotations(facts: Facts) -> str:
    """The bare text of a claim without what it quotes, which is checked as a quotation."""
    return blanked(facts.bare, [(quotation.start, quotation.end) for quotation in find_quotations(facts.text)])


def _missing(name: Name, sources: Sequence[SourceText], names: AlsoKnownAs | None) -> list[str]:
    """The words of a name that no source has, under this or another known form."""
    words = frozenset[str]().union(*(source.words for source in sources))
    missing = [key for key in sorted(name.keys) if not _is_there(key, words, sources, names)]
    if not missing or any(is_acronym_of(name, source.words) for source in sources):
        return []
    written = " ".join(word.key for word in name.words)
    folded = " ".join(source.folded for source in sources)
    return [] if any(form in folded for form in other_forms(written, names)) else missing


def _is_there(key: str, words: frozenset[str], sources: Sequence[SourceText], names: AlsoKnownAs | None) -> bool:
    if is_known_word(key, words):
        return True
    if key.isalpha() and 2 <= len(key) <= 6:
        made = (acronyms(sentence.facts.latin_names) for source in sources for sentence in source.sentences)
        if any(key in known for known in made):
            return True
    return any(_has(source, form) for form in other_forms(key, names) for source in sources)


def _has(source: SourceText, form: str) -> bool:
    """A form in Latin letters stands there as a word, one in another script as it is."""
    if form.isascii():
        return bool(re.search(rf"\b{re.escape(form)}\b", source.folded))
    return form in source.folded


def _absent(name: Name, facts: Facts, alignment: Alignment, *, headline: bool) -> Finding | None:
    """No source has it: a fault if it surely is a name, or if it replaces the first word of an else equal sentence."""
    rivals = _uncovered(facts, alignment.best)
    known = any(key in known_forms() for key in name.keys)
    sure = known or (name.sure and not headline) or (headline and bool(rivals) and alignment.nearness >= _VERBATIM)
    if not sure and not _replaces_first_word(facts, alignment.best):
        return None
    return other_in_source(FindingKind.NAME, name.written(facts.text), _like(name, rivals, alignment.best))


def _replaces_first_word(facts: Facts, best: SourceSentence) -> bool:
    """Everything else is the same, and both first words may be names."""
    said, meant = facts.words, best.facts.words
    if not said or not meant or is_plain(said[0].key) or is_plain(meant[0].key):
        return False
    return [word.key for word in said[1:]] == [word.key for word in meant[1:]][: len(said) - 1] and len(said) > 2


def _misplaced(name: Name, facts: Facts, alignment: Alignment, sources: Sequence[SourceText]) -> Finding | None:
    """The source has it, but in a sentence this claim doesn't come from, while that one's own name is gone."""
    near = frozenset[str]().union(*(sentence.words for sentence in alignment.chosen))
    best = alignment.best
    if all(is_known_word(key, near) for key in name.keys) or is_acronym_of(name, near):
        return None
    astray = frozenset(key for key in name.keys if not is_known_word(key, near))
    homes = [sentence for source in sources for sentence in source.sentences if astray & sentence.words]
    if any(rating(facts, home) >= rating(facts, best) for home in homes) or not _is_surely(name, homes):
        return None
    if alignment.nearness < _FAITHFUL:
        return None
    place = beside(facts.text, name.start, name.end)
    uncovered = _uncovered(facts, best)
    rivals = [
        other
        for other in uncovered
        if (len(uncovered) == 1 and alignment.nearness == 1)
        or (
            place & beside(best.facts.text, other.start, other.end)
            and (alignment.nearness >= _VERBATIM or _may_replace(name, other))
        )
    ]
    forms = {form for key in name.keys for form in other_forms(key)}
    if not rivals or any(forms & other.keys for other in rivals) or _stand_for_each_other(name, rivals, sources):
        return None
    return other_in_source(FindingKind.NAME, name.written(facts.text), rivals[0].written(best.facts.text))


def _is_surely(name: Name, homes: list[SourceSentence]) -> bool:
    """A lone word that opens a sentence is a name if the source writes it as one."""
    if name.sure:
        return True
    return any(known.sure and name.keys <= known.keys for home in homes for known in home.facts.latin_names)


def _stand_for_each_other(name: Name, rivals: list[Name], sources: Sequence[SourceText]) -> bool:
    """`Rahimah Yusof (Puan Rahimah)`, `the Drainage Board (LPB)`: both are one name somewhere in the source."""
    for source in sources:
        for sentence in source.sentences:
            for known in sentence.facts.latin_names:
                if name.keys <= known.keys and any(rival.keys <= known.keys for rival in rivals):
                    return True
    return any(is_acronym_of(rival, name.keys) or is_acronym_of(name, rival.keys) for rival in rivals)


def _uncovered(facts: Facts, best: SourceSentence) -> list[Name]:
    """The names of a source's sentence that the claim doesn't mention."""
    words = facts.keys
    return [
        name
        for name in best.facts.latin_names
        if not all(is_known_word(key, words) for key in name.keys) and not is_acronym_of(name, words)
    ]


def _is_place(name: Name) -> bool:
    return all(key in known_forms() for key in name.keys) or " ".join(word.key for word in name.words) in known_forms()


def _may_replace(name: Name, other: Name) -> bool:
    """A place isn't put for a person with a first and a last name; a lone word may be either."""
    return _is_place(name) == _is_place(other) or len(name.keys) == 1 == len(other.keys)


def _like(name: Name, rivals: list[Name], best: SourceSentence) -> str | None:
    """What the source has in its place: a name that shares a word, else one of the same sort."""
    sharing = [other for other in best.facts.latin_names if other.keys & name.keys]
    alike = [other for other in rivals if _is_place(other) == _is_place(name)]
    chosen = next(iter([*sharing, *alike, *rivals]), None)
    return None if chosen is None else chosen.written(best.facts.text)


def check_han_names(
    facts: Facts, alignment: Alignment, sources: Sequence[SourceText], language: str, names: AlsoKnownAs | None
) -> list[Finding]:
    """Names in Chinese characters and kana, where the source is in the same language."""
    whole = "".join(source.level for source in sources)
    near = "".join(sentence.facts.text for sentence in alignment.chosen)
    rivals = [other for other in alignment.best.facts.han_names(language) if not stands_in(other.core, facts.text)]
    findings = []
    for name in _mentioned(without_quotations(facts), sources, language):
        forms = other_forms(name.core, names)
        if stands_in(name.core, near) or any(form in near.casefold() for form in forms):
            continue
        there = stands_in(name.core, whole) or any(form in whole.casefold() for form in forms)
        alike = [other for other in rivals if _same_sort(name, other)]
        astray = [other for other in alike if _slot(facts.text, name) & _slot(alignment.best.facts.text, other)]
        if there and (not astray or alignment.nearness < _FAITHFUL):
            continue
        if there or name.sure or alike:
            findings.append(other_in_source(FindingKind.NAME, name.core, alike[0].core if alike else None))
    return findings or _replaced_han_name(facts, alignment, sources, language)


def _mentioned(text: str, sources: Sequence[SourceText], language: str) -> list[HanName]:
    """The names of a claim, and those that only the source shows to be names."""
    found = list(find_han_names(text, language))
    known = {
        name.core
        for source in sources
        for sentence in source.sentences
        for name in sentence.facts.han_names(language)
        if name.sure and not name.is_place and len(name.core) > 1
    }
    for core in sorted(known - {name.core for name in found}):
        at = text.find(core)
        if at >= 0 and not any(name.start < at + len(core) and at < name.end for name in found):
            found.append(HanName(at, at + len(core), core, sure=True, is_place=False))
    return found


def _replaced_han_name(
    facts: Facts, alignment: Alignment, sources: Sequence[SourceText], language: str
) -> list[Finding]:
    """A name that the source shows to be one, gone from the claim, with other characters in its very place."""
    said, meant = facts.text, alignment.best.facts.text
    people = {
        name.core
        for source in sources
        for sentence in source.sentences
        for name in sentence.facts.han_names(language)
        if name.sure and name.core in meant and not stands_in(name.core, said)
    }
    if not people or len(said) * len(meant) > _MOST_PAIRS:
        return []
    codes = SequenceMatcher(None, said, meant, autojunk=False).get_opcodes()
    for core in sorted(people):
        at = meant.index(core)
        for tag, start, end, begin, stop in codes:
            within = tag == "replace" and at <= begin and stop <= at + len(core)
            if within and _HAN_ONLY.fullmatch(said, start, end) and not _PRONOUN.search(said[start:end]):
                put = said[max(0, start - (begin - at)) : end + at + len(core) - stop]
                return [other_in_source(FindingKind.NAME, put, core)]
    return []


def _slot(text: str, name: HanName) -> frozenset[str]:
    """What stands beside a name and its role."""
    return beside(text, name.start, end_of_role(text, name.end))


def _same_sort(name: HanName, other: HanName) -> bool:
    """Whether both are places, or neither is; an unsure one only rivals its own script."""
    if name.is_place != other.is_place:
        return False
    return (name.sure and other.sure) or _script(name.core) == _script(other.core)


def _script(core: str) -> bool:
    return core[0] >= "一"
