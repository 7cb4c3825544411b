"""Answers that are remembered, so that the same question is paid once: also by two who ask at the same time.

A claim in the table keeps other processes from asking while one does; it runs out if that process dies.
"""

import asyncio
import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta

from almanac.kit.clock import Clock
from almanac.llm import store
from almanac.llm.choices import Model
from almanac.llm.ledger import Use
from almanac.llm.prompts import Prompt
from almanac.llm.provider import Question
from almanac.llm.store import KeptAnswer
from almanac.relational import Database, Unit

_LOOK_SECONDS = 0.25
_GRACE_SECONDS = 10


def key_of(model: Model, prompt: Prompt, question: Question) -> str:
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


async def forget_answers_to(unit: Unit, step: str) -> None:
    """Remember no answer to a step any more, also none that is under way: for words about somebody who is erased."""
    await store.forget_answers_to(unit, step)


@dataclass(frozen=True, slots=True)
class Answers:
    """The remembered answers of an installation."""

    database: Database
    clock: Clock

    async def find(self, key: str) -> KeptAnswer | None:
        async with self.database.unit() as unit:
            return await store.find_answer(unit, key, self.clock.now())

    async def find_or_claim(self, key: str, model: str, step: str, seconds: float) -> KeptAnswer | None:
        """The answer, once somebody who is asking already has it; None when it is ours to ask."""
        while True:
            now = self.clock.now()
            until = now + timedelta(seconds=seconds + _GRACE_SECONDS)
            async with self.database.unit() as unit:
                if kept := await store.find_answer(unit, key, now):
                    return kept
                if await store.claim_question(unit, key, model=model, step=step, now=now, until=until):
                    return None
            await asyncio.sleep(_LOOK_SECONDS)

    async def conclude(self, key: str, output: str | None, use: Use) -> None:
        """Keep what was answered, or give up the claim, and book it, in one transaction."""
        async with self.database.unit() as unit:
            if output is None:
                await store.forget_answer(unit, key)
            else:
                await store.keep_answer(unit, key, output, use.at)
            await store.record_use(unit, use)

    async def forget(self, key: str) -> None:
        async with self.database.unit() as unit:
            await store.forget_answer(unit, key)

    async def book(self, use: Use) -> None:
        """Note a use that asked nobody."""
        async with self.database.unit() as unit:
            await store.record_use(unit, use)
