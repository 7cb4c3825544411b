"""Every read and write of newsletters in their table, by name. What may be written is decided by the service.

An edit names the version it was made on; a generation names its run. Neither can overwrite what it has not seen.
"""

import secrets
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NoReturn

from almanac.desks.newsletter import stored, table
from almanac.desks.newsletter.model.chunks import Chunk, Coverage
from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.draft import Draft
from almanac.desks.newsletter.model.newsletter import (
    ExportRecord,
    FullNewsletter,
    Newsletter,
    Status,
    StepName,
    StepStatus,
)
from almanac.desks.newsletter.model.outline import Outline
from almanac.desks.newsletter.model.revisions import Revision, outlived
from almanac.desks.newsletter.model.staleness import Basis
from almanac.errors import NotFound, StaleEdit, Unavailable
from almanac.kit.ids import Seed, new_id
from almanac.kit.paging import Page
from tablature import Condition, Write, check, create, delete, patch, put
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed, DoesNotExist, StoredItemError, TransactionFailed

CODE_ATTEMPTS = 20
REMEMBERED_ISSUES = 50
_ALPHABET = string.ascii_uppercase + string.digits
_CHANGED = "Somebody else changed this first; load it again and repeat your change."

Step = table.Topics | table.Outline | table.Draft
_STEPS: Mapping[StepName, type[Step]] = {"retrieval": table.Topics, "outline": table.Outline, "draft": table.Draft}
_NUMBERS: Mapping[StepName, int] = {"retrieval": 2, "outline": 3, "draft": 4}


def _nothing_else(_code: str) -> Sequence[Write[Any]]:
    return ()


def generate_newsletter_code(now: datetime) -> str:
    """A code such as `NL-20260126-A1B2`; whether it is free shows when the newsletter is created."""
    return f"NL-{now:%Y%m%d}-{''.join(secrets.choice(_ALPHABET) for _ in range(4))}"


def seeded_code(seed: Seed, turn: int) -> str:
    """The code that a request tries at some turn, the same whenever the request is made again."""
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
    along: Callable[[str], Sequence[Write[Any]]] = _nothing_else,
) -> Newsletter:
    """A new newsletter under a code that nobody has, together with whatever is written along with it.

    With a seed it is made once: a second time the first one is found.
    """
    for turn in range(CODE_ATTEMPTS):
        item = table.Newsletter(
            newsletter_code=seeded_code(seed, turn) if seed else make_code(now),
            id=seed.id("newsletter") if seed else new_id(),
            user_id=owner_id,
            user_email=owner_email or None,
            user_name=owner_name or None,
            version=1,
            made_from=made_from,
            **_loose(stored.configuration_fields(configuration)),
        )
        if (made := await _made(tables, item, along(item.newsletter_code))) is not None:
            return made
    raise Unavailable("No free code was found for the newsletter; try again.")


async def _made(tables: AsyncDatabase, item: table.Newsletter, along: Sequence[Write[Any]]) -> Newsletter | None:
    """The newsletter as it was created now, or by the same request before; None where another has its code."""
    try:
        outcome = await tables.transact(create(item), *along)
        return stored.newsletter_from(outcome.results[0])
    except AlreadyExists:
        pass
    except TransactionFailed as failure:
        if not isinstance(failure.errors[0], AlreadyExists):
            _explain(next(error for error in failure.errors if error), item.newsletter_code)
    known = await tables.get(table.Newsletter.key(newsletter_code=item.newsletter_code), consistent=True)
    return stored.newsletter_from(known) if known is not None and known.id == item.id else None


async def get_newsletter(tables: AsyncDatabase, code: str) -> Newsletter:
    """The newsletter's own facts, without its steps."""
    found = await tables.get(table.Newsletter.key(newsletter_code=code)) if _is_code(code) else None
    if found is None:
        _nothing_there(code)
    return stored.newsletter_from(found)


async def get_newsletter_full(tables: AsyncDatabase, code: str, *, consistent: bool = False) -> FullNewsletter:
    """The newsletter with all its steps, in one query."""
    if not _is_code(code):
        _nothing_there(code)
    try:
        found = await tables.collect(table.FullNewsletter, newsletter_code=code, consistent=consistent)
    except StoredItemError as error:
        if error.field == "newsletter":
            _nothing_there(code)
        raise
    if found is None:
        _nothing_there(code)
    return stored.full_from(found)


async def list_newsletters(
    tables: AsyncDatabase, user_id: str, *, limit: int = 25, cursor: str | None = None
) -> Page[Newsletter]:
    """A person's newsletters, the latest first, in one query."""
    page = await tables.query(table.Newsletter.of_user(user_id=user_id), limit=limit, cursor=cursor)
    return Page([stored.newsletter_from(item) for item in page.items], page.cursor)


