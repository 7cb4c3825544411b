"""Reads and writes cached answers and the ledger in PostgreSQL. The ledger has no text of questions or answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal

from almanac.relational import ReadTransaction, Unit, load_queries

WRITTEN, REPAIRED, EMPTY, CANCELLED = "written", "repaired", "empty", "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """One use of a step. `priced` is false where the price of its tokens isn't known."""

    at: datetime
    desk: str
    step: str
    subject: str
    model: str
    prompt_version: str
    outcome: str
    cached: bool = False
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    priced: bool = True
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyUse:
    """One day's uses and their cost."""

    day: date
    uses: int
    cost: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class StepUse:
    """Uses of one step by one desk and model; `median_seconds` leaves out cached answers."""

    desk: str
    step: str
    model: str
    uses: int
    cached: int
    failed: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: Decimal
    unpriced: int
    median_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthlyUse:
    """A month of the ledger with its cap; `paused_until` is set while the cap is used up."""

    start: datetime
    end: datetime
    spent: Decimal
    cap: Decimal | None
    paused_until: datetime | None
    days: list[DailyUse] = field(default_factory=list)
    steps: list[StepUse] = field(default_factory=list)

    @property
    def unpriced(self) -> int:
        """Uses of unknown cost, which don't count against the cap."""
        return sum(step.unpriced for step in self.steps)


QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """A cached answer as the model wrote it."""

    output: str
    made_at: datetime


async def find_answer(unit: Unit, key: str, now: datetime) -> CachedAnswer | None:
    return await unit.one(QUERIES["find_answer"], {"key": key, "now": now}, into=CachedAnswer)


async def find_answers(unit: Unit, keys: list[str], now: datetime) -> dict[str, str]:
    rows = await unit.all(QUERIES["find_answers"], {"keys": keys, "now": now, "stale": now - timedelta(days=1)})
    return {row["key"]: row["output"] for row in rows}


async def save_answers(unit: Unit, answers: Mapping[str, str], *, model: str, step: str, now: datetime) -> None:
    params = {"keys": list(answers), "outputs": list(answers.values()), "model": model, "step": step, "now": now}
    await unit.execute(QUERIES["save_answers"], params)


async def claim_question(unit: Unit, key: str, *, model: str, step: str, now: datetime, until: datetime) -> bool:
    """Claim a question for asking; False if another process has it."""
    params = {"key": key, "model": model, "step": step, "now": now, "until": until}
    return await unit.execute(QUERIES["claim_question"], params) == 1


async def save_answer(unit: Unit, key: str, output: str, now: datetime) -> None:
    await unit.execute(QUERIES["save_answer"], {"key": key, "output": output, "now": now})


async def forget_answer(unit: Unit, key: str) -> None:
    await unit.execute(QUERIES["forget_answer"], {"key": key})


async def forget_step_answers(unit: Unit, step: str) -> int:
    return await unit.execute(QUERIES["forget_step_answers"], {"step": step})


async def forget_old_answers(unit: Unit, before: datetime) -> int:
    return await unit.execute(QUERIES["forget_old_answers"], {"before": before})


async def record_use(unit: Unit, use: ModelUse) -> None:
    await unit.execute(QUERIES["record_use"], {name: getattr(use, name) for name in ModelUse.__slots__})


async def sum_cost(unit: ReadTransaction, start: datetime, end: datetime) -> Decimal:
    return Decimal(await unit.value(QUERIES["sum_cost"], {"start": start, "end": end}))


async def sum_use_by_day(unit: Unit, start: datetime, end: datetime, zone: str) -> list[DailyUse]:
    return await unit.all(QUERIES["sum_use_by_day"], {"start": start, "end": end, "zone": zone}, into=DailyUse)


async def sum_use_by_step(unit: Unit, start: datetime, end: datetime) -> list[StepUse]:
    return await unit.all(QUERIES["sum_use_by_step"], {"start": start, "end": end}, into=StepUse)
