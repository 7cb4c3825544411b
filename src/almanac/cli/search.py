"""`almanac search` and `almanac reindex`: search from a terminal, and rebuild the search index."""

from typing import Annotated, get_args

import typer
from rich.text import Text

from almanac.cli.runtime import with_services
from almanac.desks import DESKS, enabled_desks
from almanac.errors import InputError
from almanac.kit.text import counted
from almanac.search import UNRESTRICTED_VIEWER, SearchHit, SearchOrder, SearchResults, Snippet
from almanac.search.model import OWNED_KINDS
from almanac.services import Services
from almanac.terminal import AsJson, console, print_json, print_line, progress

Words = Annotated[list[str], typer.Argument(help='The query, such as: rice "price rise" -wheat tag:trade')]
Kinds = Annotated[list[str] | None, typer.Option("--kind", help="Only this kind of document; repeatable.")]


@with_services
async def search(
    services: Services,
    words: Words,
    kind: Kinds = None,
    sort: Annotated[str, typer.Option(help="relevance, date or -date")] = "relevance",
    limit: Annotated[int, typer.Option(min=1, max=200, help="Maximum number of documents.")] = 10,
    exact: Annotated[
        bool, typer.Option("--exact", help="Search for exactly these words, not for similar ones.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Search the documents of all desks, without access checks."""
    order = next((choice for choice in get_args(SearchOrder) if choice == sort), None)
    if order is None:
        raise InputError("--sort must be relevance, date (oldest first) or -date (newest first).")
    results = await services.search.find(
        " ".join(words),
        viewer=UNRESTRICTED_VIEWER,
        kinds=kind or _enabled_kinds(services),
        order=order,
        limit=limit,
        forgiving=not exact,
    )
    print_json(results) if as_json else _print_results(results)


@with_services
async def reindex(
    services: Services,
    kind: Kinds = None,
    anew: Annotated[bool, typer.Option("--anew", help="Start over even if a rebuild was interrupted.")] = False,
    as_json: AsJson = False,
) -> None:
    """Rebuild the search index; search keeps working in the meantime."""
    with progress("Indexing", quiet=as_json) as display:

        async def show(done: int, total: int, doing: str) -> None:
            task = display.task_ids[0]
            display.update(task, completed=done, total=total, description=f"Indexing {doing.lower()}")

        rebuilt = await services.rebuilds.rebuild(kind or [], restart=anew, progress=show)
    if as_json:
        print_json(rebuilt)
        return
    for result in rebuilt:
        print_line(f"{result.kind}: {counted(result.documents, 'document')} indexed, {result.removed:,} stale removed.")
    if not rebuilt:
        print_line("Nothing to index yet.")


def _enabled_kinds(services: Services) -> list[str]:
    """The kinds of the desks that are switched on; none, which means all, if every desk is."""
    enabled = enabled_desks(services.settings)
    if len(enabled) == len(DESKS):
        return []
    kinds = [provider.kind.name for desk in enabled for provider in desk.search_providers(services)]
    return [*kinds, *(kind for kind, desk in OWNED_KINDS.items() if desk in services.settings.enabled_desks)]


def _print_results(results: SearchResults) -> None:
    if not results.hits:
        print_line("Nothing found.")
        return
    for correction in results.corrections:
        if correction.is_beginning:
            longer = f": {', '.join(correction.alternatives)}" if correction.alternatives else ""
            print_line(f"Nothing has the word “{correction.word}”; also searched for words that begin so{longer}.")
            continue
        others = ", ".join(correction.alternatives) or "text that differs in one character"
        print_line(f"Few matches for “{correction.word}”; also searched for {others}.")
    for hit in results.hits:
        console.print(_heading(hit), soft_wrap=True)
        if hit.snippet:
            console.print(_highlighted(hit.snippet), soft_wrap=True)
    print_line(f"{'More than ' if results.or_more else ''}{counted(results.total, 'document')} found.")


def _heading(hit: SearchHit) -> Text:
    date = f"  {hit.date:%Y-%m-%d}" if hit.date else ""
    return _highlighted(hit.marked_title).append(f"  {hit.path}{date}", style="dim")


def _highlighted(spans: Snippet) -> Text:
    return Text.assemble(*((span.text, "bold yellow" if span.marked else "") for span in spans))
