"""How many jobs stand where is kept as they change, however they change, and says what counting them would say."""

from collections import Counter

from almanac.errors import InputError
from almanac.jobs import JobRegistry, JobType, RunningJob
from almanac.jobs import store as job_store
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings

COUNTED = "SELECT queue_name AS queue, status::text, count(*) AS jobs FROM procrastinate_jobs GROUP BY 1, 2"
KEPT = "SELECT queue, status::text, sum(jobs)::bigint AS jobs FROM job_tallies GROUP BY 1, 2 HAVING sum(jobs) <> 0"


async def works(_job: RunningJob[object]) -> None:
    return


async def fails(_job: RunningJob[object]) -> None:
    raise InputError("It never works.")


WORKS, FAILS = JobType("test.works", works, queue="one"), JobType("test.fails", fails, queue="two")


async def counted(database, sql: str) -> Counter[tuple[str, str]]:
    async with database.unit() as unit:
        return Counter({(row["queue"], row["status"]): row["jobs"] for row in await unit.all(sql)})


async def test_what_is_kept_is_what_would_be_counted(database, clock):
    jobs = PostgresJobs(database, JobRegistry([WORKS, FAILS]), clock, cursor_key=b"k" * 32)
    ids = [await jobs.defer(task) for task in (WORKS, FAILS) for _ in range(4)]
    await jobs.cancel(ids[0])
    await Worker(jobs, None, WorkerSettings(poll_seconds=0.05)).drain()
    await jobs.retry([ids[0], ids[-1]])
    assert await counted(database, KEPT) == await counted(database, COUNTED)
    counts = {count.queue: count for count in await jobs.counts()}
    assert (counts["one"].succeeded, counts["one"].queued, counts["two"].failed) == (3, 1, 3)

    async with database.unit() as unit:
        await job_store.compact_tallies(unit, 0)
        await unit.execute("DELETE FROM procrastinate_jobs WHERE status = 'succeeded'")
    assert await counted(database, KEPT) == await counted(database, COUNTED)


async def test_many_changes_are_folded_into_a_line_for_each_queue_and_status(database, clock):
    jobs = PostgresJobs(database, JobRegistry([WORKS]), clock, cursor_key=b"k" * 32)
    for _ in range(30):
        await jobs.defer(WORKS)
    await Worker(jobs, None, WorkerSettings(poll_seconds=0.05)).drain()
    async with database.unit() as unit:
        assert await unit.value("SELECT count(*) FROM job_tallies") == 1
    assert [count.succeeded for count in await jobs.counts()] == [30]
