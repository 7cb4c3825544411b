"""`almanac knowledge`: add, list, refresh and remove knowledge sources from a terminal."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.accounts.service import get_user_by_email
from almanac.bootstrap import make_worker
from almanac.cli.boundary import run, services_for_command
from almanac.errors import Conflict, InputError
from almanac.jobs import JobStatus
from almanac.kit.text import counted
from almanac.knowledge import KnowledgeSource, KnowledgeViewer, SourceStatus, Visibility
from almanac.services import Services
from almanac.terminal import AsJson, print_error, print_json, print_line, print_table, progress
from almanac.web.labels import record_change

app = typer.Typer(no_args_is_help=True, help="Add, list, refresh and remove knowledge sources.")

Owner = Annotated[str, typer.Option("--for", help="E-mail address of the person the sources belong to.")]
Named = Annotated[str, typer.Argument(help="The id that `almanac knowledge list` shows.")]
_OPERATOR = KnowledgeViewer(CONSOLE.user_id, everything=True)


@app.command("add")
def add(
    things: Annotated[list[str], typer.Argument(help="Files, or addresses that start with http:// or https://.")],
    owner: Owner = "admin@localhost",
    feed: Annotated[bool, typer.Option("--feed", help="The addresses are feeds to follow.")] = False,
    everyone: Annotated[bool, typer.Option("--everyone", help="Share them with everyone here.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Read them now, and return when they are read.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add files, pages, feeds and OPML lists of feeds; they are read by the next worker, or with --wait at once."""

    async def command() -> None:
        async with services_for_command() as services:
            user = await get_user_by_email(services.accounts, CONSOLE, owner)
            shared = Visibility.EVERYONE if everyone else Visibility.MINE
            sources = [
                source
                for thing in things
                for source in await _add(services, KnowledgeViewer(user.id), thing, shared, feed=feed)
            ]
            for source in sources:
                await record_change(services, CONSOLE, "added", source)
            if wait:
                sources = await _read_all(services, sources, quiet=as_json)
        _show(sources, as_json=as_json)
        if failed := [source for source in sources if source.status is SourceStatus.FAILED]:
            raise Conflict(f"{counted(len(failed), 'source')} could not be read; the list says why.")

    run(command)


@app.command("list")
def show(
    owner: Annotated[str | None, typer.Option("--for", help="Only what this person may use.")] = None,
    as_json: AsJson = False,
) -> None:
    """Sources, newest first, with where they stand."""

    async def command() -> None:
        async with services_for_command() as services:
            viewer = _OPERATOR
            if owner is not None:
                viewer = KnowledgeViewer((await get_user_by_email(services.accounts, CONSOLE, owner)).id)
            _show([source async for source in _everything(services, viewer)], as_json=as_json)

    run(command)


@app.command("refresh")
def refresh(source_id: Named, as_json: AsJson = False) -> None:
    """Let a source be read again."""

    async def command() -> None:
        async with services_for_command() as services:
            source = await services.knowledge.refresh(_OPERATOR, source_id)
        print_json(source) if as_json else print_line(f"{source.title} waits to be read again.")

    run(command)


@app.command("remove")
def remove(source_id: Named, as_json: AsJson = False) -> None:
    """Take a source out of use; it can be restored on its page for seven days."""

    async def command() -> None:
        async with services_for_command() as services:
            source = await services.knowledge.remove(_OPERATOR, source_id)
            await record_change(services, CONSOLE, "removed", source)
        print_json(source) if as_json else print_line(f"{source.title} is removed.")

    run(command)


async def _add(
    services: Services, viewer: KnowledgeViewer, thing: str, shared: Visibility, *, feed: bool
) -> list[KnowledgeSource]:
    knowledge = services.knowledge
    if thing.startswith(("http://", "https://")):
        adding = knowledge.add_feed if feed else knowledge.add_url
        return [await adding(viewer, thing, visibility=shared)]
    path = Path(thing)
    content = await asyncio.to_thread(_content, path, services.settings.knowledge_max_mb * 1_000_000)
    if path.suffix.lower() != ".opml":
        return [await knowledge.add_file(viewer, path.name, content, visibility=shared)]
    imported = await knowledge.import_opml(viewer, content, visibility=shared)
    for url, reason in imported.refused:
        print_error(f"{url} was not added: {reason}")
    return [*imported.added, *imported.existing]


def _content(path: Path, most_bytes: int) -> bytes:
    """What is in a file; of one that is too large only as much as shows it."""
    try:
        with path.open("rb") as file:
            return file.read(most_bytes + 1)
    except OSError as error:
        raise InputError(
            f"{path} can't be read ({error.strerror}); name a file, or an address with https://."
        ) from error


async def _read_all(services: Services, sources: list[KnowledgeSource], *, quiet: bool) -> list[KnowledgeSource]:
    """Run what is ready in this process; what another worker was quicker to take is waited for."""
    with progress("Reading", quiet=quiet):
        await make_worker(services).drain()
        return [await _read(services, source) for source in sources]


async def _read(services: Services, source: KnowledgeSource) -> KnowledgeSource:
    """The source once its job has ended or waits for another attempt."""
    if source.job_id is not None:
        async with aclosing(services.jobs.watch(source.job_id)) as changes:
            async for job in changes:
                if job.status is JobStatus.QUEUED and job.attempts:
                    break
    return (await services.knowledge.get(_OPERATOR, source.id)).source


async def _everything(services: Services, viewer: KnowledgeViewer) -> AsyncIterator[KnowledgeSource]:
    cursor: str | None = None
    while True:
        page = await services.knowledge.list(viewer, cursor=cursor, limit=200)
        for source in page.items:
            yield source
        if (cursor := page.next_cursor) is None:
            return


def _show(sources: list[KnowledgeSource], *, as_json: bool) -> None:
    if as_json:
        print_json(sources)
        return
    rows = [[s.id, s.kind, s.title, s.status, s.chunks, s.reason or ""] for s in sources]
    print_table(["Id", "Kind", "Title", "State", "Passages", "Why"], rows, empty="There are no knowledge sources.")
