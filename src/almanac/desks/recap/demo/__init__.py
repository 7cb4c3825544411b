"""The desk's demo content: invented sittings of two houses, written about without a model and published."""

from almanac.demo import DemoPart
from almanac.desks.recap.demo.sample_meetings import MEETING, load_meetings, remove_meetings

__all__ = ["PART"]

PART = DemoPart(kinds=(MEETING,), steps=(load_meetings,), remove=remove_meetings)
