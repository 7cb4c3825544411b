"""Commands for stories and statistics."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news.service import articles, links
from almanac.desks.news.service.articles import StoryFilter
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, print_json, print_table

commands = CommandList()
STATISTICS = ("total_links", "pending", "processing", "completed", "failed", "blocked", "duplicate")


@commands.command("articles")
async def list_articles(
    services: Services,
    words: Annotated[str, typer.Argument(help="A search query; without one, the latest.")] = "",
    tag: Annotated[str | None, typer.Option("--tag", help="Only stories with this tag.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="Most stories to show.")] = 25,
    as_json: AsJson = False,
) -> None:
    """Stories, each once with all its sources."""
    which = StoryFilter(words=words, tag=tag)
    stories = (await articles.find_articles(services, CONSOLE, which, limit=limit)).page.items
    if as_json:
        print_json(stories)
        return
    rows = [
        [story.id, story.news_date, story.headline(story.language), len(story.sources), ", ".join(story.tags)]
        for story in stories
    ]
    print_table(["Id", "Date", "Headline", "Sources", "Tags"], rows, empty="There are no stories yet.")


@commands.command("stats")
async def show_statistics(services: Services, as_json: AsJson = False) -> None:
    """How many links have each status."""
    stats = await links.count_links_by_status(services)
    counts = {name: getattr(stats, name) for name in STATISTICS}
    if as_json:
        print_json(counts)
    else:
        print_table(["Links", "Count"], [[name, count] for name, count in counts.items()], empty="")
