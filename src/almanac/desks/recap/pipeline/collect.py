"""Collects records from the configured source and stores them as tasks; unchanged records are skipped."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.sources.folder import RecordFolder
from almanac.desks.recap.sources.hansard_online import open_hansard
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
    """How many records were new, changed or unchanged, and which could not be read."""

    new: int = 0
    changed: int = 0
    same: int = 0
    skipped: list[SkippedRecord] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        counts = f"{counted(self.new, 'new record')}, {self.changed} changed, {self.same} known"
        if not self.skipped:
            return f"{counts}."
        first = self.skipped[0]
        return f"{counts}, {len(self.skipped)} unreadable ({first.name}: {first.reason})"


async def is_never_done(_span: DaySpan) -> bool:
    """No span is done: for a collection that resumes nothing."""
    return False


async def skip_marking(_span: DaySpan) -> None:
    """No-op, for a collection that nothing resumes."""


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
    """Collect the meetings of some days; finished spans are marked, so that a resumed collection skips them."""
    result = CollectionResult()
    spans = source.spans(since, until)
    for done, span in enumerate(spans):
        await report(done, len(spans), f"{span}: {result.sentence}")
        if await is_done(span):
            continue
        async for record in source.collect(span):
            await _ingest_record(services, record, result)
            await report(done, len(spans), f"{span}: {result.sentence}")
        await mark(span)
    await report(len(spans), len(spans), result.sentence)
    return result


async def _ingest_record(services: Services, record: CollectedRecord | SkippedRecord, result: CollectionResult) -> None:
    if isinstance(record, SkippedRecord):
        result.skipped.append(record)
        return
    if await store.is_current(services.tables, record.meeting):
        result.same += 1
        return
    raw_url = await save_record(services, task_pk(record.meeting), record.raw)
    match await store.ingest_meeting(services.tables, record.meeting, raw_url):
        case "new":
            result.new += 1
        case "changed":
            result.changed += 1
        case "same":
            result.same += 1


def configured_source(services: Services) -> MeetingSource:
    """A folder if `recap_source` is a file URL, Hansard by its own schemes, otherwise the National Diet's API."""
    settings = services.settings
    address = urlsplit(settings.recap_source)
    if address.scheme == "file":
        return RecordFolder(Path(url2pathname(address.path)))
    pacer = RequestPacer(services.clock, settings.recap_pause_seconds)
    hansard = open_hansard(settings.recap_source, services.fetcher, pacer)
    return hansard or NationalDiet(services.fetcher, settings.recap_source, pacer)
