"""Commands for holds on reminders, and for replies that wait for a person."""

from typing import Annotated, cast, get_args

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.desks.reminders.api.holds import ReplyBody
from almanac.desks.reminders.api.schemas import HoldBody
from almanac.desks.reminders.commands.arguments import Customer, NoteOption, parse_day, print_one, print_rows
from almanac.desks.reminders.model.ledger import Hold
from almanac.desks.reminders.service import NewHold, PlacedKind, ReplyMeaning
from almanac.errors import InputError
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_line

Invoice = Annotated[str | None, typer.Option("--invoice", help="Only for this invoice.")]
Until = Annotated[str | None, typer.Option("--until", help="The last day, such as 2026-03-31.")]


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add them to the desk's commands."""
    _add_holds(app, run)
    _add_replies(app, run)


def _print_hold(hold: Hold, *, as_json: bool) -> None:
    if as_json:
        print_one(HoldBody.from_model(hold))
        return
    end = "is lifted" if hold.lifted_at else f"lasts until {hold.until}" if hold.until else "lasts until it is lifted"
    print_line(f"{hold.id}: {hold.kind} {end}.")


def _add_holds(app: typer.Typer, run: Run) -> None:
    @app.command("holds")
    def list_holds(as_json: AsJson = False) -> None:
        """List holds that were not lifted, oldest first, up to 200."""

        async def work(services: Services) -> None:
            page = await service.list_holds(services, CONSOLE, limit=200)
            columns = {"id": "Id", "customer_id": "Customer", "kind": "Kind", "invoice": "Invoice", "until": "Until"}
            print_rows([HoldBody.from_model(hold) for hold in page.items], columns, as_json=as_json, empty="No holds.")

        run(work)

    @app.command("hold")
    def place(
        customer: Customer,
        kind: Annotated[str, typer.Argument(help="promise, dispute, pause or never")],
        until: Until = None,
        invoice: Invoice = None,
        note: NoteOption = "",
        as_json: AsJson = False,
    ) -> None:
        """Stop reminders of a customer or an invoice."""
        if kind not in get_args(PlacedKind):
            raise InputError(f"A hold is one of {', '.join(get_args(PlacedKind))}.")
        new = NewHold(
            customer_id=customer, kind=cast("PlacedKind", kind), invoice=invoice, until=parse_day(until), note=note
        )

        async def work(services: Services) -> None:
            _print_hold(await service.place_hold(services, CONSOLE, new), as_json=as_json)

        run(work)

    @app.command("lift")
    def lift(
        customer: Customer, hold: Annotated[str, typer.Argument(help="The hold's id.")], as_json: AsJson = False
    ) -> None:
        """End a hold early."""

        async def work(services: Services) -> None:
            _print_hold(await service.lift_hold(services, CONSOLE, customer, hold), as_json=as_json)

        run(work)


def _add_replies(app: typer.Typer, run: Run) -> None:
    @app.command("replies")
    def list_replies(as_json: AsJson = False) -> None:
        """List unconfirmed replies."""

        async def work(services: Services) -> None:
            replies = [ReplyBody.model_validate(reply) for reply in await service.list_replies(services, CONSOLE)]
            columns = {"id": "Id", "customer_id": "Customer", "received_at": "When (UTC)", "quoted": "Words"}
            print_rows(replies, columns, as_json=as_json, empty="No replies to read.")

        run(work)

    @app.command("confirm")
    def confirm(
        customer: Customer,
        reply: Annotated[str, typer.Argument(help="The reply's id.")],
        meaning: Annotated[str, typer.Argument(help="nothing, promise, dispute, pause or never")],
        until: Until = None,
        invoice: Invoice = None,
        note: NoteOption = "",
        as_json: AsJson = False,
    ) -> None:
        """Record what a reply means; `nothing` resumes reminders."""
        if meaning not in get_args(ReplyMeaning):
            raise InputError(f"A reply means one of {', '.join(get_args(ReplyMeaning))}.")

        async def work(services: Services) -> None:
            confirmed = await service.confirm_reply(
                services,
                CONSOLE,
                customer,
                reply,
                cast("ReplyMeaning", meaning),
                until=parse_day(until),
                invoice=invoice,
                note=note,
            )
            _print_hold(confirmed, as_json=as_json)

        run(work)
