"""Many who ask the same at the same time share one call, also while an earlier call is still ending."""

import asyncio
from contextlib import suppress

from almanac.kit.single_flight import SingleFlight
from almanac.llm.answer_cache import run_to_completion


async def test_a_call_that_is_ending_does_not_take_the_next_one_with_it():
    flights: SingleFlight[str] = SingleFlight()
    ending, ended, begun, answer = asyncio.Event(), asyncio.Event(), [], asyncio.Event()

    async def slow_to_end() -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ending.set()
            await run_to_completion(ended.wait())
        return "never"

    async def ask() -> str:
        begun.append(len(begun))
        await answer.wait()
        return "answer"

    first = asyncio.create_task(flights.join("question", slow_to_end))
    await asyncio.sleep(0)
    first.cancel()
    await ending.wait()
    second = asyncio.create_task(flights.join("question", ask))
    await asyncio.sleep(0)
    ended.set()
    with suppress(asyncio.CancelledError):
        await first
    third = asyncio.create_task(flights.join("question", ask))
    await asyncio.sleep(0)
    answer.set()
    assert [await second, await third] == [("answer", True), ("answer", False)]
    assert begun == [0]
