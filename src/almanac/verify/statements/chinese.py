"""Rules of meaning for Chinese: other quantifiers, hedges, denials or roles than the source has."""

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.statements.marked_differences import check_marked_differences

_RESTRICTIONS = frozenset(
    {"all", "most", "mainly", "none", "only", "first", "superlative", "must", "cause", "yearly", "monthly"}
)


def check_meaning(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """What the claim says otherwise than the source, and what can't be told for certain."""
    return check_marked_differences(facts, alignment, "zh", _RESTRICTIONS)
