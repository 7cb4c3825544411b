"""Commands for invoices, payments, the plan, the rules and the ageing report."""

from typing import Annotated, cast

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.desks.reminders.api.plans import LadderRulesBody
from almanac.desks.reminders.api.reports import AgeingBody
from almanac.desks.reminders.api.schemas import InvoiceBody, PlanLineBody
from almanac.desks.reminders.commands.arguments import (
    Customer,
    NoteOption,
    parse_day,
    parse_moment,
    parse_money,
    print_one,
    print_rows,
)
from almanac.desks.reminders.model.ledger import InvoiceState
from almanac.desks.reminders.service import NewInvoice, NewPayment
from almanac.errors import InputError
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_json, print_line

Amount = Annotated[str, typer.Argument(help="An exact amount, such as 1500.00.")]
Currency = Annotated[str, typer.Argument(help="Three capital letters, such as EUR.")]


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add them to the desk's commands."""
    _add_invoices(app, run)
    _add_payments(app, run)
    _add_plan(app, run)
    _add_reports(app, run)


def _add_invoices(app: typer.Typer, run: Run) -> None:
    @app.command("invoices")
    def list_invoices(
        state: Annotated[str, typer.Option("--state", help="open, paid or credited.")] = "open",
        as_json: AsJson = False,
    ) -> None:
        """List invoices in one state by due date, up to 200."""
        if state not in ("open", "paid", "credited"):
            raise InputError("An invoice is open, paid or credited.")

        async def work(services: Services) -> None:
            page = await service.list_invoices(services, CONSOLE, cast("InvoiceState", state), limit=200)
            columns = {
                "number": "Number",
                "customer_id": "Customer",
                "outstanding": "Owed",
                "currency": "",
                "due": "Due",
            }
            bodies = [InvoiceBody.from_model(invoice) for invoice in page.items]
            print_rows(bodies, columns, as_json=as_json, empty=f"There are no {state} invoices.")

        run(work)

    @app.command("add-invoice")
    def add_invoice(
        customer: Customer,
        number: Annotated[str, typer.Argument(help="The invoice's number.")],
        amount: Amount,
        currency: Currency,
        due: Annotated[str, typer.Argument(help="The last day to pay, such as 2026-03-31.")],
        issued: Annotated[str | None, typer.Option("--issued", help="The issue date.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """Add an invoice to a customer."""
        last = parse_day(due)
        if last is None:
            raise InputError("Enter the due date, such as 2026-03-31.")
        money = parse_money(amount, currency)
        new = NewInvoice(customer_id=customer, number=number, amount=money, due=last, issued=parse_day(issued))

        async def work(services: Services) -> None:
            added = await service.add_invoice(services, CONSOLE, new)
            if as_json:
                print_one(InvoiceBody.from_model(added))
            else:
                print_line(f"{added.number}: {added.outstanding} is owed, due on {added.due}.")

        run(work)


def _add_payments(app: typer.Typer, run: Run) -> None:
    @app.command("pay")
    def pay(
        payer: Annotated[
            str, typer.Argument(metavar="PAYER", help="The customer who paid, or the invoice that is paid.")
        ],
        reference: Annotated[
            str, typer.Argument(help="The payer's reference; one that was already recorded is ignored.")
        ],
        amount: Amount,
        currency: Currency,
        invoice: Annotated[str | None, typer.Option("--invoice", help="Pay only this invoice.")] = None,
        received: Annotated[
            str | None, typer.Option("--received", help="When it was received; by default now.")
        ] = None,
        note: NoteOption = "",
        as_json: AsJson = False,
    ) -> None:
        """Record a payment by a customer or on an invoice; without an invoice the oldest are paid first."""
        money, at = parse_money(amount, currency), parse_moment(received)

        async def work(services: Services) -> None:
            customer, paid = await _payer(services, payer, invoice)
            new = NewPayment(
                customer_id=customer,
                reference=reference,
                amount=money,
                received_at=at,
                towards={paid: money.amount} if paid else {},
                note=note,
            )
            change = await service.record_payment(services, CONSOLE, new)
            if as_json:
                print_json({"recorded": change.changed, "towards": change.paid})
            elif change.changed:
                print_line(
                    "Recorded: " + ", ".join(f"{part} to {number}" for number, part in change.paid.items()) + "."
                )
            else:
                print_line("This reference was recorded before; nothing changed.")

        run(work)


async def _payer(services: Services, payer: str, invoice: str | None) -> tuple[str, str | None]:
    """The customer and the invoice. An invoice number identifies its customer, unless it is also a customer's id."""
    if invoice is None and not await service.customer_exists(services, CONSOLE, payer):
        return "", payer
    return payer, invoice


def _add_plan(app: typer.Typer, run: Run) -> None:
    @app.command("plan")
    def plan(
        at: Annotated[str | None, typer.Option("--at", help="A date or time; by default this time tomorrow.")] = None,
        everybody: Annotated[bool, typer.Option("--all", help="Also list customers who are held back.")] = False,
        as_json: AsJson = False,
    ) -> None:
        """Show what would be sent and why; nothing is written."""

        async def work(services: Services) -> None:
            computed = await service.get_plan(services, CONSOLE, parse_moment(at))
            lines = [PlanLineBody.from_model(line) for line in (computed.lines if everybody else computed.going_out)]
            if as_json:
                print_json(
                    {
                        "at": computed.at,
                        "going_out": len(computed.going_out),
                        "held_back": computed.reasons,
                        "items": [line.model_dump(mode="json") for line in lines],
                    }
                )
                return
            columns = {"customer_id": "Customer", "customer_name": "Name", "reminder_type": "Level", "why": "Why"}
            print_rows(lines, columns, as_json=False, empty="Nothing would go out.")
            held = ", ".join(f"{number} by {rule}" for rule, number in sorted(computed.reasons.items()))
            heading = f"{counted(len(computed.going_out), 'reminder')} at {computed.at:%Y-%m-%d %H:%M} UTC"
            print_line(f"{heading}; held back: {held or 'none'}.")

        run(work)


def _add_reports(app: typer.Typer, run: Run) -> None:
    @app.command("rules")
    def rules(as_json: AsJson = False) -> None:
        """Show the ladder's rules in force."""

        async def work(services: Services) -> None:
            body = LadderRulesBody.from_model(await service.get_rules(services, CONSOLE))
            if as_json:
                print_one(body)
                return
            columns = {
                "name": "Level",
                "none_within_days": "None within days",
                "days_after_previous": "Days after previous",
            }
            print_rows(body.levels, columns, as_json=False, empty="")
            days = "on business days only" if body.business_days_only else "on every day"
            print_line(f"{counted(body.grace_days, 'day')} of grace; reminders go out {days}.")

        run(work)

    @app.command("ageing")
    def ageing(as_json: AsJson = False) -> None:
        """Show open invoices by currency and age."""

        async def work(services: Services) -> None:
            bodies = [AgeingBody.from_model(ageing) for ageing in await service.get_ageing_report(services, CONSOLE)]
            if as_json or not bodies:
                print_rows(bodies, {}, as_json=as_json, empty="Nothing is open.")
                return
            for body in bodies:
                print_line(f"{body.currency}: {body.overdue} is overdue.")
                columns = {"band": "Days", "invoices": "Invoices", "amount": "Amount"}
                print_rows(body.bands, columns, as_json=False, empty="")

        run(work)
