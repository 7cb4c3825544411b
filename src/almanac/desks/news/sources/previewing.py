"""What a task would find now: its sources are asked for everything they name, and nothing of it becomes a link."""

from collections.abc import Sequence

from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import Preview, Source, filled_prompt
from almanac.desks.news.pipeline.working import Report, no_report
from almanac.desks.news.sources.running import ask, finders_of, name_of
from almanac.services import Services

SHOWN = 100


async def preview(
    services: Services, words: str, sources: Sequence[Source], *, report: Report = no_report, limit: int = SHOWN
) -> Preview:
    """Ask sources as if they had never been asked; what goes wrong is told with what was found."""
    finders, words = finders_of(services), filled_prompt(words, services.clock.now())
    links: list[FoundLink] = []
    problems: list[str] = []
    for done, source in enumerate(sources):
        await report(done, len(sources), f"Asking {name_of(source)}")
        fresh = Source(kind=source.kind, address=source.address, title=source.title)
        found = await ask(finders[source.kind], fresh, words)
        if isinstance(found, str):
            problems.append(f"{name_of(source)}: {found}")
        else:
            links += found.links
    return Preview(links[:limit], problems)
