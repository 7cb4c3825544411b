"""Nothing invented: given written sentences with references, and the sources, says which are supported, and why not.

Pure functions without any reading or writing. What to do about a fault is left to the desks.
"""

from almanac.verify.checker import check, check_text, recheck
from almanac.verify.model import CheckedClaim, Claim, ClaimFinding, FindingKind, Verdict, VerificationReport
from almanac.verify.stated_figures import check_stated_figures

__all__ = [
    "CheckedClaim",
    "Claim",
    "ClaimFinding",
    "FindingKind",
    "Verdict",
    "VerificationReport",
    "check",
    "check_stated_figures",
    "check_text",
    "recheck",
]
