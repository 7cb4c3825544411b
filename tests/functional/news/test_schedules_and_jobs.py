"""Schedules are real, work happens in jobs, and never inside a request."""

import pytest

from almanac.accounts.model import CONSOLE
from almanac.bootstrap import make_worker
from almanac.desks.news.model.tasks import LinkSourceKind, TaskEdit, schedule_problem
from almanac.desks.news.service import links as link_service
from almanac.desks.news.service import tasks


async def test_a_scheduled_task_runs_when_it_is_due_and_its_links_are_read(desk, services, web, clock):
    await desk.task("Energy", web.feed_url(0), schedule="30 9 * * *", time_zone="UTC")
    await services.jobs.run_schedule("news.keep-up")
    await make_worker(services).drain()
    assert web.hits.total() == 0

    clock.advance(minutes=31)
    await services.jobs.run_schedule("news.keep-up")
    await make_worker(services).drain()
    card = await tasks.get_task_card(services, "Energy")
    assert (card.task.total_runs, card.task.total_links_found, card.runs[0].trigger) == (1, 15, "schedule")
    assert card.task.next_run.isoformat() == "2026-03-03T09:30:00+00:00"
    assert (card.scorecard.found, card.scorecard.completed, card.scorecard.failed) == (15, 15, 0)
    assert [day.completed for day in card.days] == [15]


async def test_a_run_by_hand_is_a_job_and_the_request_fetches_nothing(desk, services, web):
    await desk.task("Energy", web.feed_url(1))
    job = await tasks.run_task_now(services, CONSOLE, "Energy")
    assert await tasks.run_task_now(services, CONSOLE, "Energy") == job
    assert web.hits.total() == 0
    assert (await services.jobs.job(job)).job.task == "news.run-task"


async def test_a_task_whose_schedule_cannot_be_read_rests_and_one_without_a_plan_is_planned(desk, services):
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO query_tasks (task_name, prompt_template, schedule) "
            "VALUES ('a', 'x', 'daily'), ('b', 'x', 'soon')"
        )
    await services.jobs.run_schedule("news.keep-up")
    await make_worker(services).drain()
    planned, resting = await tasks.list_tasks(services)
    assert (planned.next_run is not None, resting.is_active) == (True, False)


@pytest.mark.parametrize(("schedule", "zone"), [("soon", None), ("daily", "Nowhere")])
async def test_a_schedule_that_another_program_spoils_stops_no_other_task(desk, services, web, clock, schedule, zone):
    await desk.task("Spoilt", web.feed_url(0), schedule="30 9 * * *", time_zone="UTC")
    await desk.task("Sound", web.feed_url(1), schedule="30 9 * * *", time_zone="UTC")
    async with services.database.unit() as unit:
        await unit.execute(
            "UPDATE query_tasks SET schedule = %(schedule)s, time_zone = %(zone)s WHERE task_name = 'Spoilt'",
            {"schedule": schedule, "zone": zone},
        )
    clock.advance(minutes=31)
    await services.jobs.run_schedule("news.keep-up")
    await make_worker(services).drain()
    sound, spoilt = await tasks.list_tasks(services)
    assert (sound.total_runs, sound.next_run.isoformat()) == (1, "2026-03-03T09:30:00+00:00")
    assert (spoilt.is_active, spoilt.next_run) == (False, None)
    assert schedule_problem(spoilt, default_zone="UTC")


async def test_sources_that_fail_are_told_and_do_not_keep_the_others_from_being_asked(desk, services, web):
    await desk.task("Energy", web.url("/status/500/1"), web.feed_url(0), web.url("/a/1"))
    run = await desk.run("Energy")
    assert (run.status, run.added, len(run.problems)) == ("partly done", 15, 2)
    task = await tasks.get_task(services, "Energy")
    assert [source.failures for source in task.sources] == [1, 0, 1]
    assert task.sources[1].title == "Feed 0"


async def test_sites_and_search_endpoints_are_sources(desk, services, web):
    await desk.task("Site", web.url("/list"), kind=LinkSourceKind.SITE)
    await desk.task("Search", web.url("/search"), kind=LinkSourceKind.SEARCH, words="Kedah")
    await desk.task("Nothing set", kind=LinkSourceKind.SEARCH)
    assert (await desk.run("Site")).added == 5
    assert (await desk.run("Search")).found > 0
    missing = await desk.run("Nothing set")
    assert missing.status == "failed"
    assert "ALMANAC_NEWS_SEARCH_URL" in missing.problems[0]


async def test_a_preview_keeps_nothing(desk, services, web):
    task = await desk.task("Energy", web.feed_url(0))
    job = await tasks.preview_task(services, CONSOLE, task)
    await make_worker(services).drain()
    look = await tasks.get_preview(services, job)
    assert (look.detail.job.status, len(look.found.links)) == ("succeeded", 15)
    assert (await link_service.count_links_by_status(services)).total_links == 0


async def test_a_renamed_task_keeps_its_links_and_a_deleted_one_leaves_them(desk, services, web):
    await desk.task("Old", web.feed_url(0))
    await desk.run("Old")
    await tasks.edit_task(services, CONSOLE, "Old", TaskEdit(task_name="New"))
    links = await link_service.list_links(services, link_service.LinkFilter(task="New"))
    assert len(links.items) == 15
    await tasks.delete_task(services, CONSOLE, "New")
    assert (await link_service.count_links_by_status(services)).total_links == 15
