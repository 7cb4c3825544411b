"""Load at the habits desk: days completed, taken back and annotated; points must follow from the log alone."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from calling import Caller
from report import Report
from stage import Stage

KEEPERS, HABITS, DAYS, PAUSE = 2, 2, 400, 1.0
FIRST = datetime.now(UTC).date() - timedelta(days=DAYS)
DONE, NOTES = "completed days", "notes on days"


class Habits:
    """Two people with two habits each; every day of a habit is written by one writer only."""

    writers = KEEPERS * HABITS

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.keepers: list[Caller] = []
        self.habits: list[tuple[Caller, str]] = []
        self.next_day = [0] * self.writers

    async def set_up(self) -> None:
        for number in range(KEEPERS):
            keeper = await self.stage.person(f"keeper-{number}", "member")
            self.keepers.append(keeper)
            for name in range(HABITS):
                made = await keeper.post("/habits", {"name": f"Habit {name}", "start": FIRST.isoformat()})
                self.habits.append((keeper, made["id"]))

    async def write(self, writer: int) -> None:
        """A day is done; every fourth is taken back, and some of those are done again after all."""
        keeper, habit = self.habits[writer]
        number, chance = self.next_day[writer], self.stage.chance
        self.next_day[writer] += 1
        day = (FIRST + timedelta(days=number % DAYS)).isoformat()
        name = f"{habit} {day}"
        await self._enter(keeper, habit, day, name)
        if chance.random() < 1 / 4:
            with self.stage.journal.doubting(DONE, name):
                await keeper.send("DELETE", f"/habits/{habit}/completions/{day}")
            self.stage.journal.keep(DONE, name, False)
            if chance.random() < 1 / 2:
                await self._enter(keeper, habit, day, name)
        note = f"note {number}"
        with self.stage.journal.doubting(NOTES, name):
            await keeper.send("PUT", f"/habits/{habit}/notes/{day}", json={"note": note})
        self.stage.journal.keep(NOTES, name, note)
        await asyncio.sleep(PAUSE)

    async def _enter(self, keeper: Caller, habit: str, day: str, name: str) -> None:
        with self.stage.journal.doubting(DONE, name):
            await keeper.post(f"/habits/{habit}/complete", {"date": day})
        self.stage.journal.keep(DONE, name, True)

    async def is_at_rest(self) -> bool:
        return not await self._disagreements()

    async def check(self, report: Report) -> None:
        done, notes = await self._stored()
        journal = self.stage.journal
        lost = [name for name, value in journal.certain(DONE).items() if done.get(name, False) is not value]
        lost += [name for name, value in journal.certain(NOTES).items() if notes.get(name) != value]
        figure = f"{len(journal.certain(DONE)) + len(journal.certain(NOTES))}, {len(lost)} lost"
        report.claim("habits: days and notes are as acknowledged", figure, holds=not lost, detail="\n".join(lost))
        wrong = await self._disagreements()
        report.claim(
            "habits: points on dashboard and board are what the log comes to",
            f"{len(self.keepers)} people",
            holds=not wrong,
            detail="\n".join(wrong),
        )

    async def _stored(self) -> tuple[dict[str, bool], dict[str, str]]:
        done: dict[str, bool] = {}
        notes: dict[str, str] = {}
        for keeper, habit in self.habits:
            answer = await keeper.get(f"/habits/{habit}/explain", first=FIRST.isoformat())
            done |= {f"{habit} {day['day']}": day["amount"] is not None for day in answer["days"]}
            notes |= {f"{habit} {day}": note for day, note in (await keeper.get(f"/habits/{habit}/notes")).items()}
        return done, notes

    async def _disagreements(self) -> list[str]:
        """What the table shows against what the log in PostgreSQL comes to."""
        wrong: list[str] = []
        for number, keeper in enumerate(self.keepers):
            shown: Any = await keeper.get("/habits/dashboard")
            ledger = sum(line["points"] for line in await keeper.every("/habits/ledger"))
            worked_out = sum(habit["points"] for habit in (await keeper.get("/habits"))["items"])
            board = [item["points"] for item in (await keeper.get("/habits/leaderboard"))["items"] if item["is_me"]]
            if not shown["total_points"] == ledger == worked_out == (board or [0])[0]:
                figures = f"dashboard {shown['total_points']}, ledger {ledger}, log {worked_out}, board {board}"
                wrong.append(f"keeper {number}: {figures}")
        return wrong
