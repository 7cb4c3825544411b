"""Several sources at once: each is asked, one that fails stops none of the others, and everybody sees which it is."""

from datetime import UTC, date, datetime, timedelta

import httpx
import msgspec
import pytest
from aiohttp import web

from almanac.desks import DESKS
from almanac.desks.recap import jobs
from almanac.desks.recap.pipeline.collect import collect_meetings, configured_sources, source_name
from almanac.errors import Retryable, TooMany
from almanac.jobs import JobCancelled, JobFilter
from almanac.web.app import create_app

from .conftest import TOKEN, an_installation, silent

FEBRUARY = (date(2026, 2, 1), date(2026, 2, 28))


@pytest.fixture(scope="module")
async def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("records")


@pytest.fixture(scope="module")
async def services(databases, diet_server, folder):
    """An installation that follows a folder, an interface and a folder that isn't there."""
    source = f"{folder.as_uri()} {diet_server.url}, file:///nowhere/records"
    async with an_installation(databases, source, admin_token=TOKEN) as services:
        yield services


@pytest.fixture(scope="module")
async def site(services):
    transport = httpx.ASGITransport(create_app(services, DESKS), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "text/html"}
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver", headers=headers) as site:
        yield site


async def collect(services):
    return await collect_meetings(services, configured_sources(services), *FEBRUARY, report=silent)


async def test_each_is_asked_and_the_result_says_which_gave_what(services, folder, diet, sitting):
    (folder / "one.json").write_bytes(msgspec.json.encode(sitting(1)))
    diet.sittings = [sitting(2), sitting(3)]
    result = await collect(services)
    assert [(part.name, part.new) for part in result.sources] == [
        (str(folder), 1),
        (diet.url, 2),
        ("/nowhere/records", 0),
    ]
    assert "There is no folder /nowhere/records" in result.sources[2].error
    assert (result.counts()["new"], len(result.failures)) == (3, 1)
    for part in (str(folder), diet.url, "/nowhere/records: 0 new records, 0 changed, 0 known; then it failed"):
        assert part in result.sentence


async def test_one_that_fails_in_the_middle_stops_none_after_it(services, diet, sitting):
    diet.sittings = [sitting(4)]
    diet.fails(500)
    result = await collect(services)
    assert [bool(part.error) for part in result.sources] == [False, True, True]
    with pytest.raises(Retryable, match="has a problem"):
        result.raise_failures()


async def test_a_source_that_asks_for_patience_gets_it(services, diet):
    diet.troubles.append(lambda _request: web.Response(status=429, headers={"Retry-After": "77"}))
    with pytest.raises(TooMany) as caught:
        (await collect(services)).raise_failures()
    assert caught.value.retry_after == 77


async def test_a_person_who_stops_a_collection_stops_it(services, diet, sitting):
    diet.sittings = [sitting(5)]

    async def stop(_done, _total, doing):
        if "new record" in doing and diet.asked:
            raise JobCancelled

    with pytest.raises(JobCancelled):
        await collect_meetings(services, configured_sources(services), *FEBRUARY, report=stop)


async def test_a_job_goes_on_with_the_one_that_failed_and_has_the_others_written(services, run_job, diet, sitting):
    diet.sittings = [sitting(6, day="2026-02-03")]
    diet.fails(503)
    days = {"since": "2026-02-01", "until": "2026-02-07"}
    with pytest.raises(Retryable):
        await run_job(jobs.COLLECT, **days)
    queued = await services.jobs.jobs(JobFilter(task=jobs.WORK.name))
    assert [job.status for job in queued.items] == ["queued"]
    diet.asked.clear()
    with pytest.raises(Exception, match="/nowhere/records"):
        await run_job(jobs.COLLECT, **days)
    assert len(diet.asked) == 1
    with pytest.raises(Exception, match="/nowhere/records"):
        await run_job(jobs.COLLECT, **days)
    assert len(diet.asked) == 1


async def test_pages_say_which_source_is_down_since_when_and_when_it_is_tried_again(services, site, diet):
    await collect(services)
    services.clock.advance(hours=5)
    await collect(services)
    tasks = (await site.get("/recap/tasks")).text
    tried, first = services.clock.now(), services.clock.now() - timedelta(hours=5)
    for moment in (tried, first, datetime(2026, 3, 2, 18, 40, tzinfo=UTC)):
        assert f"2 March 2026 {moment:%H:%M}" in tasks
    assert "There is no folder /nowhere/records" in tasks
    assert diet.url not in tasks
    assert "/nowhere/records" in (await site.get("/recap")).text
    assert "/nowhere/records" in (await site.get("/")).text


async def test_a_source_that_answers_again_is_no_longer_shown(services, site, diet):
    diet.fails(500)
    await collect(services)
    assert diet.url in (await site.get("/recap/tasks")).text
    await collect(services)
    assert diet.url not in (await site.get("/recap/tasks")).text


def test_names_of_sources_hold_no_password():
    assert source_name("https://me:secret@records.example/api") == "https://records.example/api"
    assert source_name("file:///srv/my%20records") == "/srv/my records"
