"""The sentences in which findings are told."""

from almanac.verify.model import ClaimFinding, FindingKind

_NOUNS = {
    FindingKind.NUMBER: "number",
    FindingKind.AMOUNT: "amount",
    FindingKind.PERCENTAGE: "percentage",
    FindingKind.UNIT: "unit",
    FindingKind.DATE: "date",
    FindingKind.NAME: "name",
}


def fact_not_in_source(kind: FindingKind, found: str, expected: str | None) -> ClaimFinding:
    """A fact that the source gives otherwise, or doesn't give."""
    if expected is None:
        reason = f"The source doesn't give the {_NOUNS[kind]} {found}."
    else:
        reason = f"The source says {expected}, not {found}."
    return ClaimFinding(kind=kind, found=found, expected=expected, reason=reason)


def facts_swapped(kind: FindingKind, found: str, expected: str) -> ClaimFinding:
    """Two facts that have changed places."""
    reason = f"The source has {expected} where this says {found}: the two have changed places."
    return ClaimFinding(kind=kind, found=found, expected=expected, reason=reason)


def unit_differs(kind: FindingKind, found: str, expected: str) -> ClaimFinding:
    """The same figure, measured in something else."""
    reason = f"The source says {expected}, not {found}: the figure is the same, what it measures is not."
    return ClaimFinding(kind=kind, found=found, expected=expected, reason=reason)


def rounding_differs(found: str, said: str, expected: str, meant: str) -> ClaimFinding:
    """More than, where the source says less than."""
    reason = f"The source says {meant} {expected}, not {said} {found}."
    return ClaimFinding(kind=FindingKind.NUMBER, found=f"{said} {found}", expected=f"{meant} {expected}", reason=reason)


def altered_quotation(found: str, expected: str | None) -> ClaimFinding:
    """Quoted words that nobody said."""
    if expected is None:
        reason = f"The source doesn't have these words, so they can't be quoted: “{found}”."
    else:
        reason = f"The source has “{expected}”, not “{found}”."
    return ClaimFinding(kind=FindingKind.QUOTATION, found=found, expected=expected, reason=reason)


def dangling_reference(reference: str) -> ClaimFinding:
    """A reference to nothing."""
    return ClaimFinding(
        kind=FindingKind.DANGLING_REFERENCE, found=reference, reason=f"There is no source called “{reference}”."
    )


def missing_reference(text: str) -> ClaimFinding:
    """A sentence without any reference."""
    return ClaimFinding(kind=FindingKind.NO_REFERENCE, found=text, reason="This sentence names no source.")


def unrelated_wording(text: str) -> ClaimFinding:
    """A sentence of which the source knows nothing."""
    return ClaimFinding(kind=FindingKind.WORDING, found=text, reason="The source says nothing like this.")


def opposite_meaning(found: str, expected: str) -> ClaimFinding:
    """The opposite of what the source says."""
    reason = f"The source says “{expected}”; this says the opposite, “{found}”."
    return ClaimFinding(kind=FindingKind.WORDING, found=found, expected=expected, reason=reason)


def overstated_certainty(found: str, expected: str) -> ClaimFinding:
    """What the source leaves open, told as settled."""
    reason = f"The source only says “{expected}”; “{found}” is told as if it were settled."
    return ClaimFinding(kind=FindingKind.WORDING, found=found, expected=expected, reason=reason)


def order_differs(found: str, expected: str) -> ClaimFinding:
    """Before, where the source says after."""
    reason = f"The source says “{expected}”, not “{found}”."
    return ClaimFinding(kind=FindingKind.DATE, found=found, expected=expected, reason=reason)


def claim_too_long(text: str) -> ClaimFinding:
    """Something without full stops that nobody could check by reading either."""
    reason = "This is too long to be checked as one sentence; split it."
    return ClaimFinding(kind=FindingKind.WORDING, found=text, reason=reason)


def wrong_attribution(found: str, expected: str | None, fact: str) -> ClaimFinding:
    """A fact of the source that belongs to somebody or something else there."""
    instead = "something else" if expected is None else expected
    reason = f"The source has {instead}, not {found}, with “{fact}”."
    return ClaimFinding(kind=FindingKind.NAME, found=found, expected=expected, reason=reason)


def thing_replaced(found: str, expected: str) -> ClaimFinding:
    """Another thing of the same kind."""
    reason = f"The source speaks of {expected}, not of {found}."
    return ClaimFinding(kind=FindingKind.WORDING, found=found, expected=expected, reason=reason)
