"""Commands that reject or snooze many drafts at once, each as reviewed."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service, store
from almanac.desks.reminders.api.decisions import DecisionOutcomeBody
from almanac.desks.reminders.commands.arguments import parse_required_moment, print_rows
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.service.batches import DecisionOutcome, SeenDraft
from almanac.services import Services
from almanac.terminal import AsJson, Run

_HASH_DIGITS = 64
DecideMany = Callable[[Services, list[SeenDraft]], Awaitable[list[DecisionOutcome]]]
Drafts = Annotated[
    list[str],
    typer.Argument(
        metavar="DRAFT[=HASH]...",
        help="Up to 100 drafts, each with the content_hash of what you reviewed, or as it is now.",
    ),
]


def add_commands(app: typer.Typer, run: Run) -> None:
    """Add them to the desk's commands."""

    @app.command("reject-many")
    def reject_many(
        note: Annotated[str, typer.Argument(help="Why they are rejected.")],
        drafts: Drafts,
        as_json: AsJson = False,
    ) -> None:
        """Reject drafts with one note for their authors. Exits with 1 if any was skipped."""

        async def decided(services: Services, chosen: list[SeenDraft]) -> list[DecisionOutcome]:
            return await service.reject_many(services, CONSOLE, chosen, note=note)

        _decide(run, drafts, decided, as_json=as_json)

    @app.command("snooze-many")
    def snooze_many(
        until: Annotated[str, typer.Argument(help="A date or time, such as 2026-03-31.")],
        drafts: Drafts,
        as_json: AsJson = False,
    ) -> None:
        """Snooze drafts until a given time. Exits with 1 if any was skipped."""
        moment = parse_required_moment(until)

        async def decided(services: Services, chosen: list[SeenDraft]) -> list[DecisionOutcome]:
            return await service.snooze_many(services, CONSOLE, chosen, until=moment)

        _decide(run, drafts, decided, as_json=as_json)


def _decide(run: Run, drafts: list[str], decide: DecideMany, *, as_json: bool) -> None:
    async def work(services: Services) -> None:
        existing = await store.find_drafts(services.tables, drafts)
        chosen = [_select(name, existing) for name in drafts]
        bodies = [DecisionOutcomeBody.from_model(verdict) for verdict in await decide(services, chosen)]
        columns = {"id": "Draft", "status": "Status", "reason": "Why it was left"}
        print_rows(bodies, columns, as_json=as_json, empty="")
        if not all(body.decided for body in bodies):
            raise typer.Exit(1)

    run(work)


def _select(argument: str, existing: Mapping[str, ReminderDraft]) -> SeenDraft:
    draft_id, _, seen = argument.rpartition("=")
    if len(seen) == _HASH_DIGITS:
        return SeenDraft(draft_id, seen)
    # A customer's id may contain an equals sign, and the draft's id ends with that id.
    return SeenDraft(argument, existing[argument].content_hash if argument in existing else "")
