"""The REST API under /api/v1: one module per resource; desks add their own routers.

Routers have full paths, so that logs and metrics name a route as callers write it.
"""

from almanac.http.api_models import API_PREFIX
from almanac.http.problems import documented_problems
from almanac.http.routing import PrefixRouter
from almanac.web.api import (
    approvals,
    audit,
    failures,
    handover,
    home,
    jobs,
    knowledge,
    mail,
    me,
    models,
    notifications,
    saved_queries,
    schedules,
    search,
    teams,
    tokens,
    user_sign_in,
    users,
    verify,
    webhooks,
    why,
)

PROBLEMS = documented_problems(400, 401, 403, 404, 413, 422, 429, 500, 503)
# What the platform offers for one desk alone; it comes and goes with the desk.
DESK_APIS = {"newsletter": knowledge.router}
api = PrefixRouter(API_PREFIX)
for module in (
    home,
    notifications,
    me,
    users,
    handover,
    user_sign_in,
    teams,
    tokens,
    approvals,
    search,
    why,
    saved_queries,
    webhooks,
    verify,
    failures,
    jobs,
    schedules,
    mail,
    models,
    audit,
):
    api.include_router(module.router)
