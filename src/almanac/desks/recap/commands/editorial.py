"""Commands for editors: hold, release, withdraw and correct articles, and list what is held or was corrected."""

from dataclasses import asdict
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.commands.articles import ArticleId, Limit
from almanac.desks.recap.model.editorial import ArticleState, ArticleStatusView, CorrectionKind, CorrectionWish
from almanac.desks.recap.service import corrections, editorial
from almanac.errors import InputError
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, print_json, print_line, print_table

commands = CommandList()
Reason = Annotated[str, typer.Option(help="Why; readers see it when an article is withdrawn.")]
Note = Annotated[str, typer.Option(help="What was wrong, for readers.")]


@commands.command("hold")
async def hold_article(services: Services, article: ArticleId, reason: Reason) -> None:
    """Take an article away from readers until it is released."""
    await _decide(services, article, "held", reason)
    print_line(f"{article} is held.")


@commands.command("release")
async def release_article(services: Services, article: ArticleId) -> None:
    """Publish an article that is held or withdrawn."""
    await _decide(services, article, "published", "")
    print_line(f"{article} is published.")


@commands.command("withdraw")
async def withdraw_article(services: Services, article: ArticleId, reason: Reason) -> None:
    """Withdraw an article: its address says why from then on."""
    await _decide(services, article, "withdrawn", reason)
    print_line(f"{article} is withdrawn.")


@commands.command("held")
async def list_held(services: Services, limit: Limit = 25, as_json: AsJson = False) -> None:
    """Articles that wait for a person."""
    page = await editorial.list_held(services, limit=limit)
    if as_json:
        print_json([asdict(status) for status in page.items])
        return
    rows = [(status.article_id, status.date[:10], status.meeting, _why(status)) for status in page.items]
    print_table(("Article", "Day", "Meeting", "Why"), rows, empty="Nothing is held.")


@commands.command("correct")
async def correct_article(
    services: Services,
    article: ArticleId,
    note: Note,
    before: Annotated[str, typer.Option(help="The sentence to correct; leave it out to add a note only.")] = "",
    after: Annotated[str, typer.Option(help="What it says from now on; leave it out to remove it.")] = "",
) -> None:
    """Correct a title, a description or a sentence, with a note that readers see."""
    kind: CorrectionKind = "replaced" if after else "removed" if before else "note"
    texts = await corrections.list_texts(services, article) if before else []
    part = next((text.part for text in texts if text.text == before), None)
    if before and part is None:
        raise InputError("The article doesn't have this sentence; give it as `almanac recap show` prints it.")
    wish = CorrectionWish(kind=kind, part=part or "article", note=note, before=before, after=after)
    made = await corrections.correct_article(services, CONSOLE, article, wish)
    print_line(f"Corrected: {made.correction_id}.")


@commands.command("undo-correction")
async def undo_correction(
    services: Services,
    article: ArticleId,
    correction: Annotated[str, typer.Argument(help="The id of the correction.")],
) -> None:
    """Take a correction back."""
    await corrections.undo_correction(services, CONSOLE, article, correction)
    print_line("The correction was taken back.")


@commands.command("corrections")
async def list_corrections(services: Services, limit: Limit = 25, as_json: AsJson = False) -> None:
    """Corrections of all articles, the latest first."""
    page = await corrections.list_corrections(services, limit=limit)
    if as_json:
        print_json([asdict(correction) for correction in page.items])
        return
    rows = [
        (f"{each.created_at:%Y-%m-%d}", each.article_id, each.kind, each.note, each.correction_id)
        for each in page.items
    ]
    print_table(("Day", "Article", "Kind", "Note", "Correction"), rows, empty="Nothing was corrected.")


async def _decide(services: Services, article: str, state: ArticleState, reason: str) -> ArticleStatusView:
    current = await editorial.get_status(services, article)
    return await editorial.decide_state(services, CONSOLE, article, state, reason, revision=current.revision)


def _why(status: ArticleStatusView) -> str:
    return status.reason or "; ".join(f"{each.kind}: {each.text}" for each in status.findings)
