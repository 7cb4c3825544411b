"""`almanac jobs`: what failed and why; retry and dismiss failures."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.cli.runtime import with_services
from almanac.desks import DESKS
from almanac.errors import InputError
from almanac.http.failures import list_failures
from almanac.jobs import FailureFilter
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, print_table
from almanac.web import operator_actions

app = typer.Typer(no_args_is_help=True, help="See, retry and dismiss failed jobs.")

JobIds = Annotated[list[int] | None, typer.Argument(help="Jobs that `almanac jobs failures` shows.")]
Task = Annotated[str, typer.Option("--task", help="All of this kind, such as knowledge.read.")]


@app.command("failures")
@with_services
async def failures(
    services: Services,
    dismissed: Annotated[bool, typer.Option("--dismissed", help="List dismissed failures.")] = False,
    as_json: AsJson = False,
) -> None:
    """List failures with what they are about and the reason."""
    shown = await list_failures(services, DESKS, CONSOLE, FailureFilter(dismissed=dismissed))
    if as_json:
        print_json(shown)
        return
    rows = [
        [
            item.failure.job_id,
            item.failure.task,
            item.name,
            item.failure.dismissal.why if item.failure.dismissal else item.reason,
            f"{item.failure.failed_at:%Y-%m-%d %H:%M}" if item.failure.failed_at else "",
            "input" if item.failure.by_input else "fault",
        ]
        for item in shown
    ]
    print_table(["Job", "Task", "About", "Why", "When", "Cause"], rows, empty="No failures.")


@app.command("dismiss")
@with_services
async def dismiss(
    services: Services,
    why: Annotated[str, typer.Option("--why", help="The reason, kept with the failure and in the audit log.")],
    ids: JobIds = None,
    task: Task = "",
) -> None:
    """Dismiss failures, or all of a kind. They come back if they fail again."""
    if bool(ids) == bool(task):
        raise InputError("Name either jobs or --task.")
    which = FailureFilter(ids=tuple(ids)) if ids else FailureFilter(task=task)
    count = len(await operator_actions.dismiss_failures(services, DESKS, CONSOLE, which, why))
    print_line(f"Dismissed {counted(count, 'failure')}.")


@app.command("restore")
@with_services
async def restore(services: Services, ids: Annotated[list[int], typer.Argument(help="Dismissed jobs.")]) -> None:
    """List dismissed failures again."""
    count = await operator_actions.restore_failures(services, DESKS, CONSOLE, ids)
    print_line(f"Listed {counted(count, 'failure')} again.")


@app.command("retry")
@with_services
async def retry(services: Services, ids: Annotated[list[int], typer.Argument(help="Failed jobs.")]) -> None:
    """Queue failed jobs again; a running worker takes them."""
    count = await operator_actions.retry_jobs(services, CONSOLE, ids)
    print_line(f"Queued {counted(count, 'job')} again.")
