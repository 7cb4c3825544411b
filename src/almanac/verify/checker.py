"""Runs all checks of a claim against the sources it cites and decides the verdict."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.segmentation import split_sentences
from almanac.verify.alignment import Alignment, align_claim
from almanac.verify.contradiction import is_same_subject, list_contradictions
from almanac.verify.coverage import ClaimCoverage, is_part_of_sentence, is_whole_sentence, measure_coverage
from almanac.verify.dates.check import check_dated_figures, check_moments
from almanac.verify.extracts import is_extract
from almanac.verify.facts import SentenceFacts, read_facts
from almanac.verify.markers import PlacedClaim, read_claims
from almanac.verify.model import CheckedClaim, CitedClaim, ClaimFinding, FindingKind, Verdict, VerificationReport
from almanac.verify.names.check import check_han_names, check_latin_names
from almanac.verify.names.gazetteer import NameAliases
from almanac.verify.names.translated import check_translated_names
from almanac.verify.normalization import has_kana, normalize_text, to_simplified_chinese
from almanac.verify.quantities.check import check_codes, check_quantities
from almanac.verify.quantities.ranks import check_ranks
from almanac.verify.quotations import as_quoted, find_quotations, is_name_of_work, is_verbatim, nearest_wording
from almanac.verify.reasons import (
    altered_quotation,
    claim_too_long,
    dangling_reference,
    fact_in_doubt,
    missing_reference,
    uncovered_words,
    unread_language,
    unrelated_wording,
)
from almanac.verify.sources import CJK_LANGUAGES, SourceText, base_language, claim_language, sentence_terms
from almanac.verify.statements import chinese, english, japanese, malay
from almanac.verify.statements.attribution import check_attribution
from almanac.verify.statements.certainty import check_certainty
from almanac.verify.statements.polarity import check_polarity, check_translated_polarity
from almanac.verify.statements.subjects import check_named_subject
from almanac.verify.statements.substitutions import check_substitutions
from almanac.verify.statements.swaps import check_swapped_facts, check_swapped_parts
from almanac.verify.statements.temporal_order import check_temporal_order
from almanac.verify.statements.translated import check_translated_meaning
from almanac.verify.statements.voice import check_voice

LONGEST_CLAIM = 3000
_MIN_TERMS = 3
# A parsed source takes some hundred times its length, so only a few of article length are cached.
_CACHED_SOURCES, _LONGEST_CACHED = 16, 20_000
_UNRELATED_COVERAGE = 0.2
_MEANING = {"en": english, "ms": malay, "id": malay, "ja": japanese, "zh": chinese}
# A question, or a few words that only answer or greet.
_REMARK = lazy_regex(
    r"(?i)[?？][\"'」”)]*$|^\W*(?:(?:that|it|this|you|i|me|sounds?|really|wow|oh|yes|no|yeah|hi|hello)\b.{0,24})?$"
)
_NAMED_SUBJECTS = frozenset({"ms", "id", "zh"})
_REFERENCE_FAULTS = frozenset({FindingKind.DANGLING_REFERENCE, FindingKind.NO_REFERENCE})


def check(
    claims: Sequence[CitedClaim],
    sources: Mapping[str, str],
    *,
    across_translation: bool | None = None,
    names: NameAliases | None = None,
) -> VerificationReport:
    """Check claims; the report has one result per claim, in order.

    Unless `across_translation` is given, the languages decide whether a claim is a translation of its source. `names`
    gives other forms of a name, such as `{"Tanaka Hanako": ["田中花子"]}`.
    """
    checker = Checker(sources, across_translation, names)
    return VerificationReport(tuple(checker.check(claim, 0, len(claim.text)) for claim in claims))


def check_text(
    text: str,
    sources: Mapping[str, str],
    *,
    across_translation: bool | None = None,
    names: NameAliases | None = None,
) -> VerificationReport:
    """Check a text whose sentences are followed by `[@source-id]` markers.

    A heading needs none; `[@own]` marks an editor's own sentence. Both must not contradict the sources.
    """
    checker = Checker(sources, across_translation, names)
    return VerificationReport(
        tuple(checker.check(placed.claim, placed.start, placed.end) for placed in read_claims(text))
    )


class Checker:
    """Checks claims against a set of sources, parsing each source once."""

    def __init__(self, sources: Mapping[str, str], across_translation: bool | None, names: NameAliases | None) -> None:
        self._japanese = {key for key, text in sources.items() if has_kana(text)}
        self._sources = {
            key: _source_text(key, text if key in self._japanese else to_simplified_chinese(text))
            for key, text in sources.items()
        }
        self._across_translation = across_translation
        self._names = names

    def check(self, claim: CitedClaim, start: int, end: int) -> CheckedClaim:
        """Check one claim, found at these offsets of its text."""
        cited = [self._sources[key] for key in claim.references if key in self._sources]
        findings = [dangling_reference(key) for key in claim.references if key not in self._sources]
        alignment: Alignment | None = None
        if not claim.references and claim.needs_source:
            findings.append(missing_reference(claim.text))
        if len(claim.text) > LONGEST_CLAIM:
            findings.append(claim_too_long(claim.text))
        elif claim.is_free:
            alignment, contradictions = self._find_contradictions(claim)
            findings += contradictions
        elif cited:
            alignment, fact_findings = self._check_against(self._comparable_text(claim, cited), cited)
            findings += fact_findings
        return _build_result(claim, start, end, findings, alignment)

    def _comparable_text(self, claim: CitedClaim, cited: Sequence[SourceText]) -> str:
        japanese = has_kana(claim.text) or any(source.id in self._japanese for source in cited)
        return claim.text if japanese else to_simplified_chinese(claim.text)

    def _find_contradictions(self, claim: CitedClaim) -> tuple[Alignment | None, list[ClaimFinding]]:
        """What a source says otherwise about the same thing, unless another source agrees with the claim."""
        first: tuple[Alignment | None, list[ClaimFinding]] = (None, [])
        for key in claim.references or claim.context or self._sources:
            if key not in self._sources:
                continue
            cited = [self._sources[key]]
            text = self._comparable_text(claim, cited)
            alignment, findings = self._check_against(text, cited)
            if alignment is None or not is_same_subject(read_facts(text), alignment):
                continue
            contradictions = list_contradictions(claim.kind, read_facts(text), findings)
            if not contradictions:
                return alignment, []
            first = first if first[1] else (alignment, contradictions)
        return first

    def _check_against(self, text: str, cited: Sequence[SourceText]) -> tuple[Alignment | None, list[ClaimFinding]]:
        """Check a claim sentence by sentence, in one go where it is a translation; the alignment is of the whole."""
        language = claim_language(text, cited)
        translated = self._is_translated(language, cited)
        parts = [] if translated else _split_claim(text, language)
        if len(parts) < 2:
            return self._check_sentence(text, cited, language, translated=translated)
        alignment = align_claim(read_facts(text), cited, translated=False)
        checked = (self._check_sentence(part, cited, language, translated=False) for part in parts)
        return alignment, [finding for _, findings in checked for finding in findings]

    def _check_sentence(
        self, text: str, cited: Sequence[SourceText], language: str, *, translated: bool
    ) -> tuple[Alignment | None, list[ClaimFinding]]:
        facts = read_facts(text)
        alignment = align_claim(facts, cited, translated=translated)
        if alignment is None:
            return None, [unrelated_wording(text)]
        if not translated and is_whole_sentence(facts, alignment):
            return alignment, []
        findings: list[ClaimFinding] = []
        if language == "ja" and not translated and is_extract(facts, alignment, cited):
            return alignment, []
        if not translated and base_language(language) not in _MEANING and not is_part_of_sentence(facts, alignment):
            findings.append(unread_language(text))
        findings += [*check_codes(facts, cited), *check_quantities(facts, alignment, cited)]
        findings += check_moments(facts, alignment, cited)
        if translated:
            findings += check_translated_names(facts, alignment, cited, language, self._names)
            if not findings:
                findings += check_translated_polarity(facts, alignment, language) or check_translated_meaning(
                    facts, alignment, language
                )
        else:
            findings += self._check_same_language(text, facts, language, alignment, cited, findings)
        return alignment, findings

    def _check_same_language(
        self,
        text: str,
        facts: SentenceFacts,
        language: str,
        alignment: Alignment,
        cited: Sequence[SourceText],
        earlier_findings: Sequence[ClaimFinding],
    ) -> list[ClaimFinding]:
        findings = _check_quotations(text, cited)
        findings += check_latin_names(facts, alignment, cited, self._names)
        if language in CJK_LANGUAGES:
            findings += check_han_names(facts, alignment, cited, language, self._names)
        if not findings and not earlier_findings:
            findings += (
                check_swapped_facts(facts, alignment, language)
                or check_swapped_parts(facts, alignment)
                or check_attribution(facts, alignment, cited, language)
                or check_polarity(facts, alignment, language)
                or check_certainty(facts, alignment, language)
                or check_temporal_order(facts, alignment)
                or check_dated_figures(facts, alignment)
                or check_substitutions(facts, alignment, cited)
                or check_ranks(facts, alignment)
                or check_voice(facts, cited, language)
                or _MEANING.get(language, english).check_meaning(facts, alignment)
                or (check_named_subject(facts, alignment, cited, language) if language in _NAMED_SUBJECTS else [])
            )
        if all(_leaves_doubt(finding) for finding in (*findings, *earlier_findings)):
            findings += _check_coverage(text, facts, alignment, cited, language)
        return findings

    def _is_translated(self, language: str, cited: Sequence[SourceText]) -> bool:
        if self._across_translation is not None:
            return self._across_translation
        return all(base_language(source.language) != base_language(language) for source in cited)


def _split_claim(text: str, language: str) -> list[str]:
    """The sentences of a claim, without questions and short remarks between statements."""
    parts = [text[each.start : each.end] for each in split_sentences(text, language)]
    return [part for part in parts if not _REMARK.search(part)] or parts


def _source_text(key: str, text: str) -> SourceText:
    return _cached_source_text(key, text) if len(text) <= _LONGEST_CACHED else SourceText(key, text)


@lru_cache(maxsize=_CACHED_SOURCES)
def _cached_source_text(key: str, text: str) -> SourceText:
    """Keeps the last parsed sources: whoever edits a draft has it checked against the same ones again."""
    return SourceText(key, text)


def _check_quotations(text: str, cited: Sequence[SourceText]) -> list[ClaimFinding]:
    findings = []
    for quotation in find_quotations(text):
        if not any(is_verbatim(quotation, source.text, source.quotable_text) for source in cited):
            near = (nearest_wording(quotation, source.text) for source in cited)
            expected = next((words for words in near if words), None)
            if is_name_of_work(quotation) and (expected is None or as_quoted(expected) in as_quoted(quotation.text)):
                findings.append(fact_in_doubt(FindingKind.NAME, quotation.text))
            else:
                findings.append(altered_quotation(quotation.text, expected))
    return findings


def _check_coverage(
    text: str, facts: SentenceFacts, alignment: Alignment, cited: Sequence[SourceText], language: str
) -> list[ClaimFinding]:
    coverage = measure_coverage(facts, alignment, cited, language)
    if _is_unrelated(facts, alignment, coverage):
        return [unrelated_wording(text)]
    return [] if coverage.is_enough else [uncovered_words([word.text for word in coverage.missing])]


def _is_unrelated(facts: SentenceFacts, alignment: Alignment, coverage: ClaimCoverage) -> bool:
    """Whether hardly any word is in the source, in whatever form. Very short sentences have too few to tell."""
    return (
        len(sentence_terms(facts.masked_text)) >= _MIN_TERMS + (alignment.shared_facts > 0)
        and max(alignment.coverage, coverage.share) < _UNRELATED_COVERAGE
    )


def _build_result(
    claim: CitedClaim, start: int, end: int, findings: list[ClaimFinding], alignment: Alignment | None
) -> CheckedClaim:
    best = alignment.best if alignment else None
    return CheckedClaim(
        text=claim.text,
        start=start,
        end=end,
        references=claim.references,
        verdict=_verdict(findings, alignment),
        findings=tuple(findings),
        best_source=best.source if best else None,
        matched=(best.start, best.end) if best else None,
        needs_source=claim.needs_source,
        uncovered=tuple(_locate_uncovered(claim.text, findings)),
        kind=claim.kind,
    )


def _leaves_doubt(finding: ClaimFinding) -> bool:
    """Whether a finding contradicts nothing, but a person must read the claim."""
    return finding.is_doubtful or finding.kind is FindingKind.UNCOVERED


def _locate_uncovered(text: str, findings: list[ClaimFinding]) -> Iterator[tuple[int, int]]:
    """Where the uncovered words are in the claim as it was written."""
    at, plain = 0, text.casefold()
    for word in (word for finding in findings if _leaves_doubt(finding) for word in finding.found.split()):
        start = plain.find(word.casefold(), at)
        if start >= 0:
            at = start + len(word)
            yield start, at


def _verdict(findings: list[ClaimFinding], alignment: Alignment | None) -> Verdict:
    if not findings:
        return Verdict.SUPPORTED
    kinds = {finding.kind for finding in findings}
    if all(map(_leaves_doubt, findings)):
        return Verdict.UNCONFIRMED
    has_expected = any(finding.expected for finding in findings)
    if kinds & _REFERENCE_FAULTS or alignment is None or not (has_expected or alignment.is_related):
        return Verdict.UNSUPPORTED
    return Verdict.CHANGED


_SAME_SENTENCE = 0.55
_SHARED_WORDS = 0.5


def recheck(
    previous: VerificationReport,
    new_text: str,
    sources: Mapping[str, str],
    *,
    across_translation: bool | None = None,
    names: NameAliases | None = None,
) -> VerificationReport:
    """Check an edited text. A rewritten sentence without a marker keeps the references of the sentence it came from."""
    checker = Checker(sources, across_translation, names)
    earlier = [sentence for sentence in previous.sentences if sentence.references]
    return VerificationReport(tuple(_recheck_claim(checker, placed, earlier) for placed in read_claims(new_text)))


def _recheck_claim(checker: Checker, placed: PlacedClaim, earlier: list[CheckedClaim]) -> CheckedClaim:
    claim = placed.claim
    if not claim.references and claim.needs_source:
        claim = CitedClaim(claim.text, _inherited_references(claim.text, earlier))
    return checker.check(claim, placed.start, placed.end)


def _inherited_references(text: str, earlier: list[CheckedClaim]) -> tuple[str, ...]:
    """The references of the most similar earlier sentence; empty where none is similar enough."""
    rated = [(_similarity(text, sentence.text), sentence.references) for sentence in earlier]
    likeness, references = max(rated, default=(0.0, ()), key=lambda each: each[0])
    return references if likeness >= _SAME_SENTENCE else ()


def _similarity(first: str, second: str) -> float:
    """By letters, or by words where the order was changed."""
    left, right = sentence_terms(normalize_text(first)), sentence_terms(normalize_text(second))
    shared = len(left & right) / min(len(left), len(right)) if min(len(left), len(right)) > 1 else 0.0
    letters = SequenceMatcher(None, first.casefold(), second.casefold(), autojunk=False).ratio()
    return max(letters, shared if shared >= _SHARED_WORDS else 0.0)
