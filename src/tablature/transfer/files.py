"""The files of an export: `NAME.jsonl` has one item per line, `NAME.json` the schema, the count and the checksum.

The checksum doesn't depend on the order of the items, nor on how a service writes a number or orders a set, so that
two tables with the same content have the same one.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from threading import Lock
from typing import IO, Any

import msgspec

from tablature.errors import ExportDamaged, InputError
from tablature.wire import AttributeValue, Item, Request

FORMAT = 1
_STEM = re.compile(r"[A-Za-z0-9_.-]{1,255}")
_SETS = frozenset({"SS", "NS", "BS"})
_MODULUS = 1 << 128
_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder(dict[str, dict[str, Any]]).decode


class TableFile(msgspec.Struct, frozen=True, kw_only=True):
    """What `NAME.json` says about a table: where it came from, how to create it, and what its items add up to.

    `creation` is a CreateTable request. `backup` is the ARN of an on-demand backup made with the export.
    """

    format: int
    name: str
    table: str
    creation: Request
    ttl: str | None
    recovery: bool
    items: int
    checksum: str
    backup: str | None = None

    def write(self, folder: Path) -> None:
        content = msgspec.json.format(msgspec.json.encode(self), indent=1)
        with open_private(schema_path(folder, self.name)) as file:
            file.write(content)


class ItemDigest:
    """The count and the checksum of a set of items, in whatever order they are added."""

    def __init__(self) -> None:
        self.items = 0
        self._sum = 0

    def add(self, item: Item) -> None:
        self.items += 1
        self._sum += int.from_bytes(fingerprint(item))

    @property
    def checksum(self) -> str:
        return f"{self._sum % _MODULUS:032x}"

    @property
    def value(self) -> tuple[int, str]:
        return self.items, self.checksum


class ItemWriter:
    """Writes items as lines; several threads may share it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._turn = Lock()
        self.digest = ItemDigest()

    def add(self, items: Iterable[Item]) -> None:
        with self._turn:
            for item in items:
                self._file.write(_encode(item) + b"\n")
                self.digest.add(item)


def fingerprint(item: Item) -> bytes:
    """Sixteen bytes that equal items share, and no others."""
    return hashlib.sha256(_encode(_canonical_item(item))).digest()[:16]


def _canonical_item(item: Item) -> Item:
    return {name: _canonical_value(value) for name, value in item.items()}


def _canonical_value(value: AttributeValue) -> AttributeValue:
    ((kind, content),) = value.items()
    if kind == "N":
        return {kind: _canonical_number(content)}
    if kind in _SETS:
        return {kind: sorted(_canonical_number(each) if kind == "NS" else each for each in content)}
    if kind == "L":
        return {kind: [_canonical_value(each) for each in content]}
    if kind == "M":
        return {kind: _canonical_item(content)}
    return value


def _canonical_number(text: str) -> str:
    if text.isdigit() and (text[0] != "0" or text == "0"):
        return text
    number = Decimal(text)
    return format(number.normalize(), "f") if number else "0"


def open_private(path: Path) -> IO[bytes]:
    """A new file that only its owner may read: tables may hold personal data."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def items_path(folder: Path, name: str) -> Path:
    return folder / f"{_checked_stem(name)}.jsonl"


def schema_path(folder: Path, name: str) -> Path:
    return folder / f"{_checked_stem(name)}.json"


def _checked_stem(name: str) -> str:
    if not _STEM.fullmatch(name):
        raise InputError(f"{name!r} can't name the files of a table; use letters, digits, '_', '.' and '-'.")
    return name


def read_items(folder: Path, name: str) -> Iterator[Item]:
    """The items of a table's file, one at a time."""
    path = items_path(folder, name)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield _decode(line)
                except msgspec.MsgspecError as error:
                    raise ExportDamaged(f"Line {number} of {path.name} isn't an item; use another export.") from error
    except OSError as error:
        raise ExportDamaged(f"{path.name} can't be read ({error.strerror}); use another export.") from error


def read_table_file(folder: Path, name: str) -> TableFile:
    """The description of an exported table."""
    path = schema_path(folder, name)
    try:
        table = msgspec.json.decode(path.read_bytes(), type=TableFile)
    except (OSError, msgspec.MsgspecError) as error:
        raise ExportDamaged(f"{path.name} can't be read as the description of a table ({error}).") from error
    if table.format != FORMAT or table.name != name:
        raise ExportDamaged(f"{path.name} describes another table or was written by another version.")
    return table


def verify_files(folder: Path) -> list[TableFile]:
    """Read every file of an export and compare it with its count and checksum. Raises ExportDamaged."""
    tables = [read_table_file(folder, path.stem) for path in sorted(folder.glob("*.json"))]
    if not tables:
        raise ExportDamaged(f"{folder} has no exported table; name the folder of an export.")
    for table in tables:
        digest = ItemDigest()
        for item in read_items(folder, table.name):
            digest.add(item)
        if digest.value != (table.items, table.checksum):
            raise ExportDamaged(
                f"{table.name}.jsonl has {digest.items:,} items, and not the {table.items:,} that were exported "
                "with their checksum; use another export."
            )
    return tables
