"""Collects records from the configured sources and stores them as tasks; unchanged records are skipped."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.sources.folder import RecordFolder
from almanac.desks.recap.sources.hansard_online import open_hansard
from almanac.desks.recap.sources.national_diet import NationalDiet, RequestPacer
from almanac.desks.recap.sources.port import CollectedRecord, DaySpan, MeetingSource, SkippedRecord, SourceRefused
from almanac.desks.recap.store import tasks as store
from almanac.desks.recap.store.objects import save_record
from almanac.desks.recap.store.source_status import record_attempt
from almanac.errors import UNEXPECTED_ERROR, AlmanacError, Retryable, TooMany, Unavailable
from almanac.kit.text import counted, shorten
from almanac.services import Services

logger = logging.getLogger(__name__)
ReportProgress = Callable[[int | None, int | None, str], Awaitable[None]]
"""Takes (done, total, what); a number is None where it isn't known."""
IsDone = Callable[[str, DaySpan], Awaitable[bool]]
MarkDone = Callable[[str, DaySpan], Awaitable[None]]
_LONGEST_SENTENCE = 600


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source, and its address as people and marks name it."""

    name: str
    source: MeetingSource


@dataclass(slots=True)
class CollectedSource:
    """How many records of one source were new, changed or unchanged, which could not be read, and why it failed."""

    name: str
    new: int = 0
    changed: int = 0
    same: int = 0
    skipped: list[SkippedRecord] = field(default_factory=list)
    error: str = ""

    @property
    def sentence(self) -> str:
        counts = f"{counted(self.new, 'new record')}, {self.changed} changed, {self.same} known"
        if self.error:
            return f"{counts}; then it failed: {self.error}"
        if not self.skipped:
            return f"{counts}."
        first = self.skipped[0]
        return f"{counts}, {len(self.skipped)} unreadable ({first.name}: {first.reason})"


@dataclass(slots=True)
class CollectionResult:
    """What each source gave. `failures` holds what stopped some of them."""

    sources: list[CollectedSource] = field(default_factory=list)
    failures: list[AlmanacError] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        if len(self.sources) == 1:
            return self.sources[0].sentence
        return " ".join(f"{result.name}: {result.sentence}" for result in self.sources)

    def counts(self) -> dict[str, object]:
        """The sums over all sources, and each by itself; for programs."""
        names = ("new", "changed", "same")
        sums: dict[str, object] = {name: sum(getattr(result, name) for result in self.sources) for name in names}
        skipped = [asdict(record) for result in self.sources for record in result.skipped]
        return {**sums, "skipped": skipped, "sources": [asdict(result) for result in self.sources]}

    def raise_failures(self) -> None:
        """Raise what stopped a source, so that a job is tried again where that may help."""
        if len(self.sources) == 1 and self.failures:
            raise self.failures[0]
        failed = [f"{result.name}: {result.error}" for result in self.sources if result.error]
        if not failed:
            return
        sentence = shorten(" ".join(failed), _LONGEST_SENTENCE)
        patience = [error.retry_after for error in self.failures if isinstance(error, TooMany)]
        if patience:
            raise TooMany(sentence, max(patience))
        if any(isinstance(error, Retryable) for error in self.failures):
            raise Unavailable(sentence)
        raise SourceRefused(sentence)


async def is_never_done(_source: str, _span: DaySpan) -> bool:
    """No span is done: for a collection that resumes nothing."""
    return False


async def skip_marking(_source: str, _span: DaySpan) -> None:
    """No-op, for a collection that nothing resumes."""


async def collect_meetings(
    services: Services,
    sources: Sequence[NamedSource],
    since: date,
    until: date,
    *,
    report: ReportProgress,
    is_done: IsDone = is_never_done,
    mark: MarkDone = skip_marking,
) -> CollectionResult:
    """Collect the meetings of some days from each source; one that fails doesn't stop the others.

    Finished spans are marked, so that a resumed collection skips them. Failures are in the result.
    """
    result = CollectionResult()
    collector = _SpanCollector(services, report, is_done, mark, result)
    spans = [(source, span) for source in sources for span in source.source.spans(since, until)]
    done = 0
    for source in sources:
        result.sources.append(CollectedSource(source.name))
        own = [span for other, span in spans if other is source]
        try:
            await collector.collect(source, own, done, len(spans))
        except _SourceFailed as failure:
            result.sources[-1].error = str(failure.error.sentence)
            result.failures.append(failure.error)
        await record_attempt(services, source.name, result.sources[-1].error)
        done += len(own)
    await report(len(spans), len(spans), result.sentence)
    return result


class _SourceFailed(Exception):
    """A source failed; what fails on our side, or a job that is stopped, is no failure of it."""

    def __init__(self, error: AlmanacError) -> None:
        super().__init__(error.sentence)
        self.error = error


async def _read_source(source: NamedSource, span: DaySpan) -> AsyncIterator[CollectedRecord | SkippedRecord]:
    try:
        async for record in source.source.collect(span):
            yield record
    except AlmanacError as error:
        raise _SourceFailed(error) from error
    except Exception as error:
        # One source that can't be read must not keep the others from being asked.
        logger.warning("a source of records failed", exc_info=True, extra={"source": source.name})
        raise _SourceFailed(SourceRefused(UNEXPECTED_ERROR)) from error


@dataclass(frozen=True, slots=True)
class _SpanCollector:
    """Collects one source after the other into a result."""

    services: Services
    report: ReportProgress
    is_done: IsDone
    mark: MarkDone
    result: CollectionResult

    async def collect(self, source: NamedSource, spans: Sequence[DaySpan], before: int, total: int) -> None:
        for place, span in enumerate(spans, before):
            await self.report(place, total, f"{span}: {self.result.sentence}")
            if await self.is_done(source.name, span):
                continue
            async for record in _read_source(source, span):
                await _ingest_record(self.services, record, self.result.sources[-1])
                await self.report(place, total, f"{span}: {self.result.sentence}")
            await self.mark(source.name, span)


async def _ingest_record(services: Services, record: CollectedRecord | SkippedRecord, result: CollectedSource) -> None:
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


def configured_sources(services: Services) -> list[NamedSource]:
    """The sources of the setting, in its order."""
    return [
        NamedSource(source_name(address), open_source(services, address)) for address in services.settings.recap_sources
    ]


def source_name(address: str) -> str:
    """An address as people read it: a folder by its path, and nothing of a password."""
    parts = urlsplit(address)
    return (
        url2pathname(parts.path) if parts.scheme == "file" else address.replace(f"{parts.netloc}", _host(parts.netloc))
    )


def _host(netloc: str) -> str:
    return netloc.rpartition("@")[2]


def open_source(services: Services, address: str) -> MeetingSource:
    """A folder if the address is a file URL, Hansard by its own schemes, otherwise the National Diet's API there."""
    parts = urlsplit(address)
    if parts.scheme == "file":
        return RecordFolder(Path(url2pathname(parts.path)))
    pacer = RequestPacer(services.clock, services.settings.recap_pause_seconds)
    return open_hansard(address, services.fetcher, pacer) or NationalDiet(services.fetcher, address, pacer)
