"""Rules of meaning for Japanese: other quantifiers, hedges, opposites or roles than the source has."""

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.statements.quantifiers import check_quantifiers


def check_meaning(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """What the claim says otherwise than the source, and what can't be told for certain."""
    return check_quantifiers(facts, alignment, "ja")
