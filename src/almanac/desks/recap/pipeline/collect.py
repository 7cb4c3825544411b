"""Collecting: records from the source become tasks, piece by piece; what is known and unchanged is left alone."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.sources.folder import RecordFolder
from almanac.desks.recap.sources.national_diet import NationalDiet, RequestPacer
from almanac.desks.recap.sources.port import CollectedRecord, DaySpan, MeetingSource, SkippedRecord
from almanac.desks.recap.store import tasks as store
from almanac.desks.recap.store.objects import save_record
from almanac.kit.text import counted
from almanac.services import Services

ReportProgress = Callable[[int | None, int | None, str], Awaitable[None]]
"""Takes (done, total, what); a number is None where it isn't known."""
IsDone = Callable[[DaySpan], Awaitable[bool]]
MarkDone = Callable[[DaySpan], Awaitable[None]]


@dataclass(slots=True)
class CollectionResult:
    """What was found: how many records were new, changed or known, and which could not be read."""

    new: int = 0
    changed: int = 0
    same: int = 0
    skipped: list[SkippedRecord] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        told = f"{counted(self.new, 'new record')}, {self.changed} changed, {self.same} known"
        if not self.skipped:
            return f"{told}."
        first = self.skipped[0]
        return f"{told}, {len(self.skipped)} unreadable ({first.name}: {first.reason})"


async def is_never_done(_span: DaySpan) -> bool:
    """For a collection that was never interrupted."""
    return False


async def skip_marking(_span: DaySpan) -> None:
    """For a collection that nobody goes on with."""


async def collect_meetings(
    services: Services,
    source: MeetingSource,
    since: date,
    until: date,
    *,
    report: ReportProgress,
    is_done: IsDone = is_never_done,
    mark: MarkDone = skip_marking,
) -> CollectionResult:
    """Collect the sittings of some days; each finished piece is marked, so that going on repeats none of them."""
    found = CollectionResult()
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


async def _take(services: Services, record: CollectedRecord | SkippedRecord, found: CollectionResult) -> None:
    if isinstance(record, SkippedRecord):
        found.skipped.append(record)
        return
    if await store.is_current(services.tables, record.meeting):
        found.same += 1
        return
    raw_url = await save_record(services, task_pk(record.meeting), record.raw)
    match await store.ingest_meeting(services.tables, record.meeting, raw_url):
        case "new":
            found.new += 1
        case "changed":
            found.changed += 1
        case "same":
            found.same += 1


def configured_source(services: Services) -> MeetingSource:
    """A folder where the setting names one, otherwise the National Diet's interface at the address given."""
    settings = services.settings
    address = urlsplit(settings.recap_source)
    if address.scheme == "file":
        return RecordFolder(Path(url2pathname(address.path)))
    return NationalDiet(
        services.fetcher, settings.recap_source, RequestPacer(services.clock, settings.recap_pause_seconds)
    )
