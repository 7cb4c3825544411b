"""Commands for the blacklist, and for maintenance of the tables."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news.pipeline import maintenance
from almanac.desks.news.service import sites
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, print_json, print_line, print_table

commands = CommandList()


@commands.command("blacklist")
async def list_blacklist(services: Services, as_json: AsJson = False) -> None:
    """The blocked sites, why, and until when."""
    blocks = (await sites.list_blocked_sites(services, limit=1000)).items
    if as_json:
        print_json(blocks)
        return
    rows = [
        [block.domain, "allowed" if block.is_allowed else f"{block.expires_at or ''}"[:10], block.reason]
        for block in blocks
    ]
    print_table(["Domain", "Until", "Reason"], rows, empty="No site is blocked.")


@commands.command("unblock")
async def unblock(
    services: Services,
    domain: Annotated[str, typer.Argument(help="A domain on the blacklist.")],
    always: Annotated[bool, typer.Option("--always", help="Never block it automatically again.")] = False,
) -> None:
    """Unblock a site and queue its blocked links."""
    unblock_site = sites.allow_site if always else sites.unblock_site
    count = await unblock_site(services, CONSOLE, domain)
    print_line(f"{domain} is unblocked; {counted(count, 'link')} will be read.")


@commands.command("upkeep")
async def upkeep(services: Services) -> None:
    """Reset stuck links, delete old failures and refresh the tables' statistics, as the schedules do."""
    reset = await maintenance.reset_stuck_links(services.database)
    deleted = await maintenance.delete_old_failures(services.database)
    await maintenance.vacuum_tables(services.database)
    print_line(f"{counted(reset, 'link')} reset, {counted(deleted, 'old failure')} deleted.")
