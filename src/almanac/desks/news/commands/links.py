"""Commands for links: add, list, look up and retry them, and read those that are due."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news.model.links import LinkStatus
from almanac.desks.news.pipeline.context import open_context
from almanac.desks.news.pipeline.link_reader import LinkReader
from almanac.desks.news.service import links as link_service
from almanac.kit.ids import new_id
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, print_json, print_line, print_table, progress

commands = CommandList()


@commands.command("add")
async def add_links(services: Services, urls: Annotated[list[str], typer.Argument(help="Addresses of pages.")]) -> None:
    """Add links by hand."""
    tally = await link_service.add_links(services, CONSOLE, urls)
    print_line(f"{counted(tally.added, 'new link')}, {tally.duplicate} already known, {tally.refused} invalid.")


@commands.command("links")
async def list_links(
    services: Services,
    status: Annotated[LinkStatus | None, typer.Option("--status", help="Only links with this status.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="Most links to show.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Links, newest first, with the reason for their status."""
    links = (await link_service.list_links(services, link_service.LinkFilter(status=status), limit=limit)).items
    if as_json:
        print_json(links)
        return
    rows = [[link.id, link.status, link.url, link.error_message] for link in links]
    print_table(["Id", "Status", "Address", "Reason"], rows, empty="There are no links with this status.")


@commands.command("fate")
async def show_fate(
    services: Services, url: Annotated[str, typer.Argument(help="Any spelling of an address.")], as_json: AsJson = False
) -> None:
    """Find out what happened to an address, and why."""
    fate = await link_service.look_up_url(services, url)
    if as_json:
        print_json(fate)
        return
    print_line(fate.sentence)
    if fate.found_by:
        print_line(f"Found by: {', '.join(fate.found_by)}.")


@commands.command("retry")
async def retry_links(
    services: Services,
    status: Annotated[LinkStatus, typer.Option("--status", help="failed or blocked.")] = LinkStatus.FAILED,
    domain: Annotated[str | None, typer.Option("--domain", help="Only links of this domain.")] = None,
) -> None:
    """Queue failed or blocked links again."""
    count = await link_service.retry_links(services, CONSOLE, status=status, domain=domain)
    print_line(f"{counted(count, 'link')} will be tried again.")


@commands.command("read")
async def read_links(services: Services, as_json: AsJson = False) -> None:
    """Read every link that is due, now and without a worker."""
    with progress("Reading links", quiet=as_json) as display:

        async def report(done: int | None, total: int | None, doing: str) -> None:
            display.update(display.task_ids[0], completed=done, total=total, description=doing)

        ctx = open_context(services, services.page_reader, f"command/{new_id()}")
        counts = await LinkReader(ctx, report).run()
    if as_json:
        print_json({str(status): count for status, count in counts.items()})
        return
    by_status = ", ".join(f"{count} {status}" for status, count in counts.items())
    print_line(f"{counted(counts.total(), 'link')} read{': ' + by_status if by_status else ''}.")
