"""The REST API under /api/v1: one module for each kind of resource; desks add their own routers."""

from collections.abc import Sequence

from fastapi import APIRouter

from almanac.http.desk import Desk
from almanac.http.problems import documented_problems
from almanac.web.api import audit, jobs, mail, me, schedules, tokens, users

PREFIX = "/api/v1"


def api_of(desks: Sequence[Desk]) -> APIRouter:
    """The whole API, with the routers of the desks."""
    api = APIRouter(prefix=PREFIX, responses=documented_problems(400, 401, 403, 404, 413, 422, 429, 500, 503))
    for module in (me, users, tokens, jobs, schedules, mail, audit):
        api.include_router(module.router)
    for desk in desks:
        if desk.api is not None:
            api.include_router(desk.api, prefix=f"/{desk.name}", tags=[desk.name])
    return api
