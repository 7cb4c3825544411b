"""`almanac notifications`: what a person is notified of and how, and a test of their channels."""

from dataclasses import replace
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.service import get_user_by_email
from almanac.cli.runtime import with_services
from almanac.errors import Unavailable
from almanac.mail.model import KEPT_HERE
from almanac.notifications import MorningChoice, NotificationChannel, NotificationKind
from almanac.notifications.labels import CHANNELS, KINDS
from almanac.notifications.model import parse_morning
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, print_table

app = typer.Typer(no_args_is_help=True, help="See and try the notifications of a person.")

Person = Annotated[str, typer.Argument(help="E-mail address of the person.")]


@app.command("list")
@with_services
async def list_notifications(services: Services, person: Person, as_json: AsJson = False) -> None:
    """List which kinds a person gets by which channels, and their latest messages."""
    principal = await _find(services, person)
    profile = await services.notifications.get_profile(principal)
    sent = await services.notifications.list_sent(principal)
    if as_json:
        choices = {kind.value: sorted(profile.settings.channels(kind)) for kind in NotificationKind}
        print_json(
            {
                "choices": choices,
                "morning": _describe_morning(profile.settings.morning),
                "addresses": list(profile.addresses.values()),
                "messages": sent,
            }
        )
        return
    rows = [
        [KINDS[kind][0], *("yes" if profile.settings.wants(kind, channel) else "" for channel in NotificationChannel)]
        for kind in NotificationKind
    ]
    print_table(["Kind", *(CHANNELS[channel] for channel in NotificationChannel)], rows, empty="")
    messages = [[KINDS[m.kind][0], CHANNELS[m.channel], m.state, m.finished_at or m.due_at, m.reason] for m in sent]
    print_table(["About", "Channel", "State", "When", "Reason"], messages, empty="Nothing was sent yet.")


@app.command("morning")
@with_services
async def choose_morning_mail(
    services: Services,
    person: Person,
    hour: Annotated[int | None, typer.Option(min=0, max=23, help="In the person's time zone; left out: never.")] = None,
    days: Annotated[str, typer.Option(help="Days of the week from Monday, which is 1.")] = "12345",
    when_empty: Annotated[bool, typer.Option(help="Also when there is nothing to tell.")] = False,
) -> None:
    """Choose when a person gets their day as a mail, once a day."""
    principal = await _find(services, person)
    settings = (await services.notifications.get_profile(principal)).settings
    morning = parse_morning("" if hour is None else str(hour), set(days), when_empty=when_empty)
    morning.require_day()
    await services.notifications.save_settings(principal, replace(settings, morning=morning), expected=settings.version)
    print_line("No morning mail." if hour is None else f"The morning mail comes at {hour:02}:00.")


@app.command("test")
@with_services
async def send_test(services: Services, person: Person, channel: NotificationChannel, as_json: AsJson = False) -> None:
    """Send a test message to a person and print how it went."""
    outcomes = await services.notifications.send_test(await _find(services, person), channel)
    if as_json:
        print_json(outcomes)
    for outcome in outcomes:
        if not outcome.sent:
            raise Unavailable(f"The test failed: {outcome.reason}")
    if not as_json:
        kept = any(outcome.kept for outcome in outcomes)
        print_line(str(KEPT_HERE) if kept else "The test message is on its way.")


def _describe_morning(morning: MorningChoice) -> dict[str, object]:
    return {"hour": morning.hour, "days": sorted(morning.days), "when_empty": morning.when_empty}


async def _find(services: Services, email: str) -> Principal:
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    return user.as_principal("console", desks=services.accounts.desks)
