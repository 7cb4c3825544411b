"""Finds hedges that a claim drops: what is possible, planned, expected, suspected or pending stated as a fact, and
bounds stated as figures.

`certainty` reports the plain cases as changes; what is found here must be read.
"""

from collections.abc import Iterator, Sequence

from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.quantities.rounding import Rounding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.sources import SourceSentence
from almanac.verify.statements.marked_sentences import MarkedSentence, Marker, mark_sentence
from almanac.verify.words.model import ContentWord

# By what a claim may express each class: what is planned may be told as coming, what is possible may not.
_ACCEPTED = {
    "possible": ("possible", "can", "suspected", "expected", "pending"),
    "planned": ("planned", "proposal", "expected", "possible", "can", "pending", "future", "must"),
    "expected": ("expected", "planned", "possible", "can", "pending", "future", "about"),
    "suspected": ("suspected", "possible", "accused"),
    "pending": ("pending", "planned", "proposal", "possible", "expected"),
}
_GOVERNED = {"possible": 2, "planned": 2, "expected": 2, "suspected": 4, "pending": 4}
_OPEN = ("planned", "expected", "pending", "future")
_FEWEST_WITHOUT_VERB = 2
_REACH = {"upper": 14, "lower": 14, "about": 2}
_COMMAS = frozenset(",;。、")


def check_openness(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """The first word of the claim that the source has only with a hedge, and the claim with none."""
    for kind, accepted in _ACCEPTED.items():
        if claim.has(*accepted):
            continue
        for sentence in sentences:
            for marker in sentence.markers(kind):
                word = _find_unhedged(claim, sentence, marker, kind, sentences)
                if word is not None:
                    return [uncertain_difference(word.text, _excerpt(sentence, marker))]
    return _check_done(claim, sentences)


def _check_done(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """`has been published` where the source expects it."""
    if not claim.has("done") or any(sentence.has("done") for sentence in sentences):
        return []
    for kind in _OPEN:
        for sentence in sentences:
            for marker in sentence.markers(kind):
                return [uncertain_difference(claim.markers("done")[0].text, _excerpt(sentence, marker))]
    return []


def _find_unhedged(
    claim: MarkedSentence, sentence: MarkedSentence, marker: Marker, kind: str, sentences: Sequence[MarkedSentence]
) -> ContentWord | None:
    """The claim's word that stands for what a marker governs; None where the source also has it without a hedge."""
    governed = _list_governed(sentence, marker, kind)
    matches = [next((each for each in claim.words if each.keys & word.carries), None) for word in governed]
    has_verb = kind != "pending" and bool(matches) and matches[0] is not None
    if not has_verb and sum(match is not None for match in matches) < _FEWEST_WITHOUT_VERB:
        return None
    for word, match in zip(governed, matches, strict=True):
        elsewhere = (each for other in sentences for each in other.words if other != sentence or each not in governed)
        if match is not None and not any(word.keys & each.keys for each in elsewhere):
            return match
    return None


def _list_governed(sentence: MarkedSentence, marker: Marker, kind: str) -> list[ContentWord]:
    """The words after a hedge; a condition at the end governs what was said before it."""
    before = [word for word in sentence.words if word.end <= marker.start]
    if kind == "pending" and before:
        return before[-_GOVERNED[kind] :]
    return sentence.words_after(marker, _GOVERNED[kind])


def _excerpt(sentence: MarkedSentence, marker: Marker) -> str:
    after = sentence.words_after(marker, 3)
    return sentence.text[marker.start : after[-1].end if after else marker.end]


def check_bounds(facts: SentenceFacts, chosen: Sequence[SourceSentence], language: str) -> list[ClaimFinding]:
    """A figure that the source gives only as a bound or as rounded, and the claim as it is."""
    claim = mark_sentence(facts, language)
    if claim.has(*_REACH):
        return []
    for quantity in facts.quantities:
        if quantity.rounding is not Rounding.EXACT or quantity.ordinal:
            continue
        matching = [*_matching_quantities(quantity, chosen)]
        bounds = [_find_bound(sentence, sourced, language) for sentence, sourced in matching]
        if bounds and all(bounds):
            return [uncertain_difference(quantity.text, bounds[0] or "")]
        if matching and all(each.rounding is not Rounding.EXACT for _, each in matching):
            return [uncertain_difference(quantity.text, matching[0][0].facts.text)]
    return []


def _matching_quantities(
    quantity: Quantity, chosen: Sequence[SourceSentence]
) -> Iterator[tuple[SourceSentence, Quantity]]:
    for sentence in chosen:
        yield from ((sentence, sourced) for sourced in sentence.facts.quantities if quantities_match(quantity, sourced))


def _find_bound(sentence: SourceSentence, sourced: Quantity, language: str) -> str | None:
    """The bound and its figure as the source writes them; None for a plain figure."""
    text = sentence.facts.text
    marked = mark_sentence(sentence.facts, language)
    for kind, reach in _REACH.items():
        for marker in marked.markers(kind):
            if _ends_range(marker, sentence):
                continue
            between = text[marker.end : sourced.start]
            if 0 <= sourced.start - marker.end <= reach and not _COMMAS & set(between):
                return text[marker.start : sourced.end]
            if 0 <= marker.start - sourced.end <= 1 and language == "zh":
                return text[sourced.start : marker.end]
    return None


def _ends_range(marker: Marker, sentence: SourceSentence) -> bool:
    """Whether a figure stands right before, as in `180 hingga 250`."""
    return any(0 <= marker.start - each.end <= 1 for each in sentence.facts.quantities)
