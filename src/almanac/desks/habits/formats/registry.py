"""Which program wrote a file, told by its first bytes and not by its name; then that form's reader."""

from almanac.desks.habits.formats.almanac_json import FORMAT_NAME, read_json
from almanac.desks.habits.formats.beaver import read_beaver
from almanac.desks.habits.formats.bundle import MAX_FILE_BYTES, HabitBundle
from almanac.desks.habits.formats.loop_csv import read_loop_csv
from almanac.desks.habits.formats.loop_db import MAGIC, read_loop_db
from almanac.desks.habits.formats.plain_csv import read_csv
from almanac.documents.charset import decode_text
from almanac.documents.model import Unreadable
from almanac.errors import InputError, TooLarge


def read_file(data: bytes) -> HabitBundle:
    """The habits in a file: Loop's archive or database, Beaver's or our JSON, or plain CSV."""
    if not data.strip():
        raise InputError("This file is empty; choose another one.")
    if len(data) > MAX_FILE_BYTES:
        raise TooLarge("This file is too large; export fewer habits at a time.")
    if data.startswith(b"PK"):
        return read_loop_csv(data)
    if data.startswith(MAGIC):
        return read_loop_db(data)
    try:
        text = decode_text(data).strip("\ufeff \t\r\n")
    except Unreadable as error:
        raise InputError("This file is neither CSV, nor JSON, nor an export of Loop.") from error
    if text.startswith("{"):
        return read_json(text.encode()) if FORMAT_NAME in text[:200] else read_beaver(text.encode())
    return read_csv(text)
