"""Reads and writes that the three generated steps share: start, end, edit by version, create when missing."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NoReturn

from almanac.desks.newsletter.model.newsletter import (
    STEP_STATUSES,
    StepName,
    StepState,
    StepStatus,
)
from almanac.desks.newsletter.model.staleness import Basis
from almanac.desks.newsletter.store import table
from almanac.errors import NotFound, StaleEdit
from almanac.kit.messages import gettext
from tablature import Condition, check, create
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed, DoesNotExist, TransactionFailed

_CHANGED = gettext("Someone else changed this; reload and make your change again.")
Step = table.TopicsRecord | table.OutlineRecord | table.DraftRecord
_STEPS: Mapping[StepName, type[Step]] = {
    "retrieval": table.TopicsRecord,
    "outline": table.OutlineRecord,
    "draft": table.DraftRecord,
}
_NUMBERS: Mapping[StepName, int] = {"retrieval": 2, "outline": 3, "draft": 4}


async def mark_step_started(
    tables: AsyncDatabase, code: str, step: StepName, *, run: int, job: int | None, now: datetime
) -> bool:
    """Mark a run as started; False if that run already has a result and must not be repeated."""
    kind = _STEPS[step]
    fields = {f"{step}_status": "processing", f"{step}_started_at": now, f"{step}_error": None, "job": job}
    try:
        await write_step(tables, code, kind, ~kind.run.exists() | (kind.run < run), fields)
    except StaleEdit:
        return False
    await _reach_step(tables, code, _NUMBERS[step])
    return True


async def mark_step_ended(
    tables: AsyncDatabase, code: str, step: StepName, *, run: int, status: StepStatus, error: str | None = None
) -> None:
    """Mark a run as ended without a result; the previous result is kept, and the run may be repeated."""
    kind = _STEPS[step]
    fields = {f"{step}_status": status, f"{step}_error": error}
    try:
        await write_step(tables, code, kind, ~kind.run.exists() | (kind.run < run), fields)
    except (StaleEdit, NotFound):
        # The run already has a result, or the newsletter is gone.
        return


async def save_basis(tables: AsyncDatabase, code: str, step: StepName, basis: Basis) -> None:
    """Save the fingerprints that a person confirmed; the step's result is not touched."""
    kind = _STEPS[step]
    await write_step(tables, code, kind, kind.rests_on.exists(), {"rests_on": dict(basis)})


async def ensure_step(tables: AsyncDatabase, code: str, step: StepName) -> None:
    """Create the step's record if it is missing, so that it can be changed."""
    kind = _STEPS[step]
    ref: Any = kind.key(newsletter_code=code)
    if await tables.get(ref) is None:
        await _create_step(tables, code, kind, {})


def is_version(kind: type[table.NewsletterRecord] | type[Step], expected: int) -> Condition:
    """The condition that a record has this version; 0 means that it has none yet."""
    return kind.version == (expected or None)


def ended_fields(step: StepName, run: int, now: datetime) -> dict[str, object]:
    return {f"{step}_status": "completed", f"{step}_completed_at": now, f"{step}_error": None, "run": run}


async def _reach_step(tables: AsyncDatabase, code: str, number: int) -> None:
    behind = ~table.NewsletterRecord.current_step.exists() | (table.NewsletterRecord.current_step < number)
    try:
        await tables.patch(table.NewsletterRecord.key(newsletter_code=code), when=behind, current_step=number)
    except ConditionFailed:
        return


async def write_step(
    tables: AsyncDatabase, code: str, kind: type[Step], when: Condition, fields: Mapping[str, object]
) -> None:
    """Change a step's record, or create it if the newsletter exists."""
    ref: Any = kind.key(newsletter_code=code)
    try:
        await tables.patch(ref, when=when, **loose_fields(fields))
    except DoesNotExist:
        if not await _create_step(tables, code, kind, fields):
            await write_step(tables, code, kind, when, fields)
    except ConditionFailed as failure:
        raise_write_error(failure, code)


async def _create_step(tables: AsyncDatabase, code: str, kind: type[Step], fields: Mapping[str, object]) -> bool:
    """Create a step's record; False if it was created meanwhile."""
    item: Any = kind(newsletter_code=code, **loose_fields(fields))
    try:
        await tables.transact(check(table.NewsletterRecord.key(newsletter_code=code)), create(item))
    except TransactionFailed as failure:
        missing, exists = failure.errors
        if missing is None and isinstance(exists, AlreadyExists):
            return False
        raise_write_error(missing or failure, code)
    return True


def loose_fields(fields: Mapping[str, object]) -> dict[str, Any]:
    """Fields as keyword arguments; tablature checks each against its declaration."""
    return dict(fields)


def raise_write_error(failure: Exception, code: str) -> NoReturn:
    """Raise NotFound or StaleEdit for a failed condition; other failures are raised as they are."""
    if isinstance(failure, DoesNotExist):
        raise NotFound(gettext("There is no newsletter %(code)s; it may have been deleted.", code=code)) from failure
    if isinstance(failure, ConditionFailed):
        current = getattr(failure.current, "version", None)
        raise StaleEdit(_CHANGED, str(current or 0)) from failure
    raise failure


def step_state_from(record: Step, step: StepName) -> StepState:
    """The state of a step; its fields are prefixed with the step's name.

    A status of another program that isn't in the contract counts as pending, or as completed if it has an end.
    """
    fields = {name: getattr(record, f"{step}_{name}") for name in ("status", "started_at", "completed_at", "error")}
    if fields["status"] not in STEP_STATUSES:
        fields["status"] = "completed" if fields["completed_at"] else "pending"
    return StepState(**fields, run=record.run or 0, job=record.job)
