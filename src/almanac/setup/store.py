"""Every read and write of set-up in PostgreSQL, by name; decides nothing by itself."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from almanac.relational import ReadTransaction, Unit, load_queries
from almanac.setup.model import StepState

QUERIES = load_queries(__package__)
TrialKind = Literal["mail", "model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MailTrial:
    """A test message that was sent: where to, the hash of its code, and what became of it."""

    id: str
    address: str
    code_hash: str
    guesses: int
    outcome: Literal["seen", "missing"] | None
    tried_at: datetime


async def list_steps(reading: ReadTransaction) -> dict[str, StepState]:
    return {row["step"]: row["state"] for row in await reading.all(QUERIES["list_steps"])}


async def save_step(unit: Unit, step: str, state: StepState, *, by: str, now: datetime) -> None:
    await unit.execute(QUERIES["save_step"], {"step": step, "state": state, "by": by, "now": now})


async def reopen_step(unit: Unit, step: str) -> None:
    await unit.execute(QUERIES["reopen_step"], {"step": step})


async def count_trials(unit: Unit, kind: TrialKind, since: datetime) -> int:
    return int(await unit.value(QUERIES["count_trials"], {"kind": kind, "since": since}))


async def insert_trial(
    unit: Unit,
    trial_id: str,
    kind: TrialKind,
    *,
    by: str,
    now: datetime,
    address: str | None = None,
    code_hash: str | None = None,
) -> None:
    params = {"id": trial_id, "kind": kind, "by": by, "now": now, "address": address, "code_hash": code_hash}
    await unit.execute(QUERIES["insert_trial"], params)


async def lock_last_mail_trial(unit: Unit) -> MailTrial | None:
    return await unit.one(QUERIES["last_mail_trial"], into=MailTrial)


async def update_trial(unit: Unit, trial: MailTrial) -> None:
    await unit.execute(QUERIES["update_trial"], {"id": trial.id, "guesses": trial.guesses, "outcome": trial.outcome})
