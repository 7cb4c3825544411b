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
    """A test message that a mail server took: where to, the hash of its code, and what became of it."""

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


async def get_nth_last_trial(
    unit: Unit, nth: int, kind: TrialKind, *, since: datetime, only_delivered: bool
) -> datetime | None:
    """When the trial was made that is the nth, counted back from the latest; None if there were fewer."""
    params = {"kind": kind, "since": since, "only_delivered": only_delivered, "later": nth - 1}
    moment: datetime | None = await unit.value(QUERIES["nth_last_trial"], params)
    return moment


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


async def end_mail_trial(unit: Unit, trial_id: str, *, failure: str | None) -> None:
    """Note that a mail server took the message, or why it wasn't sent."""
    params = {"id": trial_id, "is_delivered": failure is None, "failure": failure}
    await unit.execute(QUERIES["end_mail_trial"], params)


async def get_last_failure(reading: ReadTransaction, since: datetime) -> str | None:
    """Why the latest test message wasn't sent; None if it was, or if there is none."""
    failure: str | None = await reading.value(QUERIES["last_failure"], {"since": since})
    return failure


async def update_trial(unit: Unit, trial: MailTrial) -> None:
    await unit.execute(QUERIES["update_trial"], {"id": trial.id, "guesses": trial.guesses, "outcome": trial.outcome})