async def all_codes(tables: AsyncDatabase) -> list[str]:
    """Everybody's newsletters in the order of their codes, by a look at the whole table: for making an index again."""
    return sorted(item.newsletter_code for item in await tables.admin.scan(table.Newsletter))


async def chunks_covered_before(tables: AsyncDatabase, user_id: str, *, besides: str) -> dict[str, tuple[str, ...]]:
    """Which chunks a person's latest completed issues cited, with the codes of those issues."""
    page = await list_newsletters(tables, user_id, limit=REMEMBERED_ISSUES)
    covered: dict[str, tuple[str, ...]] = {}
    for newsletter in page.items:
        if newsletter.code != besides:
            for chunk in newsletter.covered_chunks:
                covered[chunk] = (*covered.get(chunk, ()), newsletter.code)
    return covered


async def save_configuration(
    tables: AsyncDatabase, code: str, configuration: Configuration, *, expected: int, along: Sequence[Write[Any]] = ()
) -> Newsletter:
    """The configuration as edited on a version, together with whatever is written along with it."""
    fields = _loose(stored.configuration_fields(configuration))
    ref = table.Newsletter.key(newsletter_code=code)
    edit = patch(ref, when=_is_version(table.Newsletter, expected), version=expected + 1, **fields)
    try:
        outcome = await tables.transact(edit, *along)
    except ConditionFailed as failure:
        _explain(failure, code)
    except TransactionFailed as failure:
        _explain(next(error for error in failure.errors if error), code)
    # A transaction of several writes doesn't tell what became of the item.
    return stored.newsletter_from(outcome.results[0] or await tables.require(ref, consistent=True))


async def complete_newsletter(
    tables: AsyncDatabase, code: str, *, covered: Sequence[str], version: int, now: datetime
) -> None:
    """The newsletter is completed with the draft of this version, and covers the chunks that it cites."""
    try:
        await tables.transact(
            patch(
                table.Newsletter.key(newsletter_code=code),
                status="completed",
                covered_chunks=list(covered),
                completed_at=now,
            ),
            check(table.Draft.key(newsletter_code=code), when=_is_version(table.Draft, version)),
        )
    except TransactionFailed as failure:
        _explain(failure.errors[0] or failure.errors[1] or failure, code)


async def note_covered(tables: AsyncDatabase, code: str, covered: Sequence[str]) -> None:
    """What an issue cites that was prepared and that nobody has completed yet: the next one must not repeat it."""
    try:
        await tables.patch(table.Newsletter.key(newsletter_code=code), covered_chunks=list(covered))
    except ConditionFailed as failure:
        _explain(failure, code)


def topics_write(code: str, selected: Sequence[str], excluded: Sequence[str] = ()) -> Write[table.Topics]:
    """The topics that a new newsletter begins with."""
    return create(
        table.Topics(
            newsletter_code=code, selected_types=list(selected), excluded_chunks=list(excluded) or None, version=1
        )
    )


async def save_topics(
    tables: AsyncDatabase,
    code: str,
    *,
    expected: int,
    selected: Sequence[str] | None = None,
    excluded: Sequence[str] | None = None,
) -> None:
    """Chosen topics, or excluded chunks, as edited on a version; what was retrieved is not touched."""
    fields: dict[str, object] = {"version": expected + 1}
    if selected is not None:
        fields["selected_types"] = list(selected)
    if excluded is not None:
        fields["excluded_chunks"] = list(excluded) or None
    await _write_step(tables, code, table.Topics, _is_version(table.Topics, expected), fields)


async def save_retrieval(
    tables: AsyncDatabase,
    code: str,
    *,
    run: int,
    chunks: Sequence[Chunk],
    coverage: Coverage,
    basis: Basis,
    version: int,
    now: datetime,
) -> None:
    """What a retrieval brought, whole; topics and exclusions stay as they are."""
    fields = {
        "retrieved_content": [stored.stored_chunk(chunk) for chunk in chunks],
        "total_chunks_retrieved": len(chunks),
        "coverage": stored.stored_coverage(coverage),
        "rests_on": dict(basis),
        "version": version + 1,
        **_ended("retrieval", run, now),
    }
    await _write_step(tables, code, table.Topics, _is_version(table.Topics, version), fields)


