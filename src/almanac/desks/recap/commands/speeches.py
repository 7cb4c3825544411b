"""Commands for speeches and votes: find speeches in the words of the record, bring official results by group."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from almanac.desks.recap.commands.articles import parse_conditions
from almanac.desks.recap.model.speech_filters import SPEECH_FACETS, parse_speech_filter
from almanac.desks.recap.service import group_votes, speeches
from almanac.desks.recap.urls import WORKSPACE
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, print_json, print_line, print_table

commands = CommandList()
Limit = Annotated[int, typer.Option(min=1, max=200, help="Most lines.")]
_FILTERS = (*SPEECH_FACETS, "from", "until", "order")


@commands.command("speeches")
async def list_speeches(
    services: Services,
    words: Annotated[str, typer.Argument(help="Words that must occur, in the syntax of search.")] = "",
    where: Annotated[
        list[str], typer.Option("--where", help="A filter such as person=山田太郎; may be repeated.")
    ] = [],  # noqa: B006 - read only
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Speeches with words, by any combination of filters, the newest first."""
    wanted = parse_speech_filter({**parse_conditions(where, _FILTERS), "q": [words]})
    page = await speeches.list_speeches(services, wanted, limit=limit)
    if as_json:
        print_json([asdict(hit) for hit in page.items])
        return
    rows = [
        (
            hit.card.date[:10],
            hit.speaker,
            hit.group,
            "".join(span.text for span in hit.snippet),
            WORKSPACE.speech(hit.card.id, hit.order),
        )
        for hit in page.items
    ]
    print_table(("Day", "Speaker", "Group", "Words", "Address"), rows, empty="No speeches match.")


@commands.command("votes")
async def import_votes(
    services: Services,
    place: Annotated[Path, typer.Argument(help="A file of official results, or a folder of them: .json or .json.gz.")],
    house: Annotated[str, typer.Option(help="Whose results they are.")] = "参議院",
) -> None:
    """Bring official results by group; they are shown with decisions of the same day, title and counts."""
    kept = await group_votes.import_votes(services, place, house)
    print_line(f"{counted(kept, 'vote')} with groups that add up.")
