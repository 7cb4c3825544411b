"""Commands for templates, their versions and previews."""

from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.desks.reminders.api.templates import ReminderTemplateBody, TemplatePreviewBody
from almanac.desks.reminders.commands.arguments import Customer, print_one, print_rows, read_file
from almanac.desks.reminders.writer.templates import TemplateText
from almanac.errors import InputError, NotFound
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_line

TemplateArgument = Annotated[str, typer.Argument(metavar="TEMPLATE", help="Such as reminder_first.")]


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add them to the desk's commands."""
    _add_reading(app, run)
    _add_writing(app, run)


def _add_reading(app: typer.Typer, run: Run) -> None:
    @app.command("templates")
    def list_templates(as_json: AsJson = False) -> None:
        """List the newest version of every template."""

        async def work(services: Services) -> None:
            bodies = [
                ReminderTemplateBody.from_model(template)
                for template in await service.list_templates(services, CONSOLE)
            ]
            columns = {
                "template_id": "Id",
                "version": "Version",
                "template_name": "Name",
                "subject_template": "Subject",
            }
            print_rows(bodies, columns, as_json=as_json, empty="There are no templates.")

        run(work)

    @app.command("preview")
    def preview(template: TemplateArgument, customer: Customer, as_json: AsJson = False) -> None:
        """Preview the letter that a template produces for a customer now; nothing is written."""

        async def work(services: Services) -> None:
            letter = TemplatePreviewBody.from_model(
                await service.preview_template(services, CONSOLE, template, customer)
            )
            if as_json:
                print_one(letter)
            else:
                print_line(
                    f"To: {', '.join(letter.recipients)}\nSubject: {letter.email_subject}\n\n{letter.email_content}"
                )

        run(work)


def _add_writing(app: typer.Typer, run: Run) -> None:
    @app.command("save-template")
    def save_template(
        template: TemplateArgument,
        file: Annotated[Path, typer.Argument(help="Subject on the first line, an empty line, then the body.")],
        name: Annotated[str, typer.Option("--name", help="The display name.")] = "",
        as_json: AsJson = False,
    ) -> None:
        """Save a new version of a template; unsent drafts of older versions must be rewritten."""
        text = _text(file)

        async def work(services: Services) -> None:
            try:
                newest = (await service.get_template(services, CONSOLE, template)).version
            except NotFound:
                newest = 0
            saved = await service.save_template(services, CONSOLE, template, text, name=name, expected=newest)
            if as_json:
                print_one(ReminderTemplateBody.from_model(saved))
            else:
                print_line(f"{saved.id} has version {saved.version}.")

        run(work)


def _text(file: Path) -> TemplateText:
    try:
        words = read_file(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file} isn't UTF-8 text; save it as UTF-8.") from error
    subject, _, body = words.replace("\r\n", "\n").partition("\n\n")
    return TemplateText(subject.strip(), body.strip() + "\n")
