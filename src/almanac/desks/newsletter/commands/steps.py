"""Commands for the steps of a newsletter: retrieve, outline, draft, provenance and export."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.newsletter.commands.arguments import Code, newsletter_summary, resolve_code, show_progress
from almanac.desks.newsletter.model.newsletter import FullNewsletter, StepName
from almanac.desks.newsletter.model.verification import check_sections, list_obstacles
from almanac.desks.newsletter.service import provenance as provenance_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service.exports import export_now
from almanac.desks.newsletter.service.provenance import IssueProvenance
from almanac.errors import InputError
from almanac.kit.text import counted, shorten
from almanac.services import Services
from almanac.terminal import AsJson, Work, print_json, print_line, print_table

_SHOWN = 60


def add_step_commands(app: typer.Typer, run: Callable[[Work], None]) -> None:
    """Add the commands that run a step, trace sentences to their sources, and export."""
    _add_steps(app, run)
    _add_provenance(app, run)
    _add_export(app, run)


def _add_steps(app: typer.Typer, run: Callable[[Work], None]) -> None:
    def add(name: str, step: StepName, describe: Callable[[FullNewsletter], str], about: str) -> None:
        def command(code: Code, as_json: AsJson = False) -> None:
            async def work(services: Services) -> None:
                exact_code = await resolve_code(services, code)
                with show_progress(services, about, quiet=as_json) as ledger:
                    full = await step_service.run_step_now(services, CONSOLE, exact_code, step, ledger)
                if as_json:
                    print_json(newsletter_summary(full))
                else:
                    print_line(describe(full))

            run(work)

        app.command(name, help=about)(command)

    add("retrieve", "retrieval", _describe_retrieval, "Retrieve sources for the chosen topics.")
    add("outline", "outline", _describe_outline, "Make an outline from the retrieved sources.")
    add("draft", "draft", _describe_draft, "Write the sections of the outline.")


def _add_provenance(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("provenance")
    def show_provenance(code: Code, as_json: AsJson = False) -> None:
        """Show where each sentence comes from: the quoted words, the story or speech, and the original address."""

        async def work(services: Services) -> None:
            traced = _trace_rows(
                await provenance_service.get_provenance(services, CONSOLE, await resolve_code(services, code))
            )
            if as_json:
                print_json(traced)
                return
            rows = [
                [
                    shorten(str(row["sentence"]), _SHOWN),
                    row["from"],
                    row["item"],
                    row["url"] or row["path"],
                    row["standing"],
                ]
                for row in traced
            ]
            print_table(["Sentence", "From", "Item", "Original", "Source now"], rows, empty="Nothing is saved yet.")

        run(work)


def _trace_rows(provenance: IssueProvenance) -> list[dict[str, object]]:
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
            "standing": support.status,
        }
        for sentence, supports in provenance.sentences
        for support in supports
    ]


def _add_export(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("export")
    def export(
        code: Code,
        name: Annotated[str, typer.Argument(metavar="FORMAT", help="pdf, docx, html, web, markdown or text.")],
        target: Annotated[Path | None, typer.Option("--to", help="Also write the file to this path.")] = None,
        as_json: AsJson = False,
    ) -> None:
        """Export the issue in a format."""

        async def work(services: Services) -> None:
            exact_code = await resolve_code(services, code)
            with show_progress(services, "Exporting", quiet=as_json) as ledger:
                record = await export_now(services, CONSOLE, exact_code, name, ledger)
            if target is not None:
                content = await services.objects.get(record.key)
                await asyncio.to_thread(_write_file, target, content)
            if as_json:
                print_json(record)
            else:
                print_line(
                    f"{record.key} has {record.size:,} bytes"
                    + (f"; it was also written to {target}." if target else ".")
                )

        run(work)


def _write_file(target: Path, content: bytes) -> None:
    try:
        target.write_bytes(content)
    except OSError as error:
        raise InputError(f"{target} can't be written ({error.strerror}); choose another path.") from error


def _describe_retrieval(full: FullNewsletter) -> str:
    return full.topics.coverage.sentence if full.topics.coverage else "Nothing was retrieved."


def _describe_outline(full: FullNewsletter) -> str:
    outline = full.outline.outline
    return f"{counted(len(outline.items), 'item')} in {counted(len(outline.to_write), 'section')}."


def _describe_draft(full: FullNewsletter) -> str:
    draft = full.draft.draft
    obstacles = list_obstacles(full, check_sections(full))
    summary = f"{counted(draft.word_count, 'word')}, {draft.estimated_read_time} to read."
    return " ".join([summary, *(obstacle.sentence for obstacle in obstacles)])
