"""The desk's demo content: invented sittings of two houses, written about without a model and published."""

from almanac.demo import DemoPart
from almanac.desks.recap.demo.sample_meetings import MEETING, load_meetings, remove_meetings
from almanac.kit.messages import ngettext

__all__ = ["PART"]

PART = DemoPart(
    kinds={MEETING: lambda num: ngettext("%(num)s meeting", "%(num)s meetings", num)},
    steps=(load_meetings,),
    remove=remove_meetings,
)
