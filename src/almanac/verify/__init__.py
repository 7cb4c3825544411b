"""Nothing invented: given written sentences with references, and the sources, says which are supported, and why not.

Pure functions without any reading or writing. What to do about a fault is left to the desks.
"""

from almanac.verify.checking import check, check_text
from almanac.verify.model import Checked, Claim, Finding, FindingKind, Report, Verdict
from almanac.verify.rechecking import recheck
from almanac.verify.stated import check_stated

__all__ = [
    "Checked",
    "Claim",
    "Finding",
    "FindingKind",
    "Report",
    "Verdict",
    "check",
    "check_stated",
    "check_text",
    "recheck",
]
