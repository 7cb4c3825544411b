"""The desk's demo content: a knowledge base about the Horn of Africa, and newsletters written from it."""

from almanac.demo import DemoContent, DemoPart
from almanac.desks.newsletter.demo.issues import delete_issues, write_issues
from almanac.desks.newsletter.demo.sources import add_sources, remove_sources
from almanac.kit.messages import ngettext

__all__ = ["PART"]


async def _remove(content: DemoContent) -> None:
    await delete_issues(content)
    await remove_sources(content)


PART = DemoPart(
    kinds={
        "source": lambda num: ngettext("%(num)s source", "%(num)s sources", num),
        "newsletter": lambda num: ngettext("%(num)s newsletter", "%(num)s newsletters", num),
    },
    steps=(add_sources, write_issues),
    remove=_remove,
)
