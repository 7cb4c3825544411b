"""A desk that is switched off is gone everywhere, and back with all it held once it is switched on again."""

import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from almanac.accounts.permissions import ACTIONS, DESKS, PERMISSIONS, Role
from almanac.bootstrap import make_worker, open_services
from almanac.desks import DESKS as ALL_DESKS
from almanac.jobs import JobStatus
from almanac.web.app import create_app

ROUTES = Path(__file__).parents[3] / "docs/reference/routes.md"
DOCUMENTED = re.compile(r"^\| `((?:[A-Z]+ )+)(/\S*)` \|", re.MULTILINE)
NOUNS = {desk: (desk,) for desk in DESKS} | {"newsletter": ("newsletter", "newsletters", "knowledge")}
TITLES = {desk.name: desk.title for desk in ALL_DESKS}


@pytest.fixture(params=DESKS)
def desk(request):
    return request.param


@pytest.fixture
def settings(settings, desk):
    return replace(settings, desks=", ".join(name for name in DESKS if name != desk))


def ways_of(desk):
    """Every documented way to a desk, public ones too."""
    for methods, path in DOCUMENTED.findall(ROUTES.read_text("utf-8")):
        place = path.removeprefix("/api/v1").strip("/").split("/")[0]
        if place in NOUNS[desk]:
            yield from ((method, re.sub(r"\{[^}]*\}", "7", path)) for method in methods.split())


async def test_every_route_of_the_desk_is_gone_for_everybody(desk, admin, api, nobody):
    admin.http.follow_redirects = False
    headers = {"X-CSRF-Token": await admin.csrf()}
    ways = list(ways_of(desk))
    assert len(ways) > 20
    for method, path in ways:
        for client in (admin.http, nobody.http, api):
            answer = await client.request(method, path, headers=headers if client is admin.http else {})
            assert answer.status_code == 404, f"{method} {path}: {answer.status_code}"
    for other in set(DESKS) - {desk}:
        assert (await api.get(f"/{other}")).status_code == 200


async def test_nothing_shows_the_desk(desk, admin, api):
    document = (await api.get("/api/openapi.json")).json()
    shown = {path.removeprefix("/api/v1/").split("/")[0] for path in document["paths"]}
    assert not shown & set(NOUNS[desk])
    assert not any(right.startswith(f"desk.{desk}.") for right in (await api.get("/api/v1/me")).json()["permissions"])
    assert desk not in {shown["name"] for shown in (await api.get("/api/v1/home")).json()["desks"]}
    for path in ("/", "/people/invite", f"/people/{admin.user.id}", "/teams"):
        page = (await admin.get(path)).text
        assert f'href="/{desk}"' not in page, path
        assert f'value="{desk}:' not in page, path
    results = (await admin.get("/search", params={"q": TITLES[desk]})).text
    assert not re.search(rf'href="/{desk}["/?]', results)
    assert (await admin.get(f"/desks/{desk}/rights")).status_code == 404
    wish = {"actions": ["read"]}
    assert (await api.put(f"/api/v1/users/{admin.user.id}/rights/{desk}", json=wish)).status_code == 404
    schedules = [schedule["task"] for schedule in (await api.get("/api/v1/schedules")).json()]
    assert schedules
    assert not any(task.startswith(f"{desk}.") for task in schedules)


@pytest.mark.parametrize("desk", ["news", "reminders"], indirect=True)
async def test_its_jobs_wait_and_run_once_it_is_back(desk, services, settings, admin, api, clock):
    job_type = next(job for job in _job_types(desk) if job.queue == desk)
    job = await services.jobs.defer(job_type, {})
    other = await services.jobs.defer(next(job for job in _job_types(_another(desk))), {})
    await make_worker(services).drain()
    assert (await services.jobs.job(job)).job.status is JobStatus.QUEUED
    assert (await services.jobs.job(job)).runs == []
    assert (await services.jobs.job(other)).runs
    assert (await api.get(f"/api/v1/jobs/{job}")).status_code == 404
    assert job not in {shown["id"] for shown in (await api.get("/api/v1/jobs")).json()["items"]}
    assert (await admin.get(f"/jobs/{job}")).status_code == 404
    async with open_services(replace(settings, desks=""), clock) as whole:
        await make_worker(whole).drain()
        assert (await whole.jobs.job(job)).runs


@pytest.mark.parametrize("desk", ["reminders"], indirect=True)
async def test_rights_given_there_are_kept_and_count_again(desk, services, settings, api, person, clock):
    user = await person(Role.MEMBER)
    async with open_services(replace(settings, desks=""), clock) as whole:
        transport = httpx.ASGITransport(create_app(whole, ALL_DESKS))
        everything = httpx.AsyncClient(transport=transport, base_url="http://testserver", headers=api.headers)
        async with everything:
            wish = {"actions": list(ACTIONS)}
            answer = await everything.put(f"/api/v1/users/{user.id}/rights/{desk}", json=wish)
            assert answer.status_code == 200
            rights = (await api.get(f"/api/v1/users/{user.id}/rights")).json()["items"]
            assert desk not in {row["desk"] for row in rights}
            rights = (await everything.get(f"/api/v1/users/{user.id}/rights")).json()["items"]
            assert next(row for row in rights if row["desk"] == desk)["own"] == list(ACTIONS)
            mine = (await everything.get("/api/v1/me")).json()["permissions"]
            assert set(mine) == PERMISSIONS


def _job_types(desk):
    described = next(candidate for candidate in ALL_DESKS if candidate.name == desk)
    return [*(schedule.job_type for schedule in described.schedules), *described.jobs]


def _another(desk):
    return next(name for name in ("news", "habits") if name != desk)
