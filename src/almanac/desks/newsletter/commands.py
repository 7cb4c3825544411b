"""`almanac newsletter`: every step from a terminal, done at once and without a worker."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.service import get_user_by_email
from almanac.desks.newsletter import service
from almanac.desks.newsletter.checks import checked_sections, obstacles
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter, StepName
from almanac.desks.newsletter.model.schedule import Rhythm
from almanac.desks.newsletter.service.exporting import export_here
from almanac.desks.newsletter.service.provenance import Provenance
from almanac.errors import InputError
from almanac.kit.text import counted, shorten
from almanac.relational import Unit
from almanac.services import Services
from almanac.terminal import AsJson, OpenServices, Work, print_json, print_table, progress, running_with, say

Code = Annotated[str, typer.Argument(help="The newsletter's code, such as NL-20260126-A1B2, or `latest`.")]
# What can't be undone is not done to whichever happens to be the latest.
ExactCode = Annotated[str, typer.Argument(help="The newsletter's code, such as NL-20260126-A1B2.")]
_SHOWN = 60
_LATEST, _ADMINISTRATOR = "latest", "admin@localhost"
Owner = Annotated[str, typer.Option("--for", help="E-mail address of the person it belongs to.")]


@dataclass(frozen=True, slots=True)
class _Terminal:
    """Where a step leaves its marks when a command does it: on the screen."""

    services: Services
    display: Progress

    async def progress(self, done: int | None, total: int | None, doing: str) -> None:
        self.display.update(self.display.task_ids[0], completed=done, total=total, description=doing)

    def unit(self) -> AbstractAsyncContextManager[Unit]:
        return self.services.database.unit()

    async def once(self, _unit: Unit, _step: str) -> bool:
        return True


def desk_commands(open_services: OpenServices) -> typer.Typer:
    """The desk's commands, on services that are opened for each."""
    app = typer.Typer(no_args_is_help=True, help="Write newsletters: configure, retrieve, outline, draft, export.")

    run = running_with(open_services)
    _add_listing(app, run)
    _add_runs(app, run)
    _add_beginning(app, run)
    _add_steps(app, run)
    _add_provenance(app, run)
    _add_ending(app, run)
    return app


