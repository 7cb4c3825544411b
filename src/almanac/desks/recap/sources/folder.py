"""Records from a folder of files, in any of the forms that `formats` reads.

A file holds one sitting, or an answer of the Diet's interface with several. What is in no sitting's days is left out.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from almanac.desks.recap.sources.diet_record import UnreadableRecord
from almanac.desks.recap.sources.formats import read_json, read_xml
from almanac.desks.recap.sources.port import CollectedRecord, DaySpan, SkippedRecord, SourceRefused
from almanac.kit.messages import gettext

MOST_BYTES = 60_000_000


@dataclass(frozen=True, slots=True)
class RecordFolder:
    """Reads the files of a folder and of those below it, in the order of their names."""

    folder: Path

    def spans(self, since: date, until: date) -> Sequence[DaySpan]:
        return [DaySpan(since, until)]

    async def collect(self, span: DaySpan) -> AsyncIterator[CollectedRecord | SkippedRecord]:
        if not self.folder.is_dir():
            raise SourceRefused(
                gettext(
                    "There is no folder %(folder)s; set ALMANAC_RECAP_SOURCE to one with records.", folder=self.folder
                )
            )
        paths = sorted(path for path in self.folder.rglob("*") if path.suffix.lower() in (".json", ".xml"))
        for path in paths:
            for record in await asyncio.to_thread(_read, path):
                if isinstance(record, SkippedRecord) or span.first <= record.meeting.date <= span.last:
                    yield record


def _read(path: Path) -> list[CollectedRecord | SkippedRecord]:
    try:
        if path.stat().st_size > MOST_BYTES:
            return [SkippedRecord(path.name, f"The file is larger than {MOST_BYTES // 1_000_000} MB.")]
        return list(_records(path, path.read_bytes()))
    except UnreadableRecord as error:
        return [SkippedRecord(path.name, str(error))]
    except OSError as error:
        return [SkippedRecord(path.name, f"The file can't be read ({error.strerror or error}).")]


def _records(path: Path, content: bytes) -> Iterator[CollectedRecord | SkippedRecord]:
    return read_xml(content) if path.suffix.lower() == ".xml" else read_json(path.name, content)
