"""Commands for customers: list, add, edit, erase, and why and how one was reminded."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.desks.reminders.api.schemas import CustomerBody, CustomerTimelineBody, PlanLineBody, SentBody
from almanac.desks.reminders.commands.arguments import Customer, parse_moment, print_one, print_rows
from almanac.desks.reminders.service import CustomerEdit
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_line

Name = Annotated[str | None, typer.Option("--name", help="New name.")]
Email = Annotated[str | None, typer.Option("--email", help="The address for reminders.")]
More = Annotated[list[str] | None, typer.Option("--also-to", help="One more address; repeatable.")]
Language = Annotated[str | None, typer.Option("--language", help="en, ms, zh or another code.")]
Zone = Annotated[str | None, typer.Option("--time-zone", help="Such as Asia/Kuala_Lumpur.")]


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add them to the desk's commands."""
    _add_list(app, run)
    _add_edits(app, run)
    _add_erase(app, run)
    _add_reports(app, run)


def _add_list(app: typer.Typer, run: Run) -> None:
    @app.command("customers")
    def list_customers(as_json: AsJson = False) -> None:
        """List customers by name, up to 200."""

        async def work(services: Services) -> None:
            page = await service.list_customers(services, CONSOLE, limit=200)
            columns = {"customer_id": "Id", "name": "Name", "email": "Mail", "language": "Language"}
            bodies = [CustomerBody.from_model(customer) for customer in page.items]
            print_rows(bodies, columns, as_json=as_json, empty="There are no customers yet; add or import some.")

        run(work)


def _add_edits(app: typer.Typer, run: Run) -> None:
    @app.command("add-customer")
    def add_customer(
        customer: Customer,
        name: Annotated[str, typer.Argument(help="The name used in letters.")],
        email: Email = None,
        more: More = None,
        language: Language = None,
        time_zone: Zone = None,
        as_json: AsJson = False,
    ) -> None:
        """Add a customer."""
        recipients = tuple(more) if more else None
        edit = CustomerEdit(name=name, email=email, more_recipients=recipients, language=language, time_zone=time_zone)

        async def work(services: Services) -> None:
            _print_customer(
                CustomerBody.from_model(await service.add_customer(services, CONSOLE, customer, edit)), as_json=as_json
            )

        run(work)

    @app.command("edit-customer")
    def edit_customer(
        customer: Customer,
        name: Name = None,
        email: Email = None,
        more: More = None,
        language: Language = None,
        time_zone: Zone = None,
        opted_out: Annotated[bool | None, typer.Option(help="Whether they opted out of reminders.")] = None,
        never: Annotated[bool | None, typer.Option(help="Whether they should never be reminded.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """Change a customer; unsent reminders follow."""
        edit = CustomerEdit(
            name=name,
            email=email,
            more_recipients=tuple(more) if more else None,
            language=language,
            time_zone=time_zone,
            opted_out=opted_out,
            never_remind=never,
        )

        async def work(services: Services) -> None:
            current = await service.get_customer(services, CONSOLE, customer)
            saved = await service.edit_customer(services, CONSOLE, customer, edit, expected=current.version)
            _print_customer(CustomerBody.from_model(saved), as_json=as_json)

        run(work)


def _print_customer(body: CustomerBody, *, as_json: bool) -> None:
    if as_json:
        print_one(body)
    else:
        print_line(f"{body.customer_id}  {body.name}  {body.email or 'no mail address'}")


def _add_erase(app: typer.Typer, run: Run) -> None:
    @app.command("erase")
    def erase(
        customer: Customer,
        confirmed: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
        as_json: AsJson = False,
    ) -> None:
        """Erase a customer's personal data for good. The guard against a second reminder stays."""
        if not confirmed:
            typer.confirm(f"Delete all personal data of {customer}? This can't be undone.", abort=True, err=True)

        async def work(services: Services) -> None:
            _print_customer(
                CustomerBody.from_model(await service.erase_customer(services, CONSOLE, customer)), as_json=as_json
            )

        run(work)


def _add_reports(app: typer.Typer, run: Run) -> None:
    @app.command("why")
    def explain(
        customer: Customer,
        at: Annotated[str | None, typer.Option("--at", help="A date or time; by default now.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """Explain why a customer is reminded or not: every rule, and the next possible date."""

        async def work(services: Services) -> None:
            explanation = await service.explain_customer(services, CONSOLE, customer, parse_moment(at))
            lines = [PlanLineBody.from_model(line) for line in explanation.lines]
            if as_json:
                print_rows(lines, {}, as_json=True, empty="")
                return
            if not lines:
                print_line("This customer has no invoices.")
            for line in lines:
                _print_explanation(line)

        run(work)

    @app.command("timeline")
    def timeline(customer: Customer, as_json: AsJson = False) -> None:
        """Show everything that happened with a customer, newest first, up to 200 entries."""

        async def work(services: Services) -> None:
            page = await service.get_timeline(services, CONSOLE, customer, limit=200)
            entries = [CustomerTimelineBody.from_model(entry) for entry in page.items]
            columns = {"at": "When (UTC)", "sentence": "What", "state": "State", "note": "Note"}
            print_rows(entries, columns, as_json=as_json, empty="Nothing happened yet.")

        run(work)

    @app.command("history")
    def history(
        customer: Customer,
        level: Annotated[str | None, typer.Option("--level", help="Only this level.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """Show the reminders sent to a customer, newest first, up to 200."""

        async def work(services: Services) -> None:
            page = await service.list_sent_to_customer(services, CONSOLE, customer, level=level, limit=200)
            columns = {"id": "Id", "reminder_type": "Level", "email_subject": "Subject", "delivery_status": "Delivery"}
            bodies = [SentBody.from_model(sent) for sent in page.items]
            print_rows(bodies, columns, as_json=as_json, empty="Nothing was sent to this customer yet.")

        run(work)


def _print_explanation(line: PlanLineBody) -> None:
    print_line(f"{line.currency}: {line.why}")
    for step in line.trace:
        print_line(f"  {'+' if step.passed else '-'} {step.sentence}")
    if not line.goes_out:
        print_line(
            f"  Not before {line.next_date:%Y-%m-%d %H:%M} UTC."
            if line.next_date
            else "  This doesn't change by waiting."
        )