def _add_listing(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("list")
    def list_newsletters(owner: Owner = _ADMINISTRATOR, as_json: AsJson = False) -> None:
        """A person's newsletters, the latest first."""

        async def work(services: Services) -> None:
            principal = await _principal(services, owner)
            found = (await service.list_own(services, principal, limit=200)).items
            if as_json:
                print_json(
                    [
                        {
                            "code": one.code,
                            "title": one.title,
                            "status": one.status,
                            "step": one.current_step,
                            "created_at": one.created_at,
                        }
                        for one in found
                    ]
                )
                return
            rows = [[one.code, one.title, one.status, one.current_step, f"{one.created_at:%Y-%m-%d}"] for one in found]
            print_table(["Code", "Title", "Status", "Step", "Begun"], rows, empty="There are no newsletters yet.")

        run(work)

    @app.command("show")
    def show(code: Code, as_json: AsJson = False) -> None:
        """Where each step of a newsletter stands, and what changed since."""

        async def work(services: Services) -> None:
            full = await service.open_newsletter(services, CONSOLE, await _code(services, code))
            if as_json:
                print_json(_standing(full))
                return
            say(f"{full.code}  {full.newsletter.title}  ({full.newsletter.status})")
            rows = [[step, full.state_of(step).status, full.state_of(step).error] for step in STEPS]
            print_table(["Step", "Status", "Reason"], rows, empty="")
            for change in full.changes:
                say(change.sentence)

        run(work)

    @app.command("full")
    def show_full(code: Code) -> None:
        """All four steps as one JSON document."""

        async def work(services: Services) -> None:
            print_json(await service.open_newsletter(services, CONSOLE, await _code(services, code)))

        run(work)


def _add_runs(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("runs")
    def show_runs(code: Code, as_json: AsJson = False) -> None:
        """When the next issue is due, and what became of the last ones."""

        async def work(services: Services) -> None:
            series = await service.series_of(services, CONSOLE, await _code(services, code))
            if as_json:
                print_json({"active": series.active, "next_run": series.next_run, "runs": series.latest})
                return
            rows = [[f"{run.due:%Y-%m-%d %H:%M}", run.outcome, run.issue, run.reason] for run in series.latest]
            print_table(["Due (UTC)", "Outcome", "Issue", "Reason"], rows, empty="No issue was due yet.")
            due = f"{series.next_run:%Y-%m-%d %H:%M} UTC" if series.next_run else None
            say(f"The next issue is due on {due}." if due else "No schedule prepares issues of this newsletter.")

        run(work)


def _add_beginning(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("new")
    def new(
        title: Annotated[str, typer.Argument(help="The title, up to 200 characters.")],
        owner: Owner = _ADMINISTRATOR,
        audience: Annotated[list[str] | None, typer.Option("--audience", help="For whom; repeatable.")] = None,
        topic: Annotated[list[str] | None, typer.Option("--topic", help="A topic; repeatable.")] = None,
        length: Annotated[str | None, typer.Option("--length", help="quick_read, standard or deep_dive.")] = None,
        frequency: Annotated[str | None, typer.Option("--frequency", help="daily, weekly, monthly, …")] = None,
        focus: Annotated[str | None, typer.Option("--focus", help="The region it is about.")] = None,
        feeds: Annotated[
            list[str] | None, typer.Option("--from", help="What feeds it: knowledge, news, recap; repeatable.")
        ] = None,
        schedule: Annotated[
            str | None, typer.Option("--schedule", help="A cron line by which the next issues prepare themselves.")
        ] = None,
        time_zone: Annotated[str, typer.Option("--time-zone", help="Whose clocks the schedule is read on.")] = "UTC",
        as_json: AsJson = False,
    ) -> None:
        """Begin a newsletter and print its code."""
        edit = ConfigurationEdit(
            title=title,
            target_audience=tuple(audience) if audience else None,
            length_preference=length,
            frequency=frequency,
            geographic_focus=focus,
            source_kinds=tuple(feeds) if feeds else None,
            schedule=Rhythm(schedule, time_zone, active=True) if schedule else None,
        )

        async def work(services: Services) -> None:
            principal = await _principal(services, owner)
            made = await service.create(services, principal, edit, topics=topic or ())
            if as_json:
                print_json({"code": made.code})
            else:
                say(made.code)

        run(work)


def _add_steps(app: typer.Typer, run: Callable[[Work], None]) -> None:
    def add(name: str, step: StepName, told: Callable[[FullNewsletter], str], about: str) -> None:
        def command(code: Code, as_json: AsJson = False) -> None:
            async def work(services: Services) -> None:
                meant = await _code(services, code)
                with _shown(services, about, quiet=as_json) as ledger:
                    full = await service.run_step_here(services, CONSOLE, meant, step, ledger)
                if as_json:
                    print_json(_standing(full))
                else:
                    say(told(full))

            run(work)

        app.command(name, help=about)(command)

    add("retrieve", "retrieval", _told_retrieval, "Look for sources to the chosen topics.")
    add("outline", "outline", _told_outline, "Make an outline of what was retrieved.")
    add("draft", "draft", _told_draft, "Write the sections of the outline.")


def _add_provenance(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("provenance")
    def show_provenance(code: Code, as_json: AsJson = False) -> None:
        """Where each sentence comes from: the words it rests on, the story or speech, and the original address."""

        async def work(services: Services) -> None:
            traced = _traced(await service.provenance_of(services, CONSOLE, await _code(services, code)))
            if as_json:
                print_json(traced)
                return
            rows = [
                [
                    shorten(str(one["sentence"]), _SHOWN),
                    one["from"],
                    one["item"],
                    one["url"] or one["path"],
                    one["standing"],
                ]
                for one in traced
            ]
            print_table(["Sentence", "From", "Item", "Original", "Source now"], rows, empty="Nothing is written yet.")

        run(work)


def _traced(provenance: Provenance) -> list[dict[str, object]]:
    return [
        {
            "section": sentence.section_name,
            "sentence": sentence.text,
            "verdict": sentence.verdict,
            "from": support.quoted.chunk.kind,
            "item": support.quoted.chunk.title,
            "quote": support.quoted.text,
            "start": support.start,
            "end": support.end,
            "url": support.quoted.chunk.url,
            "path": support.path,
            "standing": support.standing,
        }
        for sentence, supports in provenance.sentences
        for support in supports
    ]


def _add_ending(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("export")
    def export(
        code: Code,
        name: Annotated[str, typer.Argument(metavar="FORMAT", help="pdf, docx, html, web, markdown or text.")],
        target: Annotated[Path | None, typer.Option("--to", help="Also write the file here.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """Write the issue in a format."""

        async def work(services: Services) -> None:
            meant = await _code(services, code)
            with _shown(services, "Exporting", quiet=as_json) as ledger:
                record = await export_here(services, CONSOLE, meant, name, ledger)
            if target is not None:
                content = await services.objects.get(record.key)
                await asyncio.to_thread(_write, target, content)
            if as_json:
                print_json(record)
            else:
                say(f"{record.key} has {record.size:,} bytes" + (f"; it is in {target} too." if target else "."))

        run(work)

    @app.command("delete")
    def delete(code: ExactCode) -> None:
        """Remove a newsletter with all its steps, revisions and files."""

        async def work(services: Services) -> None:
            await service.delete(services, CONSOLE, code)
            say(f"{code} is deleted.")

        run(work)


def _write(target: Path, content: bytes) -> None:
    try:
        target.write_bytes(content)
    except OSError as error:
        raise InputError(f"{target} can't be written ({error.strerror}); name another place.") from error


async def _code(services: Services, given: str) -> str:
    """The code, or that of the newsletter which the first administrator began last."""
    if given != _LATEST:
        return given
    own = await service.list_own(services, await _principal(services, _ADMINISTRATOR), limit=1)
    if not own.items:
        raise InputError("There is no newsletter yet; begin one with `almanac newsletter new`.")
    return own.items[0].code


async def _principal(services: Services, email: str) -> Principal:
    """The person, as if they sat at this terminal."""
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    return Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="console")


@contextmanager
def _shown(services: Services, title: str, *, quiet: bool) -> Iterator[_Terminal]:
    with progress(title, quiet=quiet) as display:
        yield _Terminal(services, display)


def _standing(full: FullNewsletter) -> dict[str, object]:
    return {
        "code": full.code,
        "title": full.newsletter.title,
        "status": full.newsletter.status,
        "steps": {step: full.state_of(step).status for step in STEPS},
        "chunks": len(full.topics.chunks),
        "sections": len(full.outline.outline.sections),
        "words": full.draft.draft.word_count,
        "changes": [change.sentence for change in full.changes],
    }


def _told_retrieval(full: FullNewsletter) -> str:
    return full.topics.coverage.sentence if full.topics.coverage else "Nothing was retrieved."


def _told_outline(full: FullNewsletter) -> str:
    outline = full.outline.outline
    return f"{counted(len(outline.items), 'item')} in {counted(len(outline.to_write), 'section')}."


def _told_draft(full: FullNewsletter) -> str:
    draft = full.draft.draft
    standing = obstacles(full, checked_sections(full))
    told = f"{counted(draft.word_count, 'word')}, {draft.estimated_read_time} to read."
    return " ".join([told, *(one.sentence for one in standing)])
