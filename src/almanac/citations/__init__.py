"""What one desk may cite of another: passages that know where they stand, and who cites which of them.

Finding passages is left to the desk that has them; what to make of them, to the one that cites.
"""

from almanac.citations.cutting import Stretch, passage_id, stretches_about, version_of
from almanac.citations.model import Passage, Place, Use, WordsNow

__all__ = ["Passage", "Place", "Stretch", "Use", "WordsNow", "passage_id", "stretches_about", "version_of"]
