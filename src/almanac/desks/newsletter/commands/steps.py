"""Commands for the steps of a newsletter: retrieve, outline, draft, provenance and export."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.newsletter.commands.arguments import Code, newsletter_summary, resolve_code, show_progress
from almanac.desks.newsletter.model.newsletter import FullNewsletter, StepName
from almanac.desks.newsletter.model.verification import check_sections, list_obstacles, tally_checks
from almanac.desks.newsletter.service import provenance as provenance_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service.exports import export_now
from almanac.desks.newsletter.service.provenance import IssueProvenance, QuoteSupport
from almanac.errors import InputError
from almanac.kit.text import counted, shorten
from almanac.services import Services
from almanac.terminal import AsJson, Work, print_json, print_line, print_table
from almanac.verify import ClaimKind, Verdict

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
                    _describe_verdict(row),
                    row["from"],
                    row["item"],
                    row["url"] or row["path"],
                    row["standing"],
                ]
                for row in traced
            ]
            print_table(
                ["Sentence", "Verdict", "From", "Item", "Original", "Source now"], rows, empty="Nothing is saved yet."
            )

        run(work)


def _trace_rows(provenance: IssueProvenance) -> list[dict[str, object]]:
    return [
        {
            "section": sentence.section_name,
            "sentence": sentence.checked.text,
            "kind": sentence.checked.kind,
            "verdict": sentence.checked.verdict,
            "confirmed_by": sentence.confirmation.by if sentence.confirmation else None,
            "confirmed_at": sentence.confirmation.at if sentence.confirmation else None,
            **_support_columns(support),
        }
        for sentence, supports in provenance.sentences
        for support in supports or (None,)
    ]


def _support_columns(support: QuoteSupport | None) -> dict[str, object]:
    """Where a sentence comes from; the editor's own sentence comes from nowhere."""
    if support is None:
        return dict.fromkeys(("from", "item", "quote", "start", "end", "url", "path", "standing"))
    return {
        "from": support.quoted.chunk.kind,
        "item": support.quoted.chunk.title,
        "quote": support.quoted.text,
        "start": support.start,
        "end": support.end,
        "url": support.quoted.chunk.url,
        "path": support.path,
        "standing": support.status,
    }


def _describe_verdict(row: dict[str, object]) -> str:
    """The verdict in words: whose sentence it is, or who confirmed it."""
    if row["kind"] is ClaimKind.OWN and row["verdict"] is Verdict.SUPPORTED:
        return "editor's own"
    return f"checked by {row['confirmed_by']}" if row["confirmed_by"] else str(row["verdict"])


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
    checked = check_sections(full)
    words = f"{counted(draft.word_count, 'word')}, {draft.estimated_read_time} to read."
    obstacles = list_obstacles(full, checked)
    return " ".join(filter(None, [words, tally_checks(checked).sentence, *(each.sentence for each in obstacles)]))
