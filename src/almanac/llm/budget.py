"""The monthly budget: what models have cost so far, the cap, and until when work is paused."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from almanac.errors import InputError
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.llm import store
from almanac.llm.errors import BudgetUsedUp
from almanac.llm.store import MonthlyUse
from almanac.relational import Database


@dataclass(frozen=True, slots=True)
class MonthSpending:
    """What models have cost in the current month, and the cap."""

    spent: Decimal
    cap: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBudget:
    """Months start in the time zone `zone`. Without a cap nothing is ever refused."""

    database: Database
    clock: Clock
    cap: Decimal | None = None
    zone: str = "UTC"

    async def check(self) -> None:
        """Raise BudgetUsedUp when the cap of this month is reached."""
        if self.cap is None:
            return
        start, end = self._month(self.clock.now())
        async with self.database.unit() as unit:
            spent = await store.sum_cost(unit, start, end)
        if spent >= self.cap:
            raise BudgetUsedUp(spent, self.cap, end)

    async def spent_this_month(self) -> MonthSpending:
        """The sum alone, which takes one statement."""
        start, end = self._month(self.clock.now())
        async with self.database.reading() as reading:
            return MonthSpending(await store.sum_cost(reading, start, end), self.cap)

    async def month(self, named: str | None = None) -> MonthlyUse:
        """One month of the ledger, such as `2026-03`; by default the current one."""
        start, end = self._month(self.clock.now()) if named is None else self._named_month(named)
        async with self.database.unit() as unit:
            spent = await store.sum_cost(unit, start, end)
            days = await store.sum_use_by_day(unit, start, end, self.zone)
            steps = await store.sum_use_by_step(unit, start, end)
        current = start <= self.clock.now() < end
        over = current and self.cap is not None and spent >= self.cap
        return MonthlyUse(
            start=start, end=end, spent=spent, cap=self.cap, paused_until=end if over else None, days=days, steps=steps
        )

    def _month(self, moment: datetime) -> tuple[datetime, datetime]:
        local = moment.astimezone(ZoneInfo(self.zone))
        start = local.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        years, month = divmod(start.month, 12)
        return start, start.replace(year=start.year + years, month=month + 1)

    def _named_month(self, named: str) -> tuple[datetime, datetime]:
        try:
            first = datetime.strptime(named, "%Y-%m").replace(tzinfo=ZoneInfo(self.zone))
            return self._month(first)
        except (ValueError, OverflowError) as error:
            raise InputError(gettext("%(named)s isn't a month; use 2026-03.", named=f"{named[:20]!r}")) from error
