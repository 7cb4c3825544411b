"""Checks a text again after a person has edited it, carrying references over to sentences that lost their marker."""

from collections.abc import Mapping
from difflib import SequenceMatcher

from almanac.verify.checking import Checker
from almanac.verify.markers import Placed, read_claims
from almanac.verify.model import Checked, Claim, Report
from almanac.verify.naming import AlsoKnownAs
from almanac.verify.plain import level
from almanac.verify.sources import terms

_SAME = 0.55
_KIN = 0.5


def recheck(
    previous: Report,
    new_text: str,
    sources: Mapping[str, str],
    *,
    across_translation: bool | None = None,
    names: AlsoKnownAs | None = None,
) -> Report:
    """A rewritten sentence without a marker keeps the references of the sentence it came from; all is checked anew."""
    checker = Checker(sources, across_translation, names)
    known = [sentence for sentence in previous.sentences if sentence.references]
    return Report(tuple(_checked(checker, placed, known) for placed in read_claims(new_text)))


def _checked(checker: Checker, placed: Placed, known: list[Checked]) -> Checked:
    claim = placed.claim
    if not claim.references and claim.needs_source:
        claim = Claim(claim.text, _inherited(claim.text, known))
    return checker.check(claim, placed.start, placed.end)


def _inherited(text: str, known: list[Checked]) -> tuple[str, ...]:
    """The references of the sentence this one was made from; none where nothing is alike."""
    rated = [(_likeness(text, sentence.text), sentence.references) for sentence in known]
    likeness, references = max(rated, default=(0.0, ()), key=lambda each: each[0])
    return references if likeness >= _SAME else ()


def _likeness(one: str, two: str) -> float:
    """By letters, or by words where the order was changed."""
    left, right = terms(level(one)), terms(level(two))
    shared = len(left & right) / min(len(left), len(right)) if min(len(left), len(right)) > 1 else 0.0
    letters = SequenceMatcher(None, one.casefold(), two.casefold(), autojunk=False).ratio()
    return max(letters, shared if shared >= _KIN else 0.0)
