"""Arguments that the desk's commands share, whose newsletter is meant, and progress on the screen."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.progress import Progress

from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.service import get_user_by_email
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.errors import InputError
from almanac.relational import Unit
from almanac.services import Services
from almanac.terminal import progress

Code = Annotated[str, typer.Argument(help="The newsletter's code, such as NL-20260126-A1B2, or `latest`.")]
# `latest` isn't accepted where a command can't be undone.
ExactCode = Annotated[str, typer.Argument(help="The newsletter's code, such as NL-20260126-A1B2.")]
Owner = Annotated[str, typer.Option("--for", help="E-mail address of the person it belongs to.")]
_LATEST, ADMINISTRATOR = "latest", "admin@localhost"


@dataclass(frozen=True, slots=True)
class TerminalLedger:
    """Shows the progress of a step on the screen when a command runs it instead of a worker."""

    services: Services
    display: Progress

    async def progress(self, done: int | None, total: int | None, doing: str) -> None:
        self.display.update(self.display.task_ids[0], completed=done, total=total, description=doing)

    def unit(self) -> AbstractAsyncContextManager[Unit]:
        return self.services.database.unit()

    async def once(self, _unit: Unit, _step: str) -> bool:
        return True


@contextmanager
def show_progress(services: Services, title: str, *, quiet: bool) -> Iterator[TerminalLedger]:
    with progress(title, quiet=quiet) as display:
        yield TerminalLedger(services, display)


async def resolve_code(services: Services, code: str) -> str:
    """The given code; `latest` means the newest newsletter of the first administrator."""
    if code != _LATEST:
        return code
    newsletters = await newsletter_service.list_own_newsletters(
        services, await get_owner(services, ADMINISTRATOR), limit=1
    )
    if not newsletters.items:
        raise InputError("There is no newsletter yet; create one with `almanac newsletter new`.")
    return newsletters.items[0].code


async def get_owner(services: Services, email: str) -> Principal:
    """The account with this e-mail address as a principal of the console."""
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    return user.as_principal("console", desks=services.accounts.desks)


def newsletter_summary(full: FullNewsletter) -> dict[str, object]:
    return {
        "code": full.code,
        "title": full.newsletter.title,
        "status": full.newsletter.status,
        "steps": {step: full.step_state(step).status for step in STEPS},
        "chunks": len(full.topics.chunks),
        "sections": len(full.outline.outline.sections),
        "words": full.draft.draft.word_count,
        "changes": [change.sentence for change in full.changes],
    }