async def save_outline(
    tables: AsyncDatabase,
    code: str,
    outline: Outline,
    *,
    expected: int,
    run: int | None = None,
    basis: Basis | None = None,
    now: datetime | None = None,
) -> None:
    """The outline as edited on a version; with a run, as a generation made it, and that generation has ended."""
    fields = {**stored.outline_fields(outline), "version": expected + 1}
    if run is not None and now is not None:
        fields |= {"rests_on": dict(basis or {}), "generated_at": now, **_ended("outline", run, now)}
    await _write_step(tables, code, table.Outline, _is_version(table.Outline, expected), fields)


async def save_draft(
    tables: AsyncDatabase,
    code: str,
    draft: Draft,
    revisions: Sequence[Revision],
    *,
    title: str,
    expected: int,
    status: Status | None = None,
    generated: bool = False,
    more: Mapping[str, object] | None = None,
) -> Draft:
    """The draft as changed on a version, together with its snapshots and what it does to the newsletter's status."""
    latest = revisions[-1].number
    draft = replace(draft, revision=latest)
    fields = {**stored.draft_fields(draft, title, generated=generated), **(more or {})}
    await ensure_step(tables, code, "draft")
    newsletter = table.Newsletter.key(newsletter_code=code)
    writes: list[Any] = [
        patch(table.Draft.key(newsletter_code=code), when=_is_version(table.Draft, expected), **fields),
        check(newsletter) if status is None else patch(newsletter, status=status),
        *(put(stored.stored_revision(code, revision)) for revision in revisions),
    ]
    if (oldest := outlived(latest)) is not None:
        writes.append(delete(table.Revision.key(newsletter_code=code, number=oldest)))
    try:
        await tables.transact(*writes)
    except TransactionFailed as failure:
        _explain(failure.errors[0] or failure.errors[1] or failure, code)
    return draft


def draft_ended(run: int, basis: Basis, now: datetime) -> dict[str, object]:
    """What the last save of a generated draft adds: the generation has ended."""
    return {"rests_on": dict(basis), "generated_at": now, **_ended("draft", run, now)}


async def note_section_job(tables: AsyncDatabase, code: str, key: str, job: int) -> None:
    """Which job writes a section anew; a draft of another program has no place for it until the job has written."""
    state = table.Draft.section_states.at(key)
    try:
        await tables.patch(table.Draft.key(newsletter_code=code), state.at("job").set(job), when=state.exists())
    except DoesNotExist as failure:
        _explain(failure, code)
    except ConditionFailed:
        return


async def save_export(tables: AsyncDatabase, full: FullNewsletter, name: str, export: ExportRecord) -> None:
    """Where an exported file is. The newsletter is exported where its draft is still the one in the file."""
    exports = {**full.draft.exports, name: export}
    entries = {each: stored.stored_export(record) for each, record in exports.items()}
    draft, newsletter = table.Draft.key(newsletter_code=full.code), table.Newsletter.key(newsletter_code=full.code)
    try:
        await tables.transact(
            patch(draft, when=table.Draft.revision == export.revision, exports=entries),
            patch(newsletter, when=table.Newsletter.status != "draft", status="exported"),
        )
    except TransactionFailed as failure:
        first = next(error for error in failure.errors if error)
        if isinstance(first, DoesNotExist) or not isinstance(first, ConditionFailed):
            _explain(first, full.code)
        await _save_old_export(tables, full.code, entries)


async def _save_old_export(tables: AsyncDatabase, code: str, entries: Mapping[str, table.Export]) -> None:
    """Where the file of a draft is that was changed since."""
    try:
        await tables.patch(table.Draft.key(newsletter_code=code), exports=dict(entries))
    except ConditionFailed as failure:
        _explain(failure, code)


async def list_revisions(tables: AsyncDatabase, code: str) -> list[Revision]:
    """The newsletter's revisions, the latest first."""
    query = table.Revision.of_newsletter(newsletter_code=code)
    return [stored.revision_from(item) async for item in tables.each(query)]


async def get_revision(tables: AsyncDatabase, code: str, number: int) -> Revision:
    found = await tables.get(table.Revision.key(newsletter_code=code, number=number)) if number > 0 else None
    if found is None:
        raise NotFound(f"There is no revision {number}; it may have given way to newer ones.")
    return stored.revision_from(found)


async def latest_revision(tables: AsyncDatabase, code: str, draft: Draft) -> Revision | None:
    """The revision that the draft says is its last, if it is kept."""
    if not draft.revision:
        return None
    found = await tables.get(table.Revision.key(newsletter_code=code, number=draft.revision))
    return stored.revision_from(found) if found else None


