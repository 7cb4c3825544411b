"""The sentences in which findings are told."""

from almanac.verify.model import Finding, FindingKind

_NOUNS = {
    FindingKind.NUMBER: "number",
    FindingKind.AMOUNT: "amount",
    FindingKind.PERCENTAGE: "percentage",
    FindingKind.UNIT: "unit",
    FindingKind.DATE: "date",
    FindingKind.NAME: "name",
}


def other_in_source(kind: FindingKind, found: str, expected: str | None) -> Finding:
    """A fact that the source gives otherwise, or doesn't give."""
    if expected is None:
        reason = f"The source doesn't give the {_NOUNS[kind]} {found}."
    else:
        reason = f"The source says {expected}, not {found}."
    return Finding(kind=kind, found=found, expected=expected, reason=reason)


def swapped(kind: FindingKind, found: str, expected: str) -> Finding:
    """Two facts that have changed places."""
    reason = f"The source has {expected} where this says {found}: the two have changed places."
    return Finding(kind=kind, found=found, expected=expected, reason=reason)


def other_unit(kind: FindingKind, found: str, expected: str) -> Finding:
    """The same figure, measured in something else."""
    reason = f"The source says {expected}, not {found}: the figure is the same, what it measures is not."
    return Finding(kind=kind, found=found, expected=expected, reason=reason)


def other_direction(found: str, said: str, expected: str, meant: str) -> Finding:
    """More than, where the source says less than."""
    reason = f"The source says {meant} {expected}, not {said} {found}."
    return Finding(kind=FindingKind.NUMBER, found=f"{said} {found}", expected=f"{meant} {expected}", reason=reason)


def altered_quotation(found: str, expected: str | None) -> Finding:
    """Quoted words that nobody said."""
    if expected is None:
        reason = f"The source doesn't have these words, so they can't be quoted: “{found}”."
    else:
        reason = f"The source has “{expected}”, not “{found}”."
    return Finding(kind=FindingKind.QUOTATION, found=found, expected=expected, reason=reason)


def dangling(reference: str) -> Finding:
    """A reference to nothing."""
    return Finding(
        kind=FindingKind.DANGLING_REFERENCE, found=reference, reason=f"There is no source called “{reference}”."
    )


def unreferenced(text: str) -> Finding:
    """A sentence without any reference."""
    return Finding(kind=FindingKind.NO_REFERENCE, found=text, reason="This sentence names no source.")


def unrelated(text: str) -> Finding:
    """A sentence of which the source knows nothing."""
    return Finding(kind=FindingKind.WORDING, found=text, reason="The source says nothing like this.")


def turned(found: str, expected: str) -> Finding:
    """The opposite of what the source says."""
    reason = f"The source says “{expected}”; this says the opposite, “{found}”."
    return Finding(kind=FindingKind.WORDING, found=found, expected=expected, reason=reason)


def surer(found: str, expected: str) -> Finding:
    """What the source leaves open, told as settled."""
    reason = f"The source only says “{expected}”; “{found}” is told as if it were settled."
    return Finding(kind=FindingKind.WORDING, found=found, expected=expected, reason=reason)


def other_order(found: str, expected: str) -> Finding:
    """Before, where the source says after."""
    reason = f"The source says “{expected}”, not “{found}”."
    return Finding(kind=FindingKind.DATE, found=found, expected=expected, reason=reason)


def too_long(text: str) -> Finding:
    """Something without full stops that nobody could check by reading either."""
    reason = "This is too long to be checked as one sentence; split it."
    return Finding(kind=FindingKind.WORDING, found=text, reason=reason)


def of_another(found: str, expected: str | None, fact: str) -> Finding:
    """A fact of the source that belongs to somebody or something else there."""
    instead = "something else" if expected is None else expected
    reason = f"The source has {instead}, not {found}, with “{fact}”."
    return Finding(kind=FindingKind.NAME, found=found, expected=expected, reason=reason)


def other_thing(found: str, expected: str) -> Finding:
    """Another thing of the same kind."""
    reason = f"The source speaks of {expected}, not of {found}."
    return Finding(kind=FindingKind.WORDING, found=found, expected=expected, reason=reason)
