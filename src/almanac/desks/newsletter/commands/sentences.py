"""Commands for single sentences of a draft: list the unfinished ones, confirm, mark as own, drop."""

from collections.abc import Awaitable, Callable
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.newsletter.commands.arguments import ADMINISTRATOR, Code, get_owner, resolve_code
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.verification import tally_checks
from almanac.desks.newsletter.pipeline.verification import check_draft
from almanac.desks.newsletter.service import sentences as sentence_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.services import Services
from almanac.terminal import AsJson, Work, print_json, print_line, print_table

Key = Annotated[str, typer.Argument(help="The key of the sentence, as `almanac newsletter sentences` shows it.")]
By = Annotated[str, typer.Option("--by", help="E-mail address of the person who decides.")]


def add_sentence_commands(app: typer.Typer, run: Callable[[Work], None]) -> None:
    """Add the commands that list and finish single sentences."""
    _add_listing(app, run)
    _add_decisions(app, run)


def _add_listing(app: typer.Typer, run: Callable[[Work], None]) -> None:
    @app.command("sentences")
    def list_sentences(
        code: Code,
        everything: Annotated[bool, typer.Option("--all", help="Also show the sentences that are finished.")] = False,
        as_json: AsJson = False,
    ) -> None:
        """List the sentences that a person must finish, each with its key and the reason."""

        async def work(services: Services) -> None:
            full = await open_newsletter(services, CONSOLE, await resolve_code(services, code))
            checked = await check_draft(services, full)
            rows = [
                {
                    "key": sentence.key,
                    "section": section.section.name,
                    "verdict": sentence.checked.verdict,
                    "sentence": sentence.checked.text,
                    "reason": "" if sentence.is_finished else sentence.reason,
                    "confirmed_by": sentence.confirmation.by if sentence.confirmation else None,
                }
                for section in checked
                for sentence in section.sentences
                if everything or not sentence.is_finished
            ]
            if as_json:
                print_json(rows)
                return
            columns = ["Key", "Section", "Verdict", "Sentence", "Reason"]
            cells = [[row[name.lower()] for name in columns] for row in rows]
            print_table(columns, cells, empty="No sentence waits for a person.")
            if summary := tally_checks(checked).sentence:
                print_line(summary)

        run(work)


def _add_decisions(app: typer.Typer, run: Callable[[Work], None]) -> None:
    def decide(code: str, by: str, action: Callable[..., Awaitable[FullNewsletter]], key: str, words: str) -> None:
        async def work(services: Services) -> None:
            person = await get_owner(services, by)
            await action(services, person, await resolve_code(services, code), key)
            print_line(words.format(person=person.name or person.email))

        run(work)

    @app.command("confirm")
    def confirm(
        code: Code,
        key: Key,
        by: By = ADMINISTRATOR,
        undo: Annotated[bool, typer.Option("--undo", help="Take the confirmation back.")] = False,
    ) -> None:
        """Confirm an unconfirmed sentence that you have read beside its source."""
        if undo:
            decide(code, by, sentence_service.withdraw_confirmation, key, "Taken back.")
        else:
            decide(code, by, sentence_service.confirm_sentence, key, "Checked by {person}.")

    @app.command("own")
    def mark_own(
        code: Code,
        key: Key,
        by: By = ADMINISTRATOR,
        undo: Annotated[bool, typer.Option("--undo", help="Take the mark back.")] = False,
    ) -> None:
        """Mark a sentence as your own: it needs no source, and exports show it without a reference."""
        mark = sentence_service.unmark_own if undo else sentence_service.mark_as_own
        decide(code, by, mark, key, "No longer marked as own." if undo else "Marked as {person}\u2019s own.")

    @app.command("drop")
    def drop(code: Code, key: Key, by: By = ADMINISTRATOR) -> None:
        """Drop a sentence from the draft; the text before stays in the revisions."""
        decide(code, by, sentence_service.drop_sentence, key, "Dropped.")
