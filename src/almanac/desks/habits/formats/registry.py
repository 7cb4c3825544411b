"""Finds the reader for an uploaded file by its content, and the writer for an export format."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from almanac.desks.habits.formats.almanac_json import FORMAT_NAME, read_json, write_json
from almanac.desks.habits.formats.beaver import read_beaver
from almanac.desks.habits.formats.bundle import MAX_FILE_BYTES, HabitBundle
from almanac.desks.habits.formats.loop_csv import read_loop_csv, write_loop_csv
from almanac.desks.habits.formats.loop_db import MAGIC, read_loop_db, write_loop_db
from almanac.desks.habits.formats.plain_csv import read_csv, write_csv
from almanac.documents.charset import decode_text
from almanac.documents.model import Unreadable
from almanac.errors import InputError, TooLarge
from almanac.kit.messages import gettext

ExportFormat = Literal["json", "csv", "loop", "loop-db"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
_WRITERS: dict[ExportFormat, tuple[Callable[[HabitBundle], bytes], str, str]] = {
    "json": (write_json, "application/json", "habits.json"),
    "csv": (write_csv, "text/csv", "habits.csv"),
    "loop": (write_loop_csv, "application/zip", "Loop Habits CSV.zip"),
    "loop-db": (write_loop_db, "application/vnd.sqlite3", "Loop Habits Backup.db"),
}
MEDIA_TYPES = tuple(media_type for _, media_type, _ in _WRITERS.values())


@dataclass(frozen=True, slots=True)
class HabitExport:
    """An exported file."""

    name: str
    content_type: str
    data: bytes


def read_file(data: bytes) -> HabitBundle:
    """Parse Loop's archive or database, Beaver's or Almanac's JSON, or plain CSV; raises InputError for other files."""
    if not data.strip():
        raise InputError(gettext("This file is empty; choose another one."))
    if len(data) > MAX_FILE_BYTES:
        raise TooLarge(gettext("This file is too large; export fewer habits at a time."))
    if data.startswith(b"PK"):
        return read_loop_csv(data)
    if data.startswith(MAGIC):
        return read_loop_db(data)
    try:
        text = decode_text(data).strip("\ufeff \t\r\n")
    except Unreadable as error:
        raise InputError(gettext("This file isn't CSV, JSON or a Loop export.")) from error
    if text.startswith("{"):
        return read_json(text.encode()) if FORMAT_NAME in text[:200] else read_beaver(text.encode())
    return read_csv(text)


def write_file(bundle: HabitBundle, export_format: ExportFormat) -> HabitExport:
    """Write a bundle in a format. JSON and Loop's archive keep everything; CSV and Loop's database drop some fields."""
    write, content_type, name = _WRITERS[export_format]
    return HabitExport(name, content_type, write(bundle))
