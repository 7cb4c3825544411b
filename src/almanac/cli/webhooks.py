"""`almanac webhook`: endpoints that are told of events, and what they were told."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.cli.boundary import run, services_for_command
from almanac.terminal import AsJson, print_json, print_line, print_table

app = typer.Typer(no_args_is_help=True, help="Add, list and try webhook endpoints.")

EndpointId = Annotated[str, typer.Argument(help="The id that `almanac webhook list` shows.")]


@app.command("events")
def events(as_json: AsJson = False) -> None:
    """Every event that an endpoint can choose."""

    async def command() -> None:
        async with services_for_command() as services:
            known = list(services.webhooks.events)
        if as_json:
            print_json(known)
        else:
            rows = [[event.name, event.about] for event in known]
            print_table(["Event", "When"], rows, empty="There are no events.")

    run(command)


@app.command("add")
def add(
    url: Annotated[str, typer.Argument(help="Where to post, such as https://example.org/hooks/almanac.")],
    event: Annotated[list[str], typer.Option("--event", help="An event to tell of; repeatable.")],
    description: Annotated[str, typer.Option("--description", help="What it is for.")] = "",
    as_json: AsJson = False,
) -> None:
    """Add an endpoint and print its secret; it is shown only now."""

    async def command() -> None:
        async with services_for_command() as services:
            made = await services.webhooks.register(CONSOLE, url=url, events=event, description=description)
        if as_json:
            print_json({"id": made.endpoint.id, "secret": made.secret})
        else:
            print_line(f"{made.secret}\nKeep it now: it can't be shown again. The endpoint's id is {made.endpoint.id}.")

    run(command)


@app.command("list")
def show(as_json: AsJson = False) -> None:
    """Every endpoint with its events and whether it works."""

    async def command() -> None:
        async with services_for_command() as services:
            endpoints = await services.webhooks.list(CONSOLE)
        if as_json:
            print_json(endpoints)
            return
        rows = [
            [e.id, e.host, " ".join(e.events), "active" if e.active else e.disabled_why, e.failing_since or "no"]
            for e in endpoints
        ]
        print_table(["Id", "Host", "Events", "Status", "Failing since"], rows, empty="There are no endpoints.")

    run(command)


@app.command("log")
def log(
    endpoint_id: EndpointId,
    limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="Most deliveries to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """What an endpoint was told, newest first."""

    async def command() -> None:
        async with services_for_command() as services:
            page = await services.webhooks.deliveries(CONSOLE, endpoint_id, limit=limit)
        if as_json:
            print_json(page.items)
            return
        rows = [[d.id, d.event, d.state, d.attempts, d.answer or "", d.created_at, d.reason] for d in page.items]
        head = ["Id", "Event", "State", "Attempts", "Answer", "When", "Why not"]
        print_table(head, rows, empty="Nothing was sent yet.")

    run(command)


@app.command("ping")
def ping(endpoint_id: EndpointId, as_json: AsJson = False) -> None:
    """Send a test event; the worker delivers it."""

    async def command() -> None:
        async with services_for_command() as services:
            delivery = await services.webhooks.ping(CONSOLE, endpoint_id)
        print_json(delivery) if as_json else print_line(f"A test event is on its way as delivery {delivery.id}.")

    run(command)


@app.command("redeliver")
def redeliver(
    delivery_id: Annotated[str, typer.Argument(help="The id that `almanac webhook log` shows.")],
    as_json: AsJson = False,
) -> None:
    """Send the same event to the same endpoint again."""

    async def command() -> None:
        async with services_for_command() as services:
            delivery = await services.webhooks.redeliver(CONSOLE, delivery_id)
        print_json(delivery) if as_json else print_line("Event queued again.")

    run(command)
