"""Commands for the blacklist, and for maintenance of the tables."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news import service
from almanac.desks.news.pipeline import maintenance
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_json, print_line, print_table


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add the commands to the desk's."""
    _add_blacklist(app, run)
    _add_upkeep(app, run)


def _add_blacklist(app: typer.Typer, run: Run) -> None:
    @app.command("blacklist")
    def list_blacklist(as_json: AsJson = False) -> None:
        """The blocked sites, why, and until when."""

        async def work(services: Services) -> None:
            blocks = (await service.list_blocked_sites(services, limit=1000)).items
            if as_json:
                print_json(blocks)
                return
            rows = [
                [block.domain, "allowed" if block.is_allowed else f"{block.expires_at or ''}"[:10], block.reason]
                for block in blocks
            ]
            print_table(["Domain", "Until", "Reason"], rows, empty="No site is blocked.")

        run(work)

    @app.command("unblock")
    def unblock(
        domain: Annotated[str, typer.Argument(help="A domain on the blacklist.")],
        always: Annotated[bool, typer.Option("--always", help="Never block it automatically again.")] = False,
    ) -> None:
        """Unblock a site and queue its blocked links."""

        async def work(services: Services) -> None:
            unblock_site = service.allow_site if always else service.unblock_site
            count = await unblock_site(services, CONSOLE, domain)
            print_line(f"{domain} is unblocked; {counted(count, 'link')} will be read.")

        run(work)


def _add_upkeep(app: typer.Typer, run: Run) -> None:
    @app.command("upkeep")
    def upkeep() -> None:
        """Reset stuck links, delete old failures and refresh the tables' statistics, as the schedules do."""

        async def work(services: Services) -> None:
            reset = await maintenance.reset_stuck_links(services.database)
            deleted = await maintenance.delete_old_failures(services.database)
            await maintenance.vacuum_tables(services.database)
            print_line(f"{counted(reset, 'link')} reset, {counted(deleted, 'old failure')} deleted.")

        run(work)
