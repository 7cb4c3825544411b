"""Answers that are remembered, so that the same question is paid once: also by two who ask at the same time.

A claim in the table keeps other processes from call while one does; it runs out if that process dies.
"""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

from almanac.kit.clock import Clock
from almanac.llm import store
from almanac.llm.model_config import ModelEndpoint
from almanac.llm.prompts import Prompt
from almanac.llm.provider import ModelQuestion
from almanac.llm.store import CachedAnswer, ModelUse
from almanac.relational import Database, Unit

_POLL_SECONDS = 0.25
_GRACE_SECONDS = 10


def answer_key(model: ModelEndpoint, prompt: Prompt, question: ModelQuestion) -> str:
    """The same for the same model, step, prompt, words and form; the real ids of sources play no part."""
    told = (
        str(model),
        model.base_url,
        question.step,
        prompt.name,
        prompt.version,
        question.instructions,
        question.sources,
        dict(question.schema),
    )
    return hashlib.sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


async def forget_step_answers(unit: Unit, step: str) -> None:
    """Remember no answer to a step any more, also none that is under way: for words about somebody who is erased."""
    await store.forget_step_answers(unit, step)


@dataclass(frozen=True, slots=True)
class AnswerCache:
    """The remembered answers of an installation."""

    database: Database
    clock: Clock

    async def find(self, key: str) -> CachedAnswer | None:
        async with self.database.unit() as unit:
            return await store.find_answer(unit, key, self.clock.now())

    async def find_or_claim(self, key: str, model: str, step: str, seconds: float) -> CachedAnswer | None:
        """The answer, once somebody who is call already has it; None when it is ours to ask."""
        while True:
            now = self.clock.now()
            until = now + timedelta(seconds=seconds + _GRACE_SECONDS)
            async with self.database.unit() as unit:
                if kept := await store.find_answer(unit, key, now):
                    return kept
                if await store.claim_question(unit, key, model=model, step=step, now=now, until=until):
                    return None
            await asyncio.sleep(_POLL_SECONDS)

    async def save_and_record(self, key: str, output: str | None, use: ModelUse) -> None:
        """Keep what was answered, or give up the claim, and book it, in one transaction."""
        async with self.database.unit() as unit:
            if output is None:
                await store.forget_answer(unit, key)
            else:
                await store.save_answer(unit, key, output, use.at)
            await store.record_use(unit, use)

    async def forget(self, key: str) -> None:
        async with self.database.unit() as unit:
            await store.forget_answer(unit, key)

    async def record_use(self, use: ModelUse) -> None:
        """Note a use that asked nobody."""
        async with self.database.unit() as unit:
            await store.record_use(unit, use)


T = TypeVar("T")


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class SingleFlight(Generic[T]):
    """Calls in progress, by key."""

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[T]] = {}

    async def join(self, key: str, call: Callable[[], Coroutine[Any, Any, T]]) -> tuple[T, bool]:
        """What the call gives, and whether this caller is the one who started it."""
        flight = self._flights.get(key)
        leads = flight is None
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.create_task(call()))
            flight.task.add_done_callback(lambda task: self._leave(key, task))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task), leads
        finally:
            flight.waiting -= 1
            if flight.waiting == 0 and not flight.task.done():
                await self._cancel(key, flight.task)

    async def _cancel(self, key: str, task: asyncio.Task[T]) -> None:
        """Nobody waits any more: end the call, and let nobody new join the one that is ending."""
        self._leave(key, task)
        task.cancel()
        await asyncio.wait([task])

    def _leave(self, key: str, task: asyncio.Task[T]) -> None:
        """Under the same key another call may have begun while this one was ending; that one stays."""
        if (flight := self._flights.get(key)) is not None and flight.task is task:
            del self._flights[key]


async def run_to_completion(work: Awaitable[T]) -> T:
    """Carry this through, also while the caller is being cancelled."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
