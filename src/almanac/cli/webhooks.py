"""`almanac webhook`: endpoints and their deliveries."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.cli.runtime import with_services
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, print_table

app = typer.Typer(no_args_is_help=True, help="Add, list and test webhook endpoints.")

EndpointId = Annotated[str, typer.Argument(help="The id that `almanac webhook list` shows.")]


@app.command("events")
@with_services
async def events(services: Services, as_json: AsJson = False) -> None:
    """List the events that an endpoint can subscribe to."""
    event_types = list(services.webhooks.events)
    if as_json:
        print_json(event_types)
    else:
        rows = [[event.name, event.about] for event in event_types]
        print_table(["Event", "When"], rows, empty="No events.")


@app.command("add")
@with_services
async def add(
    services: Services,
    url: Annotated[str, typer.Argument(help="Where to post, such as https://example.org/hooks/almanac.")],
    event: Annotated[list[str], typer.Option("--event", help="An event to subscribe to; repeatable.")],
    description: Annotated[str, typer.Option("--description", help="What it is for.")] = "",
    as_json: AsJson = False,
) -> None:
    """Add an endpoint and print its secret; it is shown only once."""
    made = await services.webhooks.register(CONSOLE, url=url, events=event, description=description)
    if as_json:
        print_json({"id": made.endpoint.id, "secret": made.secret})
    else:
        print_line(f"{made.secret}\nSave it now: it can't be shown again. The endpoint's id is {made.endpoint.id}.")


@app.command("list")
@with_services
async def list_endpoints(services: Services, as_json: AsJson = False) -> None:
    """List all endpoints with their events and status."""
    endpoints = await services.webhooks.list(CONSOLE)
    if as_json:
        print_json(endpoints)
        return
    rows = [
        [e.id, e.host, " ".join(e.events), "active" if e.active else e.disabled_why, e.failing_since or "no"]
        for e in endpoints
    ]
    print_table(["Id", "Host", "Events", "Status", "Failing since"], rows, empty="No endpoints.")


@app.command("log")
@with_services
async def log(
    services: Services,
    endpoint_id: EndpointId,
    limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="Maximum number of deliveries.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the deliveries to an endpoint, newest first."""
    page = await services.webhooks.deliveries(CONSOLE, endpoint_id, limit=limit)
    if as_json:
        print_json(page.items)
        return
    rows = [[d.id, d.event, d.state, d.attempts, d.answer or "", d.created_at, d.reason] for d in page.items]
    head = ["Id", "Event", "State", "Attempts", "Response", "When", "Error"]
    print_table(head, rows, empty="No deliveries yet.")


@app.command("ping")
@with_services
async def ping(services: Services, endpoint_id: EndpointId, as_json: AsJson = False) -> None:
    """Send a test event; the worker delivers it."""
    delivery = await services.webhooks.ping(CONSOLE, endpoint_id)
    print_json(delivery) if as_json else print_line(f"Test event queued as delivery {delivery.id}.")


@app.command("redeliver")
@with_services
async def redeliver(
    services: Services,
    delivery_id: Annotated[str, typer.Argument(help="The id that `almanac webhook log` shows.")],
    as_json: AsJson = False,
) -> None:
    """Send the same event to the same endpoint again."""
    delivery = await services.webhooks.redeliver(CONSOLE, delivery_id)
    print_json(delivery) if as_json else print_line("Delivery queued again.")
