"""Why a sentence may not be published by itself, in words for people."""

from almanac.kit.messages import gettext, join_sentences
from almanac.verify.model import CheckedClaim, ClaimFinding, FindingKind

_SOURCE = gettext("The source")


def explain_fault(claim: CheckedClaim, source: str = _SOURCE) -> str:
    """What is wrong with a sentence that isn't supported; `source` is how it names what was checked against."""
    reasons = dict.fromkeys(_explain_finding(finding, source) for finding in claim.findings)
    return join_sentences(reasons) if reasons else gettext("%(source)s doesn't say this.", source=source)


def _explain_finding(finding: ClaimFinding, source: str) -> str:
    if finding.kind is not FindingKind.UNCOVERED:
        is_renamed = source != _SOURCE and finding.reason.startswith(_SOURCE)
        return finding.reason.replace(_SOURCE, source, 1) if is_renamed else finding.reason
    if finding.expected:
        expected, claimed = finding.expected, finding.found
        return gettext(
            "%(source)s says “%(expected)s”, this says “%(claimed)s”.",
            source=source,
            expected=expected,
            claimed=claimed,
        )
    words = ", ".join(f"“{word}”" for word in dict.fromkeys(finding.found.split()))
    return gettext("%(source)s doesn't confirm %(words)s.", source=source, words=words)
