"""Checks the names of a claim against sources in the same language.

A name must be in the source. Where it is only in another sentence, it must not take the place of another name.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN, KATAKANA
from almanac.verify.alignment import Alignment, count_shared
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding, FindingKind
from almanac.verify.names.gazetteer import (
    NameAliases,
    contains_form,
    implying_places,
    known_name_forms,
    other_name_forms,
)
from almanac.verify.names.han import HanName, appears_in, end_of_role, find_han_names
from almanac.verify.names.latin import (
    LatinName,
    capital_words,
    collect_acronyms,
    find_latin_names,
    is_acronym_of,
    is_common_word,
    is_title_case,
    matches_word,
)
from almanac.verify.names.mentions import adjacent_tokens
from almanac.verify.normalization import mask_spans
from almanac.verify.quotations import find_quotations
from almanac.verify.reasons import fact_in_doubt, fact_not_in_source
from almanac.verify.sources import SourceSentence, SourceText, sentence_terms

_PRONOUN = lazy_regex(
    r"(?i)\b(?:he|she|they|it|him|her|them|his|their|its|who|beliau|dia|mereka|ia|nya)\b|彼女?|同氏|同社|同省|同市|同国|同氏|他们?|她们?|它|该"
)
_HAN_ONLY = lazy_regex(f"[{HAN}{KATAKANA}]{{1,5}}")
_FAITHFUL_COPY = 0.6
_NEAR_COPY = 0.9
_ORGANIZATION = frozenset({"bank", "fund", "union", "organization", "organisation", "nations", "agency"})
_SAME_SOUND = str.maketrans("cqyvz", "kkifs")
_MOST_PAIRS = 90_000  # of characters: long repetitive sentences would take minutes


def check_latin_names(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText], names: NameAliases | None
) -> list[ClaimFinding]:
    """Check the names in Latin letters, also those within Chinese or Japanese text."""
    text = without_quotations(facts)
    headline = is_title_case(text)
    findings = []
    for name in find_latin_names(text):
        missing = _missing_words(name, sources, names)
        if missing:
            finding = _check_absent_name(name, facts, alignment, headline=headline)
        else:
            finding = _check_misplaced_name(name, facts, alignment, sources)
        if finding is not None:
            findings.append(finding)
    return findings


def without_quotations(facts: SentenceFacts) -> str:
    """The masked text of a claim without its quotations, which are checked separately."""
    return mask_spans(
        facts.masked_text, [(quotation.start, quotation.end) for quotation in find_quotations(facts.text)]
    )


def _missing_words(name: LatinName, sources: Sequence[SourceText], names: NameAliases | None) -> list[str]:
    """The words of a name that no source has, in this or another known form."""
    words = frozenset[str]().union(*(source.words for source in sources))
    missing = [key for key in sorted(name.keys) if not _is_in_sources(key, words, sources, names)]
    if not missing or any(is_acronym_of(name, source.acronyms) for source in sources):
        return []
    written = " ".join(word.key for word in name.words)
    forms = other_name_forms(written, names) | implying_places(written)
    return [] if any(contains_form(form, source.casefolded) for form in forms for source in sources) else missing


def _is_in_sources(key: str, words: frozenset[str], sources: Sequence[SourceText], names: NameAliases | None) -> bool:
    if matches_word(key, words):
        return True
    if key.isalpha() and 2 <= len(key) <= 6:
        made = (collect_acronyms(sentence.facts.latin_names) for source in sources for sentence in source.sentences)
        if any(key in acronyms for acronyms in made):
            return True
    forms = other_name_forms(key, names) | implying_places(key)
    return any(contains_form(form, source.casefolded) for form in forms for source in sources)


def _check_absent_name(
    name: LatinName, facts: SentenceFacts, alignment: Alignment, *, headline: bool
) -> ClaimFinding | None:
    """Report a name that no source has, if it certainly is a name or replaces the first word of a near copy."""
    rivals = _unmentioned_names(facts, alignment.best)
    is_listed = any(key in known_name_forms() for key in name.keys)
    sure = (
        is_listed
        or (name.is_certain and not headline)
        or (headline and bool(rivals) and alignment.best_coverage >= _NEAR_COPY)
    )
    if not sure and not _replaces_first_word(facts, alignment.best):
        return None
    rival = _find_replaced_name(name, rivals, facts, alignment)
    if rival is None:
        return fact_in_doubt(FindingKind.NAME, name.written(facts.text))
    return fact_not_in_source(FindingKind.NAME, name.written(facts.text), rival.written(alignment.best.facts.text))


def _find_replaced_name(
    name: LatinName, rivals: list[LatinName], facts: SentenceFacts, alignment: Alignment
) -> LatinName | None:
    """The source's name in place of which the claim has this one; None where that isn't certain.

    They share a word, have the same neighbours, or are all that differs in a near copy.
    """
    if any(rival.keys <= name.keys or _sound_alike(name, rival) for rival in rivals):
        return None  # the source's own name, made longer or spelt otherwise
    others = rivals
    sharing = [rival for rival in others if rival.keys & name.keys and rival.is_certain]
    if sharing:
        return sharing[0]
    if alignment.best_coverage < _FAITHFUL_COPY:
        return None
    place = adjacent_tokens(facts.text, name.start, name.end)
    best = alignment.best.facts.text
    alike = [rival for rival in others if _may_replace(name, rival)]
    beside = [rival for rival in alike if place & adjacent_tokens(best, rival.start, rival.end)]
    if beside:
        return beside[0]
    return alike[0] if len(others) == 1 == len(alike) and alignment.best_coverage >= _NEAR_COPY else None


def _sound_alike(name: LatinName, other: LatinName) -> bool:
    """Whether both are spellings of one name: `Anglikan` and `Anglican`."""
    return _spelling(name) == _spelling(other)


def _spelling(name: LatinName) -> str:
    folded = " ".join(sorted(name.keys)).replace("ph", "f").translate(_SAME_SOUND)
    return re.sub(r"(.)\1", r"\1", folded)


def _replaces_first_word(facts: SentenceFacts, best: SourceSentence) -> bool:
    """Whether only the first words differ and both may be names."""
    claimed, sourced = facts.words, best.facts.words
    if not claimed or not sourced or is_common_word(claimed[0].key) or is_common_word(sourced[0].key):
        return False
    return [word.key for word in claimed[1:]] == [word.key for word in sourced[1:]][: len(claimed) - 1] and len(
        claimed
    ) > 2


def _check_misplaced_name(
    name: LatinName, facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText]
) -> ClaimFinding | None:
    """Report a name that the source has elsewhere, where it replaces the aligned sentence's own name."""
    near = frozenset[str]().union(*(sentence.words for sentence in alignment.sentences))
    best = alignment.best
    if all(matches_word(key, near) for key in name.keys) or any(
        is_acronym_of(name, sentence.facts.acronyms) for sentence in alignment.sentences
    ):
        return None
    astray = frozenset(key for key in name.keys if not matches_word(key, near))
    homes = [sentence for source in sources for sentence in source.sentences if astray & sentence.words]
    if (
        not homes
        or any(count_shared(facts, home) >= count_shared(facts, best) for home in homes)
        or not _is_certain_name(name, homes)
    ):
        return None
    if alignment.best_coverage < _FAITHFUL_COPY:
        return None
    place = adjacent_tokens(facts.text, name.start, name.end)
    uncovered = _unmentioned_names(facts, best)
    rivals = [
        other
        for other in uncovered
        if (len(uncovered) == 1 and alignment.best_coverage == 1)
        or (
            place & adjacent_tokens(best.facts.text, other.start, other.end)
            and (alignment.best_coverage >= _NEAR_COPY or _may_replace(name, other))
        )
    ]
    rivals = [other for other in rivals if _is_court(name) or not _is_court(other)]
    forms = {form for key in name.keys for form in other_name_forms(key)}
    if not rivals or any(forms & other.keys for other in rivals) or _are_same_name(name, rivals, sources):
        return None
    return fact_not_in_source(FindingKind.NAME, name.written(facts.text), rivals[0].written(best.facts.text))


