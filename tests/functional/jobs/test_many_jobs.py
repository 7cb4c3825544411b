"""Two workers share a queue without doing anything twice."""

MANY = 200


async def test_two_workers_do_two_hundred_jobs_each_once(jobs, declared, start_worker, until) -> None:
    async with jobs.database.unit() as unit:
        ids = [await jobs.defer(declared.NOTE, {"number": number}, unit=unit) for number in range(MANY)]
    start_worker(lease_seconds=60)
    start_worker(lease_seconds=60)
    for job_id in ids:
        await until(job_id, lambda view: view.status == "succeeded")

    (counts,) = await jobs.counts()
    assert (counts.succeeded, counts.queued, counts.running, counts.failed) == (MANY, 0, 0, 0)
    async with jobs.database.unit() as unit:
        assert await unit.value("SELECT count(*) FROM effects") == MANY
        assert await unit.value("SELECT count(DISTINCT number) FROM effects") == MANY
        assert await unit.value("SELECT count(*) FROM job_runs") == MANY
