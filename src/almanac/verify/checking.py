"""The check itself: each claim against the sources it names, and the verdict over what was found."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from almanac.verify.alignment import Alignment, align
from almanac.verify.attribution import check_attribution
from almanac.verify.binding import check_binding
from almanac.verify.certainty import check_certainty
from almanac.verify.exchanges import check_exchanges
from almanac.verify.facts import Facts, read_facts
from almanac.verify.figures import check_codes, check_quantities
from almanac.verify.kinds import check_kinds
from almanac.verify.markers import read_claims
from almanac.verify.model import Checked, Claim, Finding, FindingKind, Report, Verdict
from almanac.verify.naming import AlsoKnownAs, check_han_names, check_latin_names
from almanac.verify.occasions import check_moments
from almanac.verify.polarity import check_polarity, check_translated_polarity
from almanac.verify.quotations import find_quotations, is_verbatim, nearest_wording
from almanac.verify.reasons import altered_quotation, dangling, too_long, unreferenced, unrelated
from almanac.verify.sources import SourceText, language_beside, terms
from almanac.verify.succession import check_succession
from almanac.verify.together import check_together
from almanac.verify.traditional import has_kana, simplified
from almanac.verify.translated_names import check_translated_names

LONGEST_CLAIM = 3000
_SHORTEST_WORDING = 3
# What was read of a source takes some hundred times its length, so only a few of the length of an article stay.
_SOURCES_KEPT, _LONGEST_KEPT = 16, 20_000
_UNRELATED = 0.2
_REFERENCE_FAULTS = frozenset({FindingKind.DANGLING_REFERENCE, FindingKind.NO_REFERENCE})


def check(
    claims: Sequence[Claim],
    sources: Mapping[str, str],
    *,
    across_translation: bool | None = None,
    names: AlsoKnownAs | None = None,
) -> Report:
    """Check claims, one verdict for each, in their order.

    Whether a claim is a translation of its source is seen from the languages unless said. `names` gives the other
    forms of a name, such as `{"Tanaka Hanako": ["田中花子"]}`.
    """
    checker = Checker(sources, across_translation, names)
    return Report(tuple(checker.check(claim, 0, len(claim.text)) for claim in claims))


def check_text(
    text: str,
    sources: Mapping[str, str],
    *,
    across_translation: bool | None = None,
    names: AlsoKnownAs | None = None,
) -> Report:
    """Check a text whose sentences are followed by `[@source-id]` markers. Headings and greetings need none."""
    checker = Checker(sources, across_translation, names)
    return Report(tuple(checker.check(placed.claim, placed.start, placed.end) for placed in read_claims(text)))


class Checker:
    """Reads each source once, however many claims name it."""

    def __init__(self, sources: Mapping[str, str], across_translation: bool | None, names: AlsoKnownAs | None) -> None:
        self._japanese = {key for key, text in sources.items() if has_kana(text)}
        self._sources = {
            key: _source_text(key, text if key in self._japanese else simplified(text)) for key, text in sources.items()
        }
        self._across_translation = across_translation
        self._names = names

    def check(self, claim: Claim, start: int, end: int) -> Checked:
        named = [self._sources[key] for key in claim.references if key in self._sources]
        findings = [dangling(key) for key in claim.references if key not in self._sources]
        alignment: Alignment | None = None
        if not claim.needs_source and not claim.references:
            return _told(claim, start, end, [], None)
        if not claim.references:
            findings.append(unreferenced(claim.text))
        if len(claim.text) > LONGEST_CLAIM:
            findings.append(too_long(claim.text))
        elif named:
            japanese = has_kana(claim.text) or any(source.id in self._japanese for source in named)
            alignment, found = self._against(claim.text if japanese else simplified(claim.text), named)
            findings += found
        return _told(claim, start, end, findings, alignment)

    def _against(self, text: str, named: Sequence[SourceText]) -> tuple[Alignment | None, list[Finding]]:
        facts = read_facts(text)
        language = language_beside(text, named)
        translated = self._is_translated(language, named)
        alignment = align(facts, named, translated=translated)
        if alignment is None:
            return None, [unrelated(text)]
        findings = [*check_codes(facts, named), *check_quantities(facts, alignment, named)]
        findings += check_moments(facts, alignment, named)
        if translated:
            findings += check_translated_names(facts, alignment, named, language, self._names)
            findings += [] if findings else check_translated_polarity(facts, alignment, language)
        else:
            findings += self._in_same_language(text, facts, language, alignment, named, findings)
        return alignment, findings

    def _in_same_language(
        self,
        text: str,
        facts: Facts,
        language: str,
        alignment: Alignment,
        named: Sequence[SourceText],
        so_far: Sequence[Finding],
    ) -> list[Finding]:
        findings = _quotations(text, named)
        findings += check_latin_names(facts, alignment, named, self._names)
        if language in {"ja", "zh"}:
            findings += check_han_names(facts, alignment, named, language, self._names)
        if not findings and not so_far:
            findings += (
                check_binding(facts, alignment, language)
                or check_exchanges(facts, alignment)
                or check_attribution(facts, alignment, named, language)
                or check_polarity(facts, alignment, language)
                or check_certainty(facts, alignment, language)
                or check_succession(facts, alignment)
                or check_together(facts, alignment)
                or check_kinds(facts, alignment, named)
            )
        if not findings and not so_far and _is_unrelated(facts, alignment):
            findings.append(unrelated(text))
        return findings

    def _is_translated(self, language: str, named: Sequence[SourceText]) -> bool:
        if self._across_translation is not None:
            return self._across_translation
        return all(source.language != language for source in named)


def _source_text(key: str, text: str) -> SourceText:
    return _kept_source_text(key, text) if len(text) <= _LONGEST_KEPT else SourceText(key, text)


@lru_cache(maxsize=_SOURCES_KEPT)
def _kept_source_text(key: str, text: str) -> SourceText:
    """The last sources stay as they were read: whoever edits or reads a draft has it checked against them again."""
    return SourceText(key, text)


def _quotations(text: str, named: Sequence[SourceText]) -> list[Finding]:
    findings = []
    for quotation in find_quotations(text):
        if not any(is_verbatim(quotation, source.text, source.quotable) for source in named):
            near = (nearest_wording(quotation, source.text) for source in named)
            findings.append(altered_quotation(quotation.text, next((words for words in near if words), None)))
    return findings


def _is_unrelated(facts: Facts, alignment: Alignment) -> bool:
    """Hardly a word of it is in the source; very short sentences say too little to tell, and less beside a fact."""
    return (
        len(terms(facts.bare)) >= _SHORTEST_WORDING + (alignment.shared_facts > 0) and alignment.coverage < _UNRELATED
    )


def _told(claim: Claim, start: int, end: int, findings: list[Finding], alignment: Alignment | None) -> Checked:
    best = alignment.best if alignment else None
    return Checked(
        text=claim.text,
        start=start,
        end=end,
        references=claim.references,
        verdict=_verdict(findings, alignment),
        findings=tuple(findings),
        best_source=best.source if best else None,
        matched=(best.start, best.end) if best else None,
        needs_source=claim.needs_source,
    )


def _verdict(findings: list[Finding], alignment: Alignment | None) -> Verdict:
    if not findings:
        return Verdict.SUPPORTED
    kinds = {finding.kind for finding in findings}
    told = any(finding.expected for finding in findings)
    if kinds & _REFERENCE_FAULTS or alignment is None or not (told or alignment.is_kin):
        return Verdict.UNSUPPORTED
    return Verdict.CHANGED