async def begin_step(
    tables: AsyncDatabase, code: str, step: StepName, *, run: int, job: int | None, now: datetime
) -> bool:
    """A generation has begun; False where that run has its result already, and must not be done again."""
    kind = _STEPS[step]
    fields = {f"{step}_status": "processing", f"{step}_started_at": now, f"{step}_error": None, "job": job}
    try:
        await _write_step(tables, code, kind, ~kind.run.exists() | (kind.run < run), fields)
    except StaleEdit:
        return False
    await _reach_step(tables, code, _NUMBERS[step])
    return True


async def end_step(
    tables: AsyncDatabase, code: str, step: StepName, *, run: int, status: StepStatus, error: str | None = None
) -> None:
    """A generation has ended without a result: what was there stays as it is, and the run may be done again."""
    kind = _STEPS[step]
    fields = {f"{step}_status": status, f"{step}_error": error}
    try:
        await _write_step(tables, code, kind, ~kind.run.exists() | (kind.run < run), fields)
    except (StaleEdit, NotFound):
        # The run has a result after all, or the newsletter is gone.
        return


async def save_basis(tables: AsyncDatabase, code: str, step: StepName, basis: Basis) -> None:
    """What a step rests on, as a person has confirmed it; the step itself is not touched."""
    kind = _STEPS[step]
    await _write_step(tables, code, kind, kind.rests_on.exists(), {"rests_on": dict(basis)})


async def ensure_step(tables: AsyncDatabase, code: str, step: StepName) -> None:
    """Create the step's item where it is missing, so that it can be changed."""
    kind = _STEPS[step]
    ref: Any = kind.key(newsletter_code=code)
    if await tables.get(ref) is None:
        await _create_step(tables, code, kind, {})


async def delete_newsletter(tables: AsyncDatabase, code: str) -> int:
    """Remove every item of the newsletter, all or none; the answer is how many there were.

    A second look catches what a job wrote between the reading and the removal.
    """
    if not _is_code(code):
        _nothing_there(code)
    removed = await tables.delete_partition(table.FullNewsletter, newsletter_code=code)
    if removed:
        removed += await tables.delete_partition(table.FullNewsletter, newsletter_code=code)
    return removed


def _is_code(code: str) -> bool:
    return table.CODE_FORM.fullmatch(code) is not None


def _nothing_there(code: str) -> NoReturn:
    raise NotFound(f"There is no newsletter {code[:40]}; check the code.")


def _is_version(kind: type[table.Newsletter] | type[Step], expected: int) -> Condition:
    """Version 0 is an item that no edit has numbered yet."""
    return kind.version == (expected or None)


def _ended(step: StepName, run: int, now: datetime) -> dict[str, object]:
    return {f"{step}_status": "completed", f"{step}_completed_at": now, f"{step}_error": None, "run": run}


async def _reach_step(tables: AsyncDatabase, code: str, number: int) -> None:
    behind = ~table.Newsletter.current_step.exists() | (table.Newsletter.current_step < number)
    try:
        await tables.patch(table.Newsletter.key(newsletter_code=code), when=behind, current_step=number)
    except ConditionFailed:
        return


async def _write_step(
    tables: AsyncDatabase, code: str, kind: type[Step], when: Condition, fields: Mapping[str, object]
) -> None:
    """Change a step's item, or create it for a newsletter that exists."""
    ref: Any = kind.key(newsletter_code=code)
    try:
        await tables.patch(ref, when=when, **_loose(fields))
    except DoesNotExist:
        if not await _create_step(tables, code, kind, fields):
            await _write_step(tables, code, kind, when, fields)
    except ConditionFailed as failure:
        _explain(failure, code)


async def _create_step(tables: AsyncDatabase, code: str, kind: type[Step], fields: Mapping[str, object]) -> bool:
    """Create a step's item; False where somebody else was quicker."""
    item: Any = kind(newsletter_code=code, **_loose(fields))
    try:
        await tables.transact(check(table.Newsletter.key(newsletter_code=code)), create(item))
    except TransactionFailed as failure:
        missing, exists = failure.errors
        if missing is None and isinstance(exists, AlreadyExists):
            return False
        _explain(missing or failure, code)
    return True


def _loose(fields: Mapping[str, object]) -> dict[str, Any]:
    """Fields for a call that checks each against its declaration."""
    return dict(fields)


def _explain(failure: Exception, code: str) -> NoReturn:
    """An edit of something that is gone, or that somebody else was quicker to change."""
    if isinstance(failure, DoesNotExist):
        raise NotFound(f"There is no newsletter {code}; it may have been deleted.") from failure
    if isinstance(failure, ConditionFailed):
        current = getattr(failure.current, "version", None)
        raise StaleEdit(_CHANGED, str(current or 0)) from failure
    raise failure
