"""Why a sentence may not be published by itself, in words for people."""

from almanac.verify.model import CheckedClaim, ClaimFinding, FindingKind


def explain_fault(claim: CheckedClaim, source: str = "The source") -> str:
    """What is wrong with a sentence that isn't supported; `source` is how it names what was checked against."""
    reasons = dict.fromkeys(_explain_finding(finding, source) for finding in claim.findings)
    return " ".join(reasons) or f"{source} doesn't say this."


def _explain_finding(finding: ClaimFinding, source: str) -> str:
    if finding.kind is not FindingKind.UNCOVERED:
        return (
            finding.reason.replace("The source", source, 1)
            if finding.reason.startswith("The source")
            else finding.reason
        )
    if finding.expected:
        return f"{source} says “{finding.expected}”, this says “{finding.found}”."
    words = ", ".join(f"“{word}”" for word in dict.fromkeys(finding.found.split()))
    return f"{source} doesn't confirm {words}."
