"""A worker may die or freeze at any moment: its jobs finish elsewhere, and their effects happen once."""

import signal

EFFECTS = "SELECT count(*) FROM effects"


async def effects(jobs) -> int:
    async with jobs.database.unit() as unit:
        return await unit.value(EFFECTS)


async def test_a_killed_worker_loses_its_job_which_finishes_elsewhere_once(jobs, declared, start_worker, until) -> None:
    job_id = await jobs.defer(declared.HANG, {"number": 1})
    first = start_worker()
    await until(job_id, lambda view: view.doing == "hanging")
    first.send_signal(signal.SIGKILL)
    first.wait()

    start_worker()
    await until(job_id, lambda view: view.status == "succeeded")

    detail = await jobs.job(job_id)
    assert [(run.attempt, run.outcome) for run in detail.runs] == [(2, "succeeded"), (1, "lost")]
    assert detail.runs[1].reason == "The worker stopped before the job ended; another worker continues."
    assert len({run.worker for run in detail.runs}) == 2
    assert await effects(jobs) == 1


async def test_a_frozen_worker_cannot_write_after_its_job_was_taken_over(jobs, declared, start_worker, until) -> None:
    async with jobs.database.dedicated() as gate:
        await gate.execute("SELECT pg_advisory_lock(1)")
        job_id = await jobs.defer(declared.FREEZE, {"number": 1})
        frozen = start_worker()
        await until(job_id, lambda view: view.doing == "hanging")
        frozen.send_signal(signal.SIGSTOP)
        start_worker()
        await until(job_id, lambda view: view.status == "succeeded")
        await gate.execute("SELECT pg_advisory_unlock(1)")

    frozen.send_signal(signal.SIGCONT)
    frozen.send_signal(signal.SIGTERM)
    assert frozen.wait(timeout=60) == 0

    detail = await jobs.job(job_id)
    assert [run.outcome for run in detail.runs] == ["succeeded", "lost"]
    assert detail.job.status == "succeeded"
    assert await effects(jobs) == 1


async def test_a_stopped_worker_ends_cleanly_and_its_jobs_go_on(jobs, declared, start_worker, until) -> None:
    job_id = await jobs.defer(declared.NOTE, {"number": 1})
    worker = start_worker()
    await until(job_id, lambda view: view.status == "succeeded")
    worker.send_signal(signal.SIGTERM)

    assert worker.wait(timeout=60) == 0


async def test_workers_killed_again_and_again_lose_nothing_and_repeat_nothing(
    jobs, declared, start_worker, until
) -> None:
    async with jobs.database.unit() as unit:
        ids = [await jobs.defer(declared.NOTE, {"number": number}, unit=unit) for number in range(60)]
    for reached in (ids[5], ids[20], ids[40]):
        worker = start_worker()
        await until(reached, lambda view: view.status != "queued")
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    start_worker()
    for job_id in ids:
        await until(job_id, lambda view: view.status == "succeeded")
    async with jobs.database.unit() as unit:
        assert await unit.value("SELECT count(DISTINCT number) FROM effects") == len(ids)
    assert await effects(jobs) == len(ids)
