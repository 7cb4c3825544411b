"""`almanac demo`: load or remove the demo content of all desks."""

from contextlib import aclosing
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.accounts.service import get_user_by_email
from almanac.bootstrap import DEMO, make_worker
from almanac.cli.runtime import with_services
from almanac.demo import DemoReport
from almanac.errors import Conflict
from almanac.jobs import JobFilter, JobStatus
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, progress

_INCOMPLETE = "The demo content isn't complete yet; a worker or `almanac demo` will continue."


@with_services
async def demo(
    services: Services,
    owner: Annotated[
        str, typer.Option("--for", help="E-mail address of the person it is loaded for.")
    ] = "admin@localhost",
    remove: Annotated[bool, typer.Option("--remove", help="Remove the demo content, and nothing else.")] = False,
    as_json: AsJson = False,
) -> None:
    """Load the demo content of all desks. A second time adds nothing."""
    with progress("Demo content", quiet=as_json):
        report = await (DEMO.remove(services) if remove else _load(services, owner))
    print_json(report) if as_json else print_line(_describe(report, removed=remove))


async def _load(services: Services, owner: str) -> DemoReport:
    if await DEMO.is_complete(services):
        return await DEMO.report(services)
    user = await get_user_by_email(services.accounts, CONSOLE, owner)
    await DEMO.queue(services, user.id)
    while not await DEMO.is_complete(services):
        await make_worker(services).drain()
        await _wait_for_job(services)
    return await DEMO.report(services, changed=True)


async def _wait_for_job(services: Services) -> None:
    """Wait until the newest loading job has ended, here or in another worker; raises Conflict if it failed."""
    newest = (await services.jobs.jobs(JobFilter(task=DEMO.task.name), limit=1)).items[0]
    async with aclosing(services.jobs.watch(newest.id)) as changes:
        async for job in changes:
            if job.status is JobStatus.QUEUED and job.not_before is not None:
                raise Conflict(_INCOMPLETE)
            if job.status in (JobStatus.FAILED, JobStatus.CANCELLED):
                raise Conflict(f"The demo content couldn't be loaded: {job.reason or 'the job was cancelled.'}")


def _describe(report: DemoReport, *, removed: bool) -> str:
    if removed:
        return f"Removed {report.summary} of demo content." if report.summary else "No demo content to remove."
    return f"Loaded {report.summary}." if report.changed else f"The demo content is already loaded: {report.summary}."
