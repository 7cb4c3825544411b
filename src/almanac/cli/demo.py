"""`almanac demo`: load the demo content of every desk, or take it away again."""

from contextlib import aclosing
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.accounts.service import get_user_by_email
from almanac.bootstrap import DEMO, make_worker
from almanac.cli.boundary import run, services_for_command
from almanac.demo import DemoReport
from almanac.errors import Conflict
from almanac.jobs import JobFilter, JobStatus
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, progress

_NOT_YET = "The demo content is not complete yet; a worker goes on with it, or `almanac demo` does."


def demo(
    owner: Annotated[
        str, typer.Option("--for", help="E-mail address of the person it is loaded for.")
    ] = "admin@localhost",
    remove: Annotated[bool, typer.Option("--remove", help="Take the demo content away, and nothing else.")] = False,
    as_json: AsJson = False,
) -> None:
    """Load the demo content: a knowledge base and newsletters written from it. A second time adds nothing."""

    async def command() -> None:
        async with services_for_command() as services:
            with progress("Demo content", quiet=as_json):
                report = await (DEMO.remove(services) if remove else _load(services, owner))
        print_json(report) if as_json else print_line(_told(report, removed=remove))

    run(command)


async def _load(services: Services, owner: str) -> DemoReport:
    if await DEMO.is_complete(services):
        return await DEMO.report(services)
    user = await get_user_by_email(services.accounts, CONSOLE, owner)
    await DEMO.queue(services, user.id)
    while not await DEMO.is_complete(services):
        await make_worker(services).drain()
        await _ended(services)
    return await DEMO.report(services, changed=True)


async def _ended(services: Services) -> None:
    """The newest of the loading's jobs has ended, here or at another worker; one that failed tells why."""
    newest = (await services.jobs.jobs(JobFilter(task=DEMO.task.name), limit=1)).items[0]
    async with aclosing(services.jobs.watch(newest.id)) as changes:
        async for job in changes:
            if job.status is JobStatus.QUEUED and job.not_before is not None:
                raise Conflict(_NOT_YET)
            if job.status in (JobStatus.FAILED, JobStatus.CANCELLED):
                raise Conflict(f"The demo content could not be loaded: {job.reason or 'the job was cancelled.'}")


def _told(report: DemoReport, *, removed: bool) -> str:
    if removed:
        return f"Removed {report.told} of the demo." if report.told else "There is no demo content to remove."
    return f"Loaded {report.told}." if report.changed else f"The demo content is here already: {report.told}."
