"""Finds quantifiers, causes, duties and ranks that a claim adds, and quantifiers that it drops or changes."""

from collections.abc import Sequence

from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.statements.marked_sentences import MarkedSentence, Marker

# What a claim may say only where its source says one of these.
_NEEDED = {
    "all": ("all", "whole"),
    "most": ("most",),
    "mainly": ("mainly", "most"),
    "none": ("none", "negation", "negative"),
    "only": ("only", "few"),
    "first": ("first",),
    "superlative": ("superlative", "first"),
    "must": ("must", "only", "due"),
    "cause": ("cause", "consequence"),
    "yearly": ("yearly",),
    "monthly": ("monthly",),
}
_PARTIAL = ("some", "few", "most")
_COUNTED = ("all", "most", "some", "few", "none")


def check_restrictions(
    claim: MarkedSentence, sentences: Sequence[MarkedSentence], kinds: frozenset[str]
) -> list[ClaimFinding]:
    """The first word of a class that only the claim has, or the first quantifier that only the source has."""
    for kind, needed in _NEEDED.items():
        if kind not in kinds or not claim.has(kind) or any(sentence.has(*needed) for sentence in sentences):
            continue
        if kind != "cause" or not _names_event(claim):
            return [uncertain_difference(claim.markers(kind)[0].text, sentences[0].text)]
    return _check_understated(claim, sentences) or _check_dropped_quantifier(claim, sentences)


def _names_event(claim: MarkedSentence) -> bool:
    """Whether what happened is explained by a disaster, which a source tells of before its consequences."""
    return any(
        0 <= event.start - marker.end <= 1 for marker in claim.markers("cause") for event in claim.markers("event")
    )


def _check_understated(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """`some` where the source says all."""
    for kind in ("some", "few"):
        stated = {other for other in _COUNTED if any(sentence.has(other) for sentence in sentences)}
        if claim.has(kind) and "all" in stated and not stated & {"some", "few", "most"}:
            return [uncertain_difference(claim.markers(kind)[0].text, sentences[0].text)]
    return []


def _check_dropped_quantifier(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """`some goods were counted` as `the goods were counted`."""
    if claim.has(*_COUNTED, "only"):
        return []
    for sentence in sentences:
        for kind in _PARTIAL:
            for marker in sentence.markers(kind):
                if _is_dropped(claim, sentence, marker):
                    return [uncertain_difference(claim.text, sentence.text[marker.start :])]
    return []


def _is_dropped(claim: MarkedSentence, sentence: MarkedSentence, marker: Marker) -> bool:
    """Whether the claim has what a quantifier counts, and what the sentence says of it."""
    counted = sentence.words_after(marker, 2)
    rest = sentence.words_after(marker, len(sentence.words))
    return len(counted) == min(2, len(rest)) > 0 and all(word.carries & claim.keys for word in counted)
