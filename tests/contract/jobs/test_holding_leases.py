"""An attempt can be named on a lease elsewhere, and the queue knows whether that attempt is still at work."""

from typing import Any

from almanac.errors import InputError
from almanac.jobs import RunningJob


async def test_an_attempt_is_there_while_it_runs_and_gone_when_it_has_ended(bench) -> None:
    held: list[str] = []
    gone: list[bool] = []

    async def work(job: RunningJob[Any]) -> None:
        held.append(job.holder)
        gone.extend([await bench.jobs.is_gone(holder) for holder in held])
        raise InputError("It never works.")

    job_id = await bench.jobs.defer(bench.task(work))
    await bench.drain()
    assert await bench.jobs.is_gone(held[0])
    await bench.jobs.retry([job_id])
    await bench.drain()

    assert len(held) == 2
    assert gone == [False, True, False]
    assert await bench.jobs.is_gone(held[1])


async def test_nothing_is_known_about_others_and_what_never_was_is_gone(bench) -> None:
    assert not await bench.jobs.is_gone("the command line")
    assert not await bench.jobs.is_gone("job 1")
    assert await bench.jobs.is_gone("job 4711/1")
