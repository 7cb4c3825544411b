"""Caches answers of models, so that the same question is paid for once, also when asked concurrently.

A row in the table claims a question while one process asks it; the claim expires if that process dies.
"""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

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
    """The cache key: model, step, prompt, instructions, sources and schema. The real ids of sources play no part."""
    parts = (
        str(model),
        model.base_url,
        question.step,
        prompt.name,
        prompt.version,
        question.instructions,
        question.sources,
        dict(question.schema),
    )
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


async def forget_step_answers(unit: Unit, step: str) -> None:
    """Delete all cached answers of a step, also claims in progress; used when somebody's data is erased."""
    await store.forget_step_answers(unit, step)


@dataclass(frozen=True, slots=True)
class AnswerCache:
    """The cached answers of an installation, and the ledger of their cost."""

    database: Database
    clock: Clock

    async def find(self, key: str) -> CachedAnswer | None:
        async with self.database.unit() as unit:
            return await store.find_answer(unit, key, self.clock.now())

    async def find_or_claim(self, key: str, model: str, step: str, seconds: float) -> CachedAnswer | None:
        """The cached answer, waiting for another process that asks it; None when this caller must ask."""
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
        """Save the answer, or release the claim if there is none, and record the use, in one transaction."""
        async with self.database.unit() as unit:
            if output is None:
                await store.forget_answer(unit, key)
            else:
                await store.save_answer(unit, key, output, use.at)
            await store.record_use(unit, use)

    async def find_all(self, keys: list[str]) -> dict[str, str]:
        """The cached answers to these questions, by key."""
        async with self.database.unit() as unit:
            return await store.find_answers(unit, keys, self.clock.now())

    async def save_all(self, answers: Mapping[str, str], *, model: str, step: str) -> None:
        """Save answers by key that came with the answer to another question."""
        async with self.database.unit() as unit:
            await store.save_answers(unit, answers, model=model, step=step, now=self.clock.now())

    async def forget(self, key: str) -> None:
        async with self.database.unit() as unit:
            await store.forget_answer(unit, key)

    async def record_use(self, use: ModelUse) -> None:
        """Record a use that asked no model."""
        async with self.database.unit() as unit:
            await store.record_use(unit, use)


T = TypeVar("T")


async def run_to_completion(work: Awaitable[T]) -> T:
    """Await this even while the caller is being cancelled."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
