"""The desk's jobs: an interrupted collection goes on where it was, and every day the last three weeks are looked at."""

import pytest

from almanac.desks.recap import jobs
from almanac.desks.recap.store.table import Task
from almanac.errors import Retryable
from almanac.jobs import JobFilter


async def test_an_interrupted_collection_repeats_no_finished_week(run_job, diet, sitting, ledger):
    diet.sittings = [sitting(1, day="2026-02-02"), sitting(2, day="2026-02-10"), sitting(3, day="2026-02-17")]
    span = {"since": "2026-02-01", "until": "2026-02-21"}
    diet.fails(500)
    with pytest.raises(Retryable):
        await run_job(jobs.COLLECT, **span)
    assert ledger.done == set()
    await run_job(jobs.COLLECT, since="2026-02-01", until="2026-02-07")
    diet.asked.clear()
    await run_job(jobs.COLLECT, **span)
    assert [query["from"] for query in diet.asked] == ["2026-02-08", "2026-02-15"]
    assert ledger.told[-1].startswith("2 new records")
    diet.asked.clear()
    await run_job(jobs.COLLECT, **span)
    assert diet.asked == []


async def test_the_daily_job_looks_back_three_weeks_and_has_what_it_found_written(run_job, diet, services):
    await run_job(jobs.COLLECT_DAILY.job_type)
    assert (diet.asked[0]["from"], diet.asked[-1]["until"]) == ("2026-02-09", "2026-03-02")
    queued = await services.jobs.jobs(JobFilter(task=jobs.WORK.name))
    assert [job.status for job in queued.items] == ["queued"]


async def test_a_worker_writes_what_waits(run_job, diet, sitting, services):
    diet.sittings = [sitting(9, day="2026-02-20")]
    await run_job(jobs.COLLECT, since="2026-02-20", until="2026-02-20")
    await run_job(jobs.WORK)
    assert await services.tables.count(Task.with_status(status="completed")) >= 1