def _is_court(name: LatinName) -> bool:
    """A court, which acts on a person, so that neither stands for the other."""
    return name.words[0].key in {"mahkamah", "pengadilan"}


def _is_certain_name(name: LatinName, homes: list[SourceSentence]) -> bool:
    """Whether a single word at the start of a sentence is a name, judging by the source."""
    if name.is_certain:
        return True
    return any(
        source_name.is_certain and name.keys <= source_name.keys
        for home in homes
        for source_name in home.facts.latin_names
    )


def _are_same_name(name: LatinName, rivals: list[LatinName], sources: Sequence[SourceText]) -> bool:
    """Whether the source uses both for one name: `Rahimah Yusof (Puan Rahimah)`, `the Drainage Board (LPB)`."""
    for source in sources:
        for sentence in source.sentences:
            for source_name in sentence.facts.latin_names:
                if name.keys <= source_name.keys and any(rival.keys <= source_name.keys for rival in rivals):
                    return True
    return any(
        is_acronym_of(rival, capital_words(name.words)) or is_acronym_of(name, capital_words(rival.words))
        for rival in rivals
    )


def _unmentioned_names(facts: SentenceFacts, best: SourceSentence) -> list[LatinName]:
    """The names of a source sentence that the claim doesn't mention."""
    words = facts.word_keys
    return [
        name
        for name in best.facts.latin_names
        if not all(matches_word(key, words) for key in name.keys) and not is_acronym_of(name, facts.acronyms)
    ]


