"""The desk's demo content: two weeks of stories about renewable energy in ASEAN, in three languages."""

from almanac.demo import DemoPart
from almanac.desks.news.demo.loader import STORY, bring_stories, remove_stories
from almanac.kit.messages import ngettext

__all__ = ["PART"]

PART = DemoPart(
    kinds={STORY: lambda num: ngettext("%(num)s news item", "%(num)s news items", num)},
    steps=(bring_stories,),
    remove=remove_stories,
)
