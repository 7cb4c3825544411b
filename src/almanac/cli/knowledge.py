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
from almanac.cli.runtime import with_services
from almanac.errors import Conflict, InputError
from almanac.jobs import JobStatus
from almanac.kit.text import counted
from almanac.knowledge import KnowledgeSource, KnowledgeViewer, SourceStatus, Visibility
from almanac.services import Services
from almanac.terminal import AsJson, print_error, print_json, print_line, print_table, progress
from almanac.web.labels import record_change

app = typer.Typer(no_args_is_help=True, help="Add, list, refresh and remove knowledge sources.")

Owner = Annotated[str, typer.Option("--for", help="E-mail address of the person the sources belong to.")]
SourceId = Annotated[str, typer.Argument(help="The id that `almanac knowledge list` shows.")]
_CONSOLE_VIEWER = KnowledgeViewer(CONSOLE.user_id, everything=True)


@app.command("add")
@with_services
async def add(
    services: Services,
    paths: Annotated[list[str], typer.Argument(help="Files, or addresses that start with http:// or https://.")],
    owner: Owner = "admin@localhost",
    feed: Annotated[bool, typer.Option("--feed", help="The addresses are feeds to follow.")] = False,
    everyone: Annotated[bool, typer.Option("--everyone", help="Share them with everyone here.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Read them now and wait until done.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add files, pages, feeds and OPML lists. A worker reads them, or this command with --wait."""
    user = await get_user_by_email(services.accounts, CONSOLE, owner)
    shared = Visibility.EVERYONE if everyone else Visibility.MINE
    sources = [
        source for path in paths for source in await _add(services, KnowledgeViewer(user.id), path, shared, feed=feed)
    ]
    for source in sources:
        await record_change(services, CONSOLE, "knowledge.added", source)
    if wait:
        sources = await _read_all(services, sources, quiet=as_json)
    _show(sources, as_json=as_json)
    if failed := [source for source in sources if source.status is SourceStatus.FAILED or source.reason]:
        raise Conflict(f"{counted(len(failed), 'source')} couldn't be read; the list says why.")


@app.command("list")
@with_services
async def list_sources(
    services: Services,
    owner: Annotated[str | None, typer.Option("--for", help="Only what this person may use.")] = None,
    as_json: AsJson = False,
) -> None:
    """List sources with their status, newest first."""
    viewer = _CONSOLE_VIEWER
    if owner is not None:
        viewer = KnowledgeViewer((await get_user_by_email(services.accounts, CONSOLE, owner)).id)
    _show([source async for source in _all_sources(services, viewer)], as_json=as_json)


@app.command("refresh")
@with_services
async def refresh(services: Services, source_id: SourceId, as_json: AsJson = False) -> None:
    """Read a source again."""
    source = await services.knowledge.refresh(_CONSOLE_VIEWER, source_id)
    print_json(source) if as_json else print_line(f"{source.title} will be read again.")


@app.command("remove")
@with_services
async def remove(services: Services, source_id: SourceId, as_json: AsJson = False) -> None:
    """Remove a source; it can be restored on its page for seven days."""
    source = await services.knowledge.remove(_CONSOLE_VIEWER, source_id)
    await record_change(services, CONSOLE, "knowledge.removed", source)
    print_json(source) if as_json else print_line(f"{source.title} removed.")


async def _add(
    services: Services, viewer: KnowledgeViewer, path_or_url: str, shared: Visibility, *, feed: bool
) -> list[KnowledgeSource]:
    knowledge = services.knowledge
    if path_or_url.startswith(("http://", "https://")):
        adding = knowledge.add_feed if feed else knowledge.add_url
        return [await adding(viewer, path_or_url, visibility=shared)]
    path = Path(path_or_url)
    content = await asyncio.to_thread(_content, path, services.settings.knowledge_max_mb * 1_000_000)
    if path.suffix.lower() != ".opml":
        return [await knowledge.add_file(viewer, path.name, content, visibility=shared)]
    imported = await knowledge.import_opml(viewer, content, visibility=shared)
    for url, reason in imported.refused:
        print_error(f"{url} was not added: {reason}")
    return [*imported.added, *imported.existing]


def _content(path: Path, most_bytes: int) -> bytes:
    """The content of a file, read up to one byte over the limit."""
    try:
        with path.open("rb") as file:
            return file.read(most_bytes + 1)
    except OSError as error:
        raise InputError(
            f"{path} can't be read ({error.strerror}); name a file, or an address with https://."
        ) from error


async def _read_all(services: Services, sources: list[KnowledgeSource], *, quiet: bool) -> list[KnowledgeSource]:
    """Run queued jobs in this process, and wait for those that another worker has taken."""
    with progress("Reading", quiet=quiet):
        await make_worker(services).drain()
        return [await _read(services, source) for source in sources]


async def _read(services: Services, source: KnowledgeSource) -> KnowledgeSource:
    """The source after its job has ended or will be retried."""
    if source.job_id is not None:
        async with aclosing(services.jobs.watch(source.job_id)) as changes:
            async for job in changes:
                if job.status is JobStatus.QUEUED and job.attempts:
                    break
    return (await services.knowledge.get(_CONSOLE_VIEWER, source.id)).source


async def _all_sources(services: Services, viewer: KnowledgeViewer) -> AsyncIterator[KnowledgeSource]:
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
    print_table(["Id", "Kind", "Title", "State", "Passages", "Why"], rows, empty="No knowledge sources.")
