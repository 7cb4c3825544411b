"""The home page: what waits for the person, what ran, and what failed and why."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.http.guards import signed_in
from almanac.http.pages import page
from almanac.http.surface import surface_of
from almanac.jobs import JobFilter, JobStatus, JobView
from almanac.kit.text import counted
from almanac.services import Services

pages = APIRouter()
_SHOWN, _LOOKED_AT = 6, 100


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits for the person, and where to do it."""

    title: str
    text: str
    href: str
    verb: str


@dataclass(frozen=True, slots=True)
class Activity:
    """The latest of what jobs did."""

    running: list[JobView]
    finished: list[JobView]
    failed: list[JobView]


@pages.get("/")
async def show_home(request: Request, principal: Annotated[Principal, signed_in()]) -> Response:
    """What needs a person comes first, then what happened by itself."""
    services = surface_of(request).services
    waiting = await _waiting(services, principal)
    activity = await _activity(services) if principal.may("jobs.read") else None
    return await page(request, "home.html", waiting=waiting, activity=activity)


async def _waiting(services: Services, principal: Principal) -> list[Waiting]:
    found = await _approvals(services, principal)
    if principal.may("account.own") and principal.via == "session":
        user = await accounts.get_user(services.accounts, principal, principal.user_id)
        if not user.has_password and services.accounts.oidc is None:
            text = "You came in with a one-time link. With a password you can come back without one."
            found.append(Waiting("Choose a password", text, "/account/password", "Choose"))
    if principal.may("mail.settle") and (unknown := (await services.mailbox.counts()).get("unknown", 0)):
        title = f"Settle {counted(unknown, 'mail')}"
        text = "Nobody knows whether they left, so they are not sent again until somebody has looked."
        found.append(Waiting(title, text, "/mail?status=unknown", "Look"))
    return found


async def _approvals(services: Services, principal: Principal) -> list[Waiting]:
    async with services.database.unit() as unit:
        count = await services.approvals.count_waiting(unit, principal)
    title = f"Decide about {counted(count, 'approval')}"
    text = "Somebody waits for your word before it can be sent."
    return [Waiting(title, text, "/approvals", "Look")] if count else []


async def _activity(services: Services) -> Activity:
    async def latest(status: JobStatus, limit: int = _SHOWN) -> list[JobView]:
        return (await services.jobs.jobs(JobFilter(status=status), limit=limit)).items

    running, finished, failed = await asyncio.gather(
        latest(JobStatus.RUNNING), latest(JobStatus.SUCCEEDED, _LOOKED_AT), latest(JobStatus.FAILED)
    )
    return Activity(running, _one_of_each(finished)[:_SHOWN], failed)


def _one_of_each(jobs: list[JobView]) -> list[JobView]:
    """The newest job of each task: what runs every minute would hide the rest."""
    newest: dict[str, JobView] = {}
    for job in jobs:
        newest.setdefault(job.task, job)
    return list(newest.values())
