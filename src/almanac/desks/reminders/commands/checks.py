"""Commands: the consistency check, and the key that other programs sign with."""

import typer

from almanac.desks.reminders.api.events import get_webhook_key
from almanac.desks.reminders.service.reports import check_consistency
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_json, print_line, print_table


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add them to the desk's commands."""

    @app.command("check")
    def check(as_json: AsJson = False) -> None:
        """Check that drafts, sent reminders and mail records match. Exits with 1 if any differ."""

        async def work(services: Services) -> None:
            checked = await check_consistency(services)
            if as_json:
                print_json(checked)
            else:
                rows = [[finding.customer_id, finding.currency, finding.sentence] for finding in checked.findings]
                totals = f"{checked.ladders} ladders, {checked.drafts} drafts and {checked.sent} sent reminders"
                print_table(["Customer", "Currency", "Problem"], rows, empty=f"No problems found in {totals}.")
                if rows:
                    print_line(f"{len(rows)} findings in {totals}.")
            if checked.findings:
                raise typer.Exit(1)

        run(work)

    @app.command("webhook-key")
    def show_key(as_json: AsJson = False) -> None:
        """Print the key with which other programs sign replies and payments."""

        async def work(services: Services) -> None:
            key = get_webhook_key(services)
            if as_json:
                print_json({"key": key})
            else:
                print_line(key)

        run(work)