def _is_place(name: LatinName) -> bool:
    if any(word.key in _ORGANIZATION for word in name.words):
        return False  # the World Bank is listed, but no place
    return (
        all(key in known_name_forms() for key in name.keys)
        or " ".join(word.key for word in name.words) in known_name_forms()
    )


def _may_replace(name: LatinName, other: LatinName) -> bool:
    """A place can't replace a person with first and last name; a single word may be either."""
    return _is_place(name) == _is_place(other) or len(name.keys) == 1 == len(other.keys)


def check_han_names(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText], language: str, names: NameAliases | None
) -> list[ClaimFinding]:
    """Check the names in Han characters and kana."""
    all_text = "".join(source.normalized for source in sources)
    near = "".join(sentence.facts.text for sentence in alignment.sentences)
    rivals = [other for other in alignment.best.facts.han_names(language) if not appears_in(other.core, facts.text)]
    claimed_names = _find_claim_names(without_quotations(facts), sources, language)
    words = sentence_terms(mask_spans(facts.masked_text, [(name.start, name.end) for name in claimed_names]))
    is_copy = len(words & alignment.best.terms) >= len(words) * _FAITHFUL_COPY
    findings = []
    for name in claimed_names:
        forms = other_name_forms(name.core, names)
        if appears_in(name.core, near) or any(form in near.casefold() for form in forms):
            continue
        in_sources = appears_in(name.core, all_text) or any(form in all_text.casefold() for form in forms)
        alike = [other for other in rivals if _same_category(name, other)]
        astray = [
            other
            for other in alike
            if _neighbours_of(facts.text, name) & _neighbours_of(alignment.best.facts.text, other)
        ]
        if in_sources and not (astray and is_copy):
            continue
        if is_copy and (astray or (alike and name.is_certain)):
            findings.append(fact_not_in_source(FindingKind.NAME, name.core, (astray or alike)[0].core))
        elif name.is_certain:
            findings.append(fact_in_doubt(FindingKind.NAME, name.core))
    return findings or _find_replaced_han_name(facts, alignment, sources, language)


def _find_claim_names(text: str, sources: Sequence[SourceText], language: str) -> list[HanName]:
    """The names in a claim, including those that only the source shows to be names."""
    names = list(find_han_names(text, language))
    source_cores = {
        name.core
        for source in sources
        for sentence in source.sentences
        for name in sentence.facts.han_names(language)
        if name.is_certain and not name.is_place and len(name.core) > 1
    }
    for core in sorted(source_cores - {name.core for name in names}):
        at = text.find(core)
        if at >= 0 and not any(name.start < at + len(core) and at < name.end for name in names):
            names.append(HanName(at, at + len(core), core, is_certain=True, is_place=False))
    return names


def _find_replaced_han_name(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText], language: str
) -> list[ClaimFinding]:
    """Report a source name that is missing from the claim, with other characters in its place."""
    claimed, sourced = facts.text, alignment.best.facts.text
    people = {
        name.core
        for source in sources
        for sentence in source.sentences
        for name in sentence.facts.han_names(language)
        if name.is_certain and name.core in sourced and not appears_in(name.core, claimed)
    }
    if not people or len(claimed) * len(sourced) > _MOST_PAIRS:
        return []
    codes = SequenceMatcher(None, claimed, sourced, autojunk=False).get_opcodes()
    for core in sorted(people):
        at = sourced.index(core)
        for tag, start, end, begin, stop in codes:
            within = tag == "replace" and at <= begin and stop <= at + len(core)
            if within and _HAN_ONLY.fullmatch(claimed, start, end) and not _PRONOUN.search(claimed[start:end]):
                put = claimed[max(0, start - (begin - at)) : end + at + len(core) - stop]
                return [fact_not_in_source(FindingKind.NAME, put, core)]
    return []


def _neighbours_of(text: str, name: HanName) -> frozenset[str]:
    """The tokens around a name and its role."""
    return adjacent_tokens(text, name.start, end_of_role(text, name.end))


def _same_category(name: HanName, other: HanName) -> bool:
    """Whether both or neither are places; an uncertain name only competes within its script."""
    if name.is_place != other.is_place:
        return False
    return (name.is_certain and other.is_certain) or _script(name.core) == _script(other.core)


def _script(core: str) -> bool:
    return core[0] >= "一"
