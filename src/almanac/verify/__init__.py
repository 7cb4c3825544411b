"""Checks written sentences against the sources they cite and says which are supported, and why the others aren't.

Pure functions without I/O. Desks decide what to do about an unsupported sentence. `checker` runs the checks: `names`,
`quantities` and `dates` compare facts, `quotations` compares quoted words, `statements` compares what is said about the
facts.
"""

from almanac.verify.checker import check, check_text, recheck
from almanac.verify.model import (
    CheckedClaim,
    CitedClaim,
    ClaimFinding,
    ClaimKind,
    FindingKind,
    Verdict,
    VerificationReport,
)
from almanac.verify.stated_figures import check_stated_figures

__all__ = [
    "CheckedClaim",
    "CitedClaim",
    "ClaimFinding",
    "ClaimKind",
    "FindingKind",
    "Verdict",
    "VerificationReport",
    "check",
    "check_stated_figures",
    "check_text",
    "recheck",
]
