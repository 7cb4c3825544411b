"""Newsletters in their table: create, read, list, configure, complete and delete."""

import secrets
import string
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, NoReturn

from almanac.desks.newsletter.model.checks import DraftChecks
from almanac.desks.newsletter.model.configuration import SOURCE_KINDS, Configuration
from almanac.desks.newsletter.model.newsletter import (
    DraftStep,
    FullNewsletter,
    Newsletter,
    OutlineStep,
    TopicsStep,
    find_series,
)
from almanac.desks.newsletter.model.schedule import IssueSchedule
from almanac.desks.newsletter.store import table
from almanac.desks.newsletter.store.checks import checks_from
from almanac.desks.newsletter.store.conversion import model_fields, stored_fields
from almanac.desks.newsletter.store.drafts import draft_from
from almanac.desks.newsletter.store.outlines import outline_from
from almanac.desks.newsletter.store.steps import is_version, raise_write_error
from almanac.desks.newsletter.store.topics import topics_from
from almanac.errors import NotFound, Unavailable
from almanac.kit.ids import Seed, new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from tablature import Write, check, create, patch
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed, StoredItemError, TransactionFailed

CODE_ATTEMPTS = 20
REMEMBERED_ISSUES = 50
_ALPHABET = string.ascii_uppercase + string.digits


def _no_writes(_code: str) -> Sequence[Write[Any]]:
    return ()


def generate_newsletter_code(now: datetime) -> str:
    """A random code such as `NL-20260126-A1B2`; it may be taken."""
    return f"NL-{now:%Y%m%d}-{''.join(secrets.choice(_ALPHABET) for _ in range(4))}"


def generate_seeded_code(seed: Seed, turn: int) -> str:
    """The code of an attempt to create; the same when the same request is repeated."""
    return f"NL-{seed.at:%Y%m%d}-{seed.letters(f'newsletter code {turn}', _ALPHABET, 4)}"


async def create_newsletter(
    tables: AsyncDatabase,
    configuration: Configuration,
    *,
    owner_id: str,
    owner_email: str = "",
    owner_name: str = "",
    now: datetime,
    made_from: str | None = None,
    seed: Seed | None = None,
    make_code: Callable[[datetime], str] = generate_newsletter_code,
    extra_writes: Callable[[str], Sequence[Write[Any]]] = _no_writes,
) -> Newsletter:
    """Create a newsletter under an unused code, in one transaction with the writes of `extra_writes`.

    With a seed it is created once: a repeated request returns the first one.
    """
    for turn in range(CODE_ATTEMPTS):
        item = table.NewsletterRecord(
            newsletter_code=generate_seeded_code(seed, turn) if seed else make_code(now),
            id=seed.id("newsletter") if seed else new_id(),
            user_id=owner_id,
            user_email=owner_email or None,
            user_name=owner_name or None,
            version=1,
            made_from=made_from,
            **_configuration_fields(configuration),
        )
        if (newsletter := await _create_once(tables, item, extra_writes(item.newsletter_code))) is not None:
            return newsletter
    raise Unavailable(gettext("No free code was found for the newsletter; try again."))


async def _create_once(
    tables: AsyncDatabase, item: table.NewsletterRecord, extra_writes: Sequence[Write[Any]]
) -> Newsletter | None:
    """The newsletter created now or by the same request before; None if another one has its code."""
    try:
        outcome = await tables.transact(create(item), *extra_writes)
        return newsletter_from(outcome.results[0])
    except AlreadyExists:
        pass
    except TransactionFailed as failure:
        if not isinstance(failure.errors[0], AlreadyExists):
            raise_write_error(next(error for error in failure.errors if error), item.newsletter_code)
    existing = await tables.get(table.NewsletterRecord.key(newsletter_code=item.newsletter_code), consistent=True)
    return newsletter_from(existing) if existing is not None and existing.id == item.id else None


async def get_newsletter(tables: AsyncDatabase, code: str) -> Newsletter:
    """The newsletter without its steps. Raises NotFound."""
    record = await tables.get(table.NewsletterRecord.key(newsletter_code=code)) if _is_code(code) else None
    if record is None:
        _raise_not_found(code)
    return newsletter_from(record)


async def find_newsletters(tables: AsyncDatabase, codes: Collection[str]) -> list[Newsletter]:
    """The existing newsletters among these codes, without their steps."""
    refs = [table.NewsletterRecord.key(newsletter_code=code) for code in sorted(codes) if _is_code(code)]
    return [newsletter_from(record) for record in await tables.get_many(refs) if record is not None]


async def get_full_newsletter(tables: AsyncDatabase, code: str, *, consistent: bool = False) -> FullNewsletter:
    """The newsletter with all its steps, in one query. Raises NotFound."""
    if not _is_code(code):
        _raise_not_found(code)
    try:
        records = await tables.collect(table.FullNewsletterRecord, newsletter_code=code, consistent=consistent)
    except StoredItemError as error:
        if error.field == "newsletter":
            _raise_not_found(code)
        raise
    if records is None:
        _raise_not_found(code)
    return _full_from(records)


async def list_newsletters(
    tables: AsyncDatabase, user_id: str, *, limit: int = 25, cursor: str | None = None
) -> Page[Newsletter]:
    """A person's newsletters, the latest first, in one query."""
    page = await tables.query(table.NewsletterRecord.of_user(user_id=user_id), limit=limit, cursor=cursor)
    return Page([newsletter_from(item) for item in page.items], page.cursor)


