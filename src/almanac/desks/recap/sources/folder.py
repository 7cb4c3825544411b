"""Records from a folder of files, in any of the forms that `formats` reads.

A file holds one sitting, or an answer of the Diet's interface with several. What is in no sitting's days is left out.
A file or a folder that can't be read costs itself alone, and is named with what to do.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from almanac.desks.recap.sources.diet_record import UnreadableRecord
from almanac.desks.recap.sources.formats import read_json, read_xml
from almanac.desks.recap.sources.port import CollectedRecord, DaySpan, SkippedRecord, SourceRefused
from almanac.desks.recap.sources.text_encoding import to_utf8
from almanac.kit.messages import gettext

MOST_BYTES = 60_000_000
_ENDINGS = (".json", ".xml")


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
        paths, skipped = await asyncio.to_thread(_list_files, self.folder)
        for unreadable in skipped:
            yield unreadable
        for path in paths:
            for record in await asyncio.to_thread(_read, path, path.relative_to(self.folder).as_posix()):
                if isinstance(record, SkippedRecord) or span.first <= record.meeting.date <= span.last:
                    yield record


def _list_files(folder: Path) -> tuple[list[Path], list[SkippedRecord]]:
    """The files with records, and the folders that can't be read. Links are followed, each folder once."""
    skipped: list[SkippedRecord] = []

    def note(error: OSError) -> None:
        name = Path(error.filename or folder)
        shown = name.relative_to(folder).as_posix() if name.is_relative_to(folder) else str(name)
        reason = gettext(
            "The folder can't be read (%(error)s); let Almanac's account read it.", error=error.strerror or error
        )
        skipped.append(SkippedRecord(shown, reason))

    seen: set[tuple[int, int]] = set()
    paths: list[Path] = []
    for place, folders, names in os.walk(folder, followlinks=True, onerror=note):
        status = Path(place).stat()
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        paths += [Path(place) / name for name in names if name.lower().endswith(_ENDINGS)]
    return sorted(paths), skipped


def _read(path: Path, name: str) -> list[CollectedRecord | SkippedRecord]:
    try:
        if not path.is_file():
            # A pipe would keep its reader waiting for ever.
            return [SkippedRecord(name, gettext("It isn't a file, or a link to nowhere; remove it."))]
        if path.stat().st_size > MOST_BYTES:
            return [SkippedRecord(name, f"The file is larger than {MOST_BYTES // 1_000_000} MB.")]
        return list(_records(name, to_utf8(path.read_bytes())))
    except UnreadableRecord as error:
        return [SkippedRecord(name, str(error))]
    except OSError as error:
        return [SkippedRecord(name, f"The file can't be read ({error.strerror or error}).")]


def _records(name: str, content: bytes) -> Iterator[CollectedRecord | SkippedRecord]:
    return read_xml(content) if name.lower().endswith(".xml") else read_json(name, content)
