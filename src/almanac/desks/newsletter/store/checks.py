"""Checks of a draft in the table: cached verdicts, and the confirmations of earlier releases, which are only read."""

from collections.abc import Mapping
from typing import Any

import msgspec

from almanac.desks.newsletter.model.checks import CachedVerdict, DraftChecks, SentenceConfirmation
from almanac.desks.newsletter.store import table
from almanac.desks.newsletter.store.steps import raise_write_error
from almanac.errors import NotFound
from almanac.kit.json_text import to_builtins
from tablature import check, create, patch
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, DoesNotExist, TransactionFailed
from tablature.schema.timestamps import from_iso


async def save_verdicts(tables: AsyncDatabase, code: str, verdicts: Mapping[str, CachedVerdict]) -> None:
    """Store verdicts. They are a cache: nothing is stored if the newsletter is gone."""
    stored = {key: _stored_verdict(verdict) for key, verdict in verdicts.items()}
    try:
        await _ensure(tables, code)
        await tables.patch(table.ChecksRecord.key(newsletter_code=code), verdicts=stored)
    except (NotFound, DoesNotExist):
        return


async def delete_confirmation(tables: AsyncDatabase, code: str, key: str) -> None:
    """Remove a confirmation, if it is there; a completed newsletter becomes a draft again."""
    await _ensure(tables, code)
    try:
        await tables.transact(
            patch(table.ChecksRecord.key(newsletter_code=code), table.ChecksRecord.confirmations.at(key).remove()),
            patch(table.NewsletterRecord.key(newsletter_code=code), status="draft"),
        )
    except TransactionFailed as failure:
        raise_write_error(next(error for error in failure.errors if error), code)


async def _ensure(tables: AsyncDatabase, code: str) -> table.ChecksRecord:
    """The record, created if it is missing and the newsletter exists. Raises NotFound."""
    ref = table.ChecksRecord.key(newsletter_code=code)
    record = await tables.get(ref, consistent=True)
    if record is not None:
        return record
    try:
        newsletter = check(table.NewsletterRecord.key(newsletter_code=code))
        await tables.transact(newsletter, create(table.ChecksRecord(newsletter_code=code)))
    except TransactionFailed as failure:
        missing, exists = failure.errors
        if missing is not None or not isinstance(exists, AlreadyExists):
            raise_write_error(missing or failure, code)
    return await tables.require(ref, consistent=True)


def checks_from(record: table.ChecksRecord) -> DraftChecks:
    """The stored checks; a verdict that can't be read is left out and computed again."""
    return DraftChecks(
        verdicts=_verdicts_from(record.verdicts or {}),
        confirmations={key: _confirmation_from(stored) for key, stored in record.confirmations.items()},
    )


def _verdicts_from(stored: Mapping[str, object]) -> dict[str, CachedVerdict]:
    try:
        return msgspec.convert(stored, dict[str, CachedVerdict])
    except msgspec.ValidationError:
        return {}


def _stored_verdict(verdict: CachedVerdict) -> dict[str, Any]:
    members: dict[str, Any] = to_builtins(verdict)
    return {name: member for name, member in members.items() if member}


def _confirmation_from(stored: table.StoredConfirmation) -> SentenceConfirmation:
    return SentenceConfirmation(by=stored["by"], user_id=stored["user_id"], at=from_iso(stored["at"]))
