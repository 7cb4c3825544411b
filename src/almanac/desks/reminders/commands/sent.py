"""Commands for sent reminders and their exact mails."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.desks.reminders.api.schemas import SentBody
from almanac.desks.reminders.commands.arguments import parse_moment, print_rows
from almanac.errors import InputError
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_line

_DEFAULT_RANGE = timedelta(days=30)


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add them to the desk's commands."""

    @app.command("sent")
    def list_sent(
        since: Annotated[str | None, typer.Option("--from", help="A date or time; by default a month ago.")] = None,
        until: Annotated[str | None, typer.Option("--to", help="A date or time; by default now.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """List reminders sent in a time range, newest first, up to 200."""

        async def work(services: Services) -> None:
            end = parse_moment(until) or services.clock.now()
            start = parse_moment(since) or end - _DEFAULT_RANGE
            page = await service.list_sent(services, CONSOLE, start, end, newest_first=True, limit=200)
            columns = {"id": "Id", "sent_date": "When (UTC)", "email_subject": "Subject", "delivery_status": "Delivery"}
            print_rows(
                [SentBody.from_model(sent) for sent in page.items],
                columns,
                as_json=as_json,
                empty="Nothing was sent then.",
            )

        run(work)

    @app.command("mail")
    def write_mail(
        sent: Annotated[str, typer.Argument(help="Such as 20250921_150000_first@cust_001.")],
        target: Annotated[Path | None, typer.Option("--to", help="Write the exact bytes to this file.")] = None,
    ) -> None:
        """Write the exact mail to a file."""

        async def work(services: Services) -> None:
            content = await service.get_sent_mail(services, CONSOLE, sent)
            if target is None:
                typer.echo(content.decode("utf-8", "replace"), nl=False)
            else:
                _write(target, content)
                print_line(f"{target} has {len(content):,} bytes.")

        run(work)


def _write(target: Path, content: bytes) -> None:
    try:
        target.write_bytes(content)
    except OSError as error:
        raise InputError(f"{target} can't be written ({error.strerror}); name another place.") from error
