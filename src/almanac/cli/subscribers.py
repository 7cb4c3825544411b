"""`almanac subscriber`: people without an account who follow something by mail."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.cli.runtime import with_services
from almanac.errors import NotFound
from almanac.kit.messages import gettext
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line

app = typer.Typer(no_args_is_help=True, help="Count, show and erase people who follow something by mail.")
NOTHING_STORED = gettext("Nothing is stored about this address.")

MailAddress = Annotated[str, typer.Argument(help="The e-mail address.")]


@app.command("count")
@with_services
async def count(services: Services, as_json: AsJson = False) -> None:
    """Count people, their alerts and requests that nobody has confirmed."""
    counts = await services.subscribers.count()
    if as_json:
        print_json(counts)
        return
    people, alerts = counted(counts.people, "person", "people"), counted(counts.alerts, "alert")
    waiting = counted(counts.unconfirmed, "request")
    print_line(f"{people}, {alerts}, {waiting} to confirm.")


@app.command("show")
@with_services
async def show(services: Services, email: MailAddress) -> None:
    """Print everything that is stored about an address, as JSON for whoever asks for their data."""
    stored = await services.subscribers.find(email)
    if stored is None:
        raise NotFound(NOTHING_STORED)
    print_json(stored)


@app.command("erase")
@with_services
async def erase(
    services: Services,
    email: MailAddress,
    forever: Annotated[
        bool, typer.Option("--forever", help="Keep a hash, so that no form reaches this address again.")
    ] = False,
) -> None:
    """Delete an address, what it follows and the texts of the mails to it."""
    if not await services.subscribers.erase(email, CONSOLE.actor, forever=forever) and not forever:
        raise NotFound(NOTHING_STORED)
    print_line("Erased.")
