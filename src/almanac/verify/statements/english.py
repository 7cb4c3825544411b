"""Rules of meaning for English: other quantifiers, hedges, opposites or roles than the source has."""

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.statements.address import check_address
from almanac.verify.statements.causes import check_causes
from almanac.verify.statements.direction import check_direction
from almanac.verify.statements.edits import check_edits
from almanac.verify.statements.extent import check_extent
from almanac.verify.statements.hedges import check_hedges
from almanac.verify.statements.speakers import check_displaced_names, check_speakers


def check_meaning(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """What the claim says otherwise than the source, and what can't be told for certain."""
    return (
        check_direction(facts, alignment)
        or check_edits(facts, alignment)
        or check_displaced_names(facts, alignment)
        or check_speakers(facts, alignment)
        or check_extent(facts, alignment)
        or check_hedges(facts, alignment)
        or check_causes(facts, alignment)
        or check_address(facts, alignment)
    )
