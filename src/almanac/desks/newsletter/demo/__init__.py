"""The desk's demo content: a knowledge base about the Horn of Africa, and newsletters written from it."""

from almanac.demo import DemoContent, DemoPart
from almanac.desks.newsletter.demo.issues import delete_issues, write_issues
from almanac.desks.newsletter.demo.sources import add_sources, remove_sources

__all__ = ["PART"]


async def _remove(content: DemoContent) -> None:
    await delete_issues(content)
    await remove_sources(content)


PART = DemoPart(kinds=("source", "newsletter"), steps=(add_sources, write_issues), remove=_remove)
