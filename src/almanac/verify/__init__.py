"""Nothing invented: given written sentences with references, and the sources, says which are supported, and why not.

Pure functions without any reading or writing. What to do about a fault is left to the desks.
"""

from almanac.verify.checking import check, check_text
from almanac.verify.model import Checked, Claim, Finding, FindingKind, Report, Verdict
from almanac.verify.rechecking import recheck

__all__ = ["Checked", "Claim", "Finding", "FindingKind", "Report", "Verdict", "check", "check_text", "recheck"]