async def list_owned_codes(tables: AsyncDatabase, user_id: str) -> list[str]:
    """The codes of all of a person's newsletters."""
    return [item.newsletter_code async for item in tables.each(table.NewsletterRecord.of_user(user_id=user_id))]


async def change_owner(tables: AsyncDatabase, code: str, *, owner_id: str, owner_email: str, owner_name: str) -> None:
    """Make a newsletter somebody else's; no error if it was deleted meanwhile. Its configuration keeps its version."""
    ref = table.NewsletterRecord.key(newsletter_code=code)
    with suppress(ConditionFailed):
        await tables.patch(ref, user_id=owner_id, user_email=owner_email or None, user_name=owner_name or None)


async def list_codes(tables: AsyncDatabase) -> list[str]:
    """The codes of all newsletters in order, by a scan of the table; for rebuilding the index."""
    return sorted(item.newsletter_code for item in await tables.admin.scan(table.NewsletterRecord))


async def list_covered_chunks(
    tables: AsyncDatabase, issue: Newsletter, *, excluding: str
) -> dict[str, tuple[str, ...]]:
    """The chunks that the latest issues of the same series cited, with the codes of those issues."""
    page = await list_newsletters(tables, issue.owner_id, limit=REMEMBERED_ISSUES)
    covered: dict[str, tuple[str, ...]] = {}
    for newsletter in find_series(issue, page.items):
        if newsletter.code != excluding:
            for chunk in newsletter.covered_chunks:
                covered[chunk] = (*covered.get(chunk, ()), newsletter.code)
    return covered


async def save_configuration(
    tables: AsyncDatabase,
    code: str,
    configuration: Configuration,
    *,
    expected: int,
    extra_writes: Sequence[Write[Any]] = (),
) -> Newsletter:
    """Save the configuration edited on version `expected`, in one transaction with `extra_writes`."""
    fields = _configuration_fields(configuration)
    ref = table.NewsletterRecord.key(newsletter_code=code)
    edit = patch(ref, when=is_version(table.NewsletterRecord, expected), version=expected + 1, **fields)
    try:
        outcome = await tables.transact(edit, *extra_writes)
    except ConditionFailed as failure:
        raise_write_error(failure, code)
    except TransactionFailed as failure:
        raise_write_error(next(error for error in failure.errors if error), code)
    # A transaction of several writes doesn't return the item.
    return newsletter_from(outcome.results[0] or await tables.require(ref, consistent=True))


async def complete_newsletter(
    tables: AsyncDatabase, code: str, *, covered: Sequence[str], version: int, now: datetime
) -> None:
    """Mark the newsletter as completed with this version of the draft, and save the chunks it cites."""
    try:
        await tables.transact(
            patch(
                table.NewsletterRecord.key(newsletter_code=code),
                status="completed",
                covered_chunks=list(covered),
                completed_at=now,
            ),
            check(table.DraftRecord.key(newsletter_code=code), when=is_version(table.DraftRecord, version)),
        )
    except TransactionFailed as failure:
        raise_write_error(failure.errors[0] or failure.errors[1] or failure, code)


async def save_covered_chunks(tables: AsyncDatabase, code: str, covered: Sequence[str]) -> None:
    """Save what a prepared issue cites before it is completed, so that the next one doesn't repeat it."""
    try:
        await tables.patch(table.NewsletterRecord.key(newsletter_code=code), covered_chunks=list(covered))
    except ConditionFailed as failure:
        raise_write_error(failure, code)


async def delete_newsletter(tables: AsyncDatabase, code: str) -> int:
    """Delete every item of the newsletter, all or none; returns how many there were.

    A second pass removes what a job wrote in between.
    """
    if not _is_code(code):
        _raise_not_found(code)
    removed = await tables.delete_partition(table.FullNewsletterRecord, newsletter_code=code)
    if removed:
        removed += await tables.delete_partition(table.FullNewsletterRecord, newsletter_code=code)
    return removed


def _is_code(code: str) -> bool:
    return table.CODE_FORM.fullmatch(code) is not None


def _raise_not_found(code: str) -> NoReturn:
    raise NotFound(gettext("There is no newsletter %(code)s; check the code.", code=code[:40]))


def newsletter_from(record: table.NewsletterRecord) -> Newsletter:
    return Newsletter(
        **model_fields(Newsletter, record),
        code=record.newsletter_code,
        owner_id=record.user_id,
        owner_email=record.user_email or "",
        owner_name=record.user_name or "",
        configuration=_configuration_from(record),
    )


def _configuration_from(record: table.NewsletterRecord) -> Configuration:
    schedule = record.schedule
    return Configuration(
        **{
            **model_fields(Configuration, record),
            "source_kinds": tuple(record.source_kinds or SOURCE_KINDS),
            "schedule": IssueSchedule(**model_fields(IssueSchedule, schedule)) if schedule else None,
        }
    )


def _configuration_fields(configuration: Configuration) -> dict[str, Any]:
    """The attributes of the newsletter record that step 1 decides."""
    return {
        **stored_fields(configuration),
        "description": configuration.description or None,
        "geographic_focus": configuration.geographic_focus or None,
        "source_kinds": None if configuration.takes_everything else list(configuration.source_kinds),
    }


def _full_from(records: table.FullNewsletterRecord) -> FullNewsletter:
    outline = outline_from(records.outline) if records.outline else OutlineStep()
    return FullNewsletter(
        newsletter=newsletter_from(records.newsletter),
        topics=topics_from(records.topics) if records.topics else TopicsStep(),
        outline=outline,
        draft=draft_from(records.draft, outline.outline) if records.draft else DraftStep(),
        checks=checks_from(records.checks) if records.checks else DraftChecks(),
    )
