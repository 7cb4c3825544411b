"""Builds findings with the sentence that explains each to people."""

from collections.abc import Sequence

from almanac.kit.lazy import lazy_regex
from almanac.kit.messages import gettext
from almanac.verify.model import ClaimFinding, FindingKind

_INITIAL = lazy_regex(r"(?i)\b[a-z]\.$")


def _as_shown(fact: str) -> str:
    """A fact as a reason shows it, without the full stop that ended its sentence."""
    return fact[:-1] if fact.endswith(".") and not _INITIAL.search(fact) else fact


def _quoted(words: str) -> str:
    """Words in quotation marks; marks within them become single ones, a pair around them is dropped."""
    plain = words.strip().replace("“", '"').replace("”", '"')
    if plain.count('"') == 2 and plain.startswith('"') and plain.endswith('"'):
        plain = plain.strip('"')
    while '"' in plain:
        plain = plain.replace('"', "‘", 1).replace('"', "’", 1)
    return f"“{plain}”"


def _not_given(kind: FindingKind, claimed: str) -> str:
    sentences = {
        FindingKind.NUMBER: gettext("The source doesn't give the number %(claimed)s.", claimed=claimed),
        FindingKind.AMOUNT: gettext("The source doesn't give the amount %(claimed)s.", claimed=claimed),
        FindingKind.PERCENTAGE: gettext("The source doesn't give the percentage %(claimed)s.", claimed=claimed),
        FindingKind.UNIT: gettext("The source doesn't give the unit %(claimed)s.", claimed=claimed),
        FindingKind.DATE: gettext("The source doesn't give the date %(claimed)s.", claimed=claimed),
        FindingKind.NAME: gettext("The source doesn't give the name %(claimed)s.", claimed=claimed),
    }
    return sentences[kind]


def _in_doubt(kind: FindingKind, claimed: str) -> str:
    sentences = {
        FindingKind.NUMBER: gettext(
            "The source doesn't give the number %(claimed)s: read it and check.", claimed=claimed
        ),
        FindingKind.AMOUNT: gettext(
            "The source doesn't give the amount %(claimed)s: read it and check.", claimed=claimed
        ),
        FindingKind.PERCENTAGE: gettext(
            "The source doesn't give the percentage %(claimed)s: read it and check.", claimed=claimed
        ),
        FindingKind.UNIT: gettext("The source doesn't give the unit %(claimed)s: read it and check.", claimed=claimed),
        FindingKind.DATE: gettext("The source doesn't give the date %(claimed)s: read it and check.", claimed=claimed),
        FindingKind.NAME: gettext("The source doesn't give the name %(claimed)s: read it and check.", claimed=claimed),
    }
    return sentences[kind]


def fact_not_in_source(kind: FindingKind, claimed: str, expected: str | None) -> ClaimFinding:
    """The source has another fact, or none."""
    if expected is None or _as_shown(expected) == _as_shown(claimed):
        return ClaimFinding(
            kind=kind,
            found=claimed,
            reason=_not_given(kind, claimed.rstrip(".")),
        )
    reason = gettext(
        "The source says %(expected)s, not %(claimed)s.", expected=_as_shown(expected), claimed=claimed.rstrip(".")
    )
    return ClaimFinding(kind=kind, found=claimed, expected=expected, reason=reason)


def fact_in_doubt(kind: FindingKind, claimed: str) -> ClaimFinding:
    """The source doesn't have the fact, but nothing in it says otherwise: a person must tell."""
    reason = _in_doubt(kind, _as_shown(claimed))
    return ClaimFinding(kind=kind, found=claimed, reason=reason, is_doubtful=True)


def fact_may_differ(kind: FindingKind, claimed: str, sourced: str) -> ClaimFinding:
    """The source has another fact from which this one may follow, such as a sum of its figures."""
    reason = gettext(
        "The source says %(expected)s, this says %(claimed)s: read it and check.",
        expected=_as_shown(sourced),
        claimed=_as_shown(claimed),
    )
    return ClaimFinding(kind=kind, found=claimed, reason=reason, is_doubtful=True)


def facts_swapped(kind: FindingKind, claimed: str, expected: str) -> ClaimFinding:
    """Two facts have swapped places."""
    reason = gettext(
        "The source has %(expected)s where this says %(claimed)s: the two are swapped.",
        expected=expected,
        claimed=claimed,
    )
    return ClaimFinding(kind=kind, found=claimed, expected=expected, reason=reason)


def unit_differs(kind: FindingKind, claimed: str, expected: str) -> ClaimFinding:
    """The figure is the same, the unit isn't."""
    reason = gettext(
        "The source says %(expected)s, not %(claimed)s: the figure is the same, what it measures is not.",
        expected=expected,
        claimed=claimed,
    )
    return ClaimFinding(kind=kind, found=claimed, expected=expected, reason=reason)


def rounding_differs(claimed: str, claimed_rounding: str, expected: str, source_rounding: str) -> ClaimFinding:
    """A lower bound in place of an upper bound, or the reverse."""
    reason = gettext(
        "The source says %(source_rounding)s %(expected)s, not %(claimed_rounding)s %(claimed)s.",
        source_rounding=source_rounding,
        expected=expected,
        claimed_rounding=claimed_rounding,
        claimed=claimed,
    )
    return ClaimFinding(
        kind=FindingKind.NUMBER,
        found=f"{claimed_rounding} {claimed}",
        expected=f"{source_rounding} {expected}",
        reason=reason,
    )


