"""`almanac setup`: the same choices as in the browser, asked one by one or given as options."""

import sys
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.accounts.service import FIRST_ADMIN_EMAIL, UserEdit, edit_user, list_users
from almanac.bootstrap import DEMO
from almanac.cli.runtime import with_services
from almanac.config import list_choices
from almanac.desks import DESKS
from almanac.errors import InputError, NotFound
from almanac.kit.text import counted
from almanac.services import Services
from almanac.setup import STEPS
from almanac.setup import service as setup_service
from almanac.terminal import AsJson, print_json, print_line, print_table

_FROM_INPUT = "-"
_QUESTIONS = {
    "organisation": ("organisation", "Name of your organisation"),
    "time_zone": ("time-zone", "Time zone, such as Africa/Nairobi"),
    "base_url": ("address", "Web address under which people open Almanac"),
    "mail_url": ("mail", "Mail server, as smtp://user:password@host:587 (hidden; empty for none yet)"),
    "mail_from": ("mail", "Sender of mails, such as post@example.org"),
    "llm_model": ("model", "Model, such as openai:gpt-5-mini (empty for none)"),
    "llm_api_key": ("model", "Key of the model (hidden)"),
    "desks": ("desks", "Desks, separated by commas (empty leaves them as they are)"),
}
_HIDDEN = ("mail_url", "llm_api_key")


@with_services
async def setup(
    services: Services,
    organisation: Annotated[str | None, typer.Option(help="Name of your organisation.")] = None,
    email: Annotated[str | None, typer.Option(help="Address of the first administrator.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the first administrator.")] = None,
    time_zone: Annotated[str | None, typer.Option(help="Time zone, such as Africa/Nairobi.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Web address under which people open Almanac.")] = None,
    mail_url: Annotated[str | None, typer.Option(help="Mail server; `-` reads it from standard input.")] = None,
    mail_from: Annotated[str | None, typer.Option(help="Sender of mails.")] = None,
    model: Annotated[str | None, typer.Option(help="Model that writes, such as openai:gpt-5-mini.")] = None,
    model_key: Annotated[str | None, typer.Option(help="Its key; `-` reads it from standard input.")] = None,
    model_address: Annotated[str | None, typer.Option(help="Address of a server that speaks like OpenAI.")] = None,
    desks: Annotated[str | None, typer.Option(help="Desks, separated by commas.")] = None,
    empty: Annotated[bool, typer.Option("--empty", help="Remove the demo content.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Only show what is chosen.")] = False,
    as_json: AsJson = False,
) -> None:
    """Set up the organisation: asks what isn't given as an option. A running server takes it over by itself."""
    given = {
        "organisation": organisation,
        "time_zone": time_zone,
        "base_url": base_url,
        "mail_url": _read_secret(mail_url),
        "mail_from": mail_from,
        "llm_model": model,
        "llm_api_key": _read_secret(model_key),
        "llm_base_url": model_address,
        "desks": desks,
    }
    chosen = {key: value for key, value in given.items() if value is not None}
    is_asked = not (chosen or email or name or empty or show or as_json) and sys.stdin.isatty()
    if is_asked:
        chosen = _ask(services)
    await _keep(services, chosen)
    if email or name:
        await _change_first_administrator(services, email, name)
    if empty:
        await DEMO.remove(services)
        await setup_service.mark_step(services.setup, CONSOLE, "content", "done")
    await _report(services, as_json=as_json)


def _read_secret(value: str | None) -> str | None:
    """A secret on a command line is seen by every account of the machine, so it may come by standard input."""
    return sys.stdin.readline().strip() if value == _FROM_INPUT else value


def _ask(services: Services) -> dict[str, str]:
    """Ask for each choice that isn't fixed; an empty answer leaves it as it is."""
    choices, answers = list_choices(services.settings), {}
    for name, (_, question) in _QUESTIONS.items():
        choice = choices[name]
        if choice.fixed:
            print_line(f"{choice.variable} is set in the {choice.source} and stays.")
            continue
        now = "set" if name in _HIDDEN and choice.is_set else str(choice.value or "")
        words = f"{question}{f' [{now}]' if now else ''}"
        answer = typer.prompt(words, default="", show_default=False, hide_input=name in _HIDDEN)
        if answer.strip():
            answers[name] = answer.strip()
    return answers


async def _keep(services: Services, chosen: dict[str, str]) -> None:
    """Keep the choices step by step; an empty text forgets one, but some desk must be on."""
    if not chosen.get("desks", "some").strip(" ,"):
        raise InputError(f"Choose at least one desk: {', '.join(desk.name for desk in DESKS)}.")
    for step in STEPS:
        changes = {name: chosen[name] or None for name in step.settings if name in chosen}
        if changes:
            is_believed = not changes.get("mail_url")
            await setup_service.choose(services.setup, CONSOLE, step.name, changes, is_done=is_believed)


async def _change_first_administrator(services: Services, email: str | None, name: str | None) -> None:
    page = await list_users(services.accounts, CONSOLE, limit=200)
    first = next((user for user in page.items if user.email == FIRST_ADMIN_EMAIL), None)
    if first is None:
        raise NotFound("The first administrator has an address already; change people with `almanac user`.")
    await edit_user(services.accounts, CONSOLE, first.id, UserEdit(email=email, name=name))
    await setup_service.mark_step(services.setup, CONSOLE, "you", "done")


async def _report(services: Services, *, as_json: bool) -> None:
    progress = await setup_service.get_progress(services.setup)
    choices = services.setup.choices()
    states = {status.step.name: status.state or "open" for status in progress.steps}
    if as_json:
        values = {
            choice.name: {"value": choice.value, "set": choice.is_set, "from": choice.source}
            for choice in choices.values()
        }
        print_json({"steps": states, "settings": values})
        return
    rows = [
        [choice.variable, "set, not shown" if choice.is_set and choice.value is None else choice.value, choice.source]
        for choice in choices.values()
    ]
    print_table(["Setting", "Value", "From"], rows, empty="")
    done = f"{progress.done} of {counted(len(progress.steps), 'step')} done."
    rest = [step for step, state in states.items() if state == "open"]
    print_line(f"{done} Still open: {', '.join(rest)}." if rest else done)
    if not services.setup.current().mail_url:
        print_line("Mail isn't set up: mails are kept here and reach nobody.")
    elif states["mail"] != "done":
        print_line("Whether mail arrives isn't known yet: send a test message in the browser, under Organisation.")
