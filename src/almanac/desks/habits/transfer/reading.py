"""Which program wrote a file, told by its first bytes and not by its name; then that form's reader."""

from almanac.desks.habits.transfer.beaver import read_beaver
from almanac.desks.habits.transfer.bundle import MOST_BYTES, Bundle
from almanac.desks.habits.transfer.json_form import FORM, read_json
from almanac.desks.habits.transfer.loop_csv import read_loop_csv
from almanac.desks.habits.transfer.loop_db import MAGIC, read_loop_db
from almanac.desks.habits.transfer.plain_csv import read_csv
from almanac.errors import InputError, TooLarge


def read_file(data: bytes) -> Bundle:
    """The habits in a file: Loop's archive or database, Beaver's or our JSON, or plain CSV."""
    if not data.strip():
        raise InputError("This file is empty; choose another one.")
    if len(data) > MOST_BYTES:
        raise TooLarge("This file is too large; export fewer habits at a time.")
    if data.startswith(b"PK"):
        return read_loop_csv(data)
    if data.startswith(MAGIC):
        return read_loop_db(data)
    if data.lstrip().startswith((b"{", b"\xef\xbb\xbf{")):
        return read_json(data) if FORM.encode() in data[:200] else read_beaver(data.removeprefix(b"\xef\xbb\xbf"))
    try:
        return read_csv(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError("This file is neither CSV in UTF-8, nor JSON, nor an export of Loop.") from error
