"""Every read and write of answers and of the ledger in PostgreSQL, by name; decides nothing by itself."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from almanac.llm.ledger import DayOfUse, StepOfUse, Use
from almanac.relational import Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer from before, as the model wrote it."""

    output: str
    made_at: datetime


async def find_answer(unit: Unit, key: str, now: datetime) -> KeptAnswer | None:
    return await unit.one(QUERIES["find_answer"], {"key": key, "now": now}, into=KeptAnswer)


async def claim_question(unit: Unit, key: str, *, model: str, step: str, now: datetime, until: datetime) -> bool:
    """True for the one who may ask now."""
    params = {"key": key, "model": model, "step": step, "now": now, "until": until}
    return await unit.execute(QUERIES["claim_question"], params) == 1


async def keep_answer(unit: Unit, key: str, output: str, now: datetime) -> None:
    await unit.execute(QUERIES["keep_answer"], {"key": key, "output": output, "now": now})


async def forget_answer(unit: Unit, key: str) -> None:
    await unit.execute(QUERIES["forget_answer"], {"key": key})


async def forget_answers_to(unit: Unit, step: str) -> int:
    return await unit.execute(QUERIES["forget_answers_to"], {"step": step})


async def forget_old_answers(unit: Unit, before: datetime) -> int:
    return await unit.execute(QUERIES["forget_old_answers"], {"before": before})


async def record_use(unit: Unit, use: Use) -> None:
    await unit.execute(QUERIES["record_use"], {name: getattr(use, name) for name in Use.__slots__})


async def sum_cost(unit: Unit, start: datetime, end: datetime) -> Decimal:
    return Decimal(await unit.value(QUERIES["sum_cost"], {"start": start, "end": end}))


async def use_by_day(unit: Unit, start: datetime, end: datetime, zone: str) -> list[DayOfUse]:
    return await unit.all(QUERIES["use_by_day"], {"start": start, "end": end, "zone": zone}, into=DayOfUse)


async def use_by_step(unit: Unit, start: datetime, end: datetime) -> list[StepOfUse]:
    return await unit.all(QUERIES["use_by_step"], {"start": start, "end": end}, into=StepOfUse)
