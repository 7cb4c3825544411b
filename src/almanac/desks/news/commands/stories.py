"""Commands for stories and statistics."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news import service
from almanac.desks.news.service.articles import StoryFilter
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_json, print_table

STATISTICS = ("total_links", "pending", "processing", "completed", "failed", "blocked", "duplicate")


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add the commands to the desk's."""

    @app.command("articles")
    def list_articles(
        words: Annotated[str, typer.Argument(help="A search query; without one, the latest.")] = "",
        tag: Annotated[str | None, typer.Option("--tag", help="Only stories with this tag.")] = None,
        limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="Most stories to show.")] = 25,
        as_json: AsJson = False,
    ) -> None:
        """Stories, each once with all its sources."""

        async def work(services: Services) -> None:
            which = StoryFilter(words=words, tag=tag)
            stories = (await service.find_articles(services, CONSOLE, which, limit=limit)).page.items
            if as_json:
                print_json(stories)
                return
            rows = [
                [story.id, story.news_date, story.headline(story.language), len(story.sources), ", ".join(story.tags)]
                for story in stories
            ]
            print_table(["Id", "Date", "Headline", "Sources", "Tags"], rows, empty="There are no stories yet.")

        run(work)

    @app.command("stats")
    def show_statistics(as_json: AsJson = False) -> None:
        """How many links have each status."""

        async def work(services: Services) -> None:
            stats = await service.count_links_by_status(services)
            counts = {name: getattr(stats, name) for name in STATISTICS}
            if as_json:
                print_json(counts)
            else:
                print_table(["Links", "Count"], [[name, count] for name, count in counts.items()], empty="")

        run(work)
