"""Collecting: records from the source become tasks, piece by piece; what is known and unchanged is left alone."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date

from almanac.desks.recap.assets import save_record
from almanac.desks.recap.identity import task_pk
from almanac.desks.recap.sources import Collected, MeetingSource, Skipped, Span
from almanac.desks.recap.store import tasks as store
from almanac.kit.text import counted
from almanac.services import Services

Report = Callable[[int | None, int | None, str], Awaitable[None]]
IsDone = Callable[[Span], Awaitable[bool]]
Mark = Callable[[Span], Awaitable[None]]


@dataclass(slots=True)
class Collection:
    """What was found: how many records were new, changed or known, and which could not be read."""

    new: int = 0
    changed: int = 0
    same: int = 0
    skipped: list[Skipped] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        told = f"{counted(self.new, 'new record')}, {self.changed} changed, {self.same} known"
        if not self.skipped:
            return f"{told}."
        first = self.skipped[0]
        return f"{told}, {len(self.skipped)} unreadable ({first.name}: {first.reason})"


async def not_done(_span: Span) -> bool:
    """For a collection that was never interrupted."""
    return False


async def no_mark(_span: Span) -> None:
    """For a collection that nobody goes on with."""


async def collect(
    services: Services,
    source: MeetingSource,
    since: date,
    until: date,
    *,
    report: Report,
    is_done: IsDone = not_done,
    mark: Mark = no_mark,
) -> Collection:
    """Collect the sittings of some days; each finished piece is marked, so that going on repeats none of them."""
    found = Collection()
    spans = source.spans(since, until)
    for done, span in enumerate(spans):
        await report(done, len(spans), f"{span}: {found.sentence}")
        if await is_done(span):
            continue
        async for record in source.collect(span):
            await _take(services, record, found)
            await report(done, len(spans), f"{span}: {found.sentence}")
        await mark(span)
    await report(len(spans), len(spans), found.sentence)
    return found


async def _take(services: Services, record: Collected | Skipped, found: Collection) -> None:
    if isinstance(record, Skipped):
        found.skipped.append(record)
        return
    if await store.is_current(services.tables, record.meeting):
        found.same += 1
        return
    raw_url = await save_record(services, task_pk(record.meeting), record.raw)
    match await store.ingest(services.tables, record.meeting, raw_url):
        case "new":
            found.new += 1
        case "changed":
            found.changed += 1
        case "same":
            found.same += 1