def altered_quotation(claimed: str, expected: str | None) -> ClaimFinding:
    """The quoted words differ from the source."""
    if expected is None:
        reason = gettext(
            "The source doesn't have these words, so they can't be quoted: %(claimed)s.", claimed=_quoted(claimed)
        )
    else:
        reason = gettext(
            "The source has %(expected)s, not %(claimed)s.", expected=_quoted(expected), claimed=_quoted(claimed)
        )
    return ClaimFinding(kind=FindingKind.QUOTATION, found=claimed, expected=expected, reason=reason)


def dangling_reference(reference: str) -> ClaimFinding:
    """The reference names no source."""
    return ClaimFinding(
        kind=FindingKind.DANGLING_REFERENCE,
        found=reference,
        reason=gettext("There is no source called “%(reference)s”.", reference=reference),
    )


def missing_reference(text: str) -> ClaimFinding:
    """The sentence has no reference."""
    return ClaimFinding(kind=FindingKind.NO_REFERENCE, found=text, reason=gettext("This sentence has no source."))


def unrelated_wording(text: str) -> ClaimFinding:
    """The source says nothing similar."""
    return ClaimFinding(kind=FindingKind.WORDING, found=text, reason=gettext("The source says nothing like this."))


def opposite_meaning(claimed: str, expected: str) -> ClaimFinding:
    """The claim says the opposite of the source."""
    reason = gettext(
        "The source says %(expected)s; this says the opposite, %(claimed)s.",
        expected=_quoted(expected),
        claimed=_quoted(claimed),
    )
    return ClaimFinding(kind=FindingKind.WORDING, found=claimed, expected=expected, reason=reason)


def overstated_certainty(claimed: str, expected: str) -> ClaimFinding:
    """The claim states as settled what the source leaves open."""
    reason = gettext(
        "The source only says %(expected)s; %(claimed)s states it as certain.",
        expected=_quoted(expected),
        claimed=_quoted(claimed),
    )
    return ClaimFinding(kind=FindingKind.WORDING, found=claimed, expected=expected, reason=reason)


def order_differs(claimed: str, expected: str) -> ClaimFinding:
    """Before where the source says after, or the reverse."""
    reason = gettext(
        "The source says %(expected)s, not %(claimed)s.", expected=_quoted(expected), claimed=_quoted(claimed)
    )
    return ClaimFinding(kind=FindingKind.DATE, found=claimed, expected=expected, reason=reason)


def claim_too_long(text: str) -> ClaimFinding:
    """The sentence is too long to be checked."""
    reason = gettext("This is too long to be checked as one sentence; split it.")
    return ClaimFinding(kind=FindingKind.WORDING, found=text, reason=reason)


def wrong_attribution(claimed: str, expected: str | None, fact: str) -> ClaimFinding:
    """The source has the fact with another name."""
    instead = "something else" if expected is None else expected
    reason = gettext(
        "The source has %(instead)s, not %(claimed)s, with %(fact)s.",
        instead=instead,
        claimed=claimed,
        fact=_quoted(fact),
    )
    return ClaimFinding(kind=FindingKind.NAME, found=claimed, expected=expected, reason=reason)


def thing_replaced(claimed: str, expected: str) -> ClaimFinding:
    """Another thing of the same kind."""
    reason = gettext("The source mentions %(expected)s, not %(claimed)s.", expected=expected, claimed=claimed)
    return ClaimFinding(kind=FindingKind.WORDING, found=claimed, expected=expected, reason=reason)


def uncovered_words(words: Sequence[str]) -> ClaimFinding:
    """Words that nothing in the source carries."""
    listed = ", ".join(f"{_quoted(word)}" for word in dict.fromkeys(words))
    reason = gettext("The source doesn't confirm %(listed)s: read it and check.", listed=listed)
    return ClaimFinding(kind=FindingKind.UNCOVERED, found=" ".join(words), reason=reason)


def uncertain_difference(claimed: str, sourced: str) -> ClaimFinding:
    """The claim's words may mean something else than the source's; a person must tell."""
    reason = gettext(
        "The source says %(expected)s, this says %(claimed)s: read it and check.",
        expected=_quoted(sourced),
        claimed=_quoted(claimed),
    )
    return ClaimFinding(kind=FindingKind.UNCOVERED, found=claimed, expected=sourced, reason=reason)


def uncarried_question(text: str) -> ClaimFinding:
    """A question says nothing that a source could say too."""
    reason = gettext("The source doesn't ask this question: read it, or mark the sentence as your own.")
    return ClaimFinding(kind=FindingKind.UNCOVERED, found=text, reason=reason)


def unread_language(text: str) -> ClaimFinding:
    """There are no rules for what a sentence in this language means."""
    reason = gettext("Rewording in this language can't be checked, only figures, dates and names: read it and check.")
    return ClaimFinding(kind=FindingKind.UNCOVERED, found=text, reason=reason)
