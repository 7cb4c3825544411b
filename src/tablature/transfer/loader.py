"""Imports exported tables: everything is verified before the first write, and compared after the last.

Into missing or empty tables it is all or nothing. With `replace` the tables end with exactly the exported items; an
interrupted run leaves a mixture that the next one completes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from tablature.errors import ImportMismatch, InputError, ServiceError, TableMissing, TableNotEmpty, Throttled
from tablature.operations.effects import MAX_BATCH_ATTEMPTS, Parallel, Sleep, Steps, call
from tablature.transfer.descriptions import NAME, read_ttl
from tablature.transfer.export import DEFAULT_SEGMENTS, TransferListener
from tablature.transfer.files import ItemDigest, TableFile, fingerprint, read_items
from tablature.wire import Item, Request

T = TypeVar("T")
_BATCH, _BATCHES_AT_ONCE = 25, 8
# Items that expire within the hour may be gone before they are compared.
_SOON_SECONDS = 3600
_MAX_POLLS = 600


@dataclass(slots=True)
class _ImportTarget:
    """A table to fill: from which file, whether it was created for that, and by which attribute its items expire."""

    file: TableFile
    table: str
    is_missing: bool
    ttl: str | None
    keys: tuple[str, ...]

    def is_lasting(self, item: Item) -> bool:
        """False if the service may delete the item during the import because it expires."""
        moment = item.get(self.ttl, {}).get("N") if self.ttl else None
        return moment is None or float(moment) > time.time() + _SOON_SECONDS

    def key_of(self, item: Item) -> Item:
        return {name: item[name] for name in self.keys}


def import_tables(
    folder: Path,
    files: Sequence[TableFile],
    *,
    names: Mapping[str, str] | None = None,
    replace: bool = False,
    listener: TransferListener | None = None,
) -> Steps[None]:
    """Import the files that `verify_files` returned. `names` has other names at the service, by file name.

    A missing table is created as it was exported. Raises TableNotEmpty before anything is written, unless `replace`.
    """
    tell = listener or (lambda *_: None)
    targets = []
    for file in files:
        target = yield from _inspect(file, (names or {}).get(file.name, file.table), replace=replace)
        targets.append(target)
    try:
        for target in targets:
            yield from _import_table(folder, target, tell, replace=replace)
    except Exception:
        if not replace:
            yield from _undo(targets)
        raise
    for target in targets:
        if target.is_missing:
            yield from _switch_on_settings(target)


def _inspect(file: TableFile, table: str, *, replace: bool) -> Steps[_ImportTarget]:
    keys = tuple(key["AttributeName"] for key in file.creation["KeySchema"])
    try:
        described = yield from call(NAME, "DescribeTable", {"TableName": table})
    except TableMissing:
        return _ImportTarget(file, table, True, file.ttl, keys)
    if _key_of(described["Table"]) != _key_of(file.creation):
        raise InputError(
            f"The table {table} has another key than {file.name} in the export; import into another table."
        )
    first = yield from call(NAME, "Scan", {"TableName": table, "Limit": 1, "ConsistentRead": True})
    if first["Items"] and not replace:
        raise TableNotEmpty(table)
    ttl = yield from read_ttl(table)
    return _ImportTarget(file, table, False, ttl or file.ttl, keys)


def _key_of(description: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    types = {each["AttributeName"]: each["AttributeType"] for each in description["AttributeDefinitions"]}
    return [(key["AttributeName"], key["KeyType"], types[key["AttributeName"]]) for key in description["KeySchema"]]


def _import_table(folder: Path, target: _ImportTarget, tell: TransferListener, *, replace: bool) -> Steps[None]:
    if target.is_missing:
        yield from call(NAME, "CreateTable", target.file.creation | {"TableName": target.table})
        yield from _wait_until_active(target.table)
    expected, kept = ItemDigest(), set[bytes]()
    done = 0
    for items in _chunks(read_items(folder, target.file.name), _BATCH * _BATCHES_AT_ONCE):
        for item in items:
            if target.is_lasting(item):
                expected.add(item)
            if replace:
                kept.add(fingerprint(target.key_of(item)))
        yield from _write_all(target.table, ({"PutRequest": {"Item": item}} for item in items))
        done += len(items)
        tell(target.table, done)
    if replace and not target.is_missing:
        yield from _delete_others(target, kept)
    yield from _compare(target, expected)


def _chunks(values: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(values)
    while chunk := list(islice(iterator, size)):
        yield chunk


def _write_all(table: str, writes: Iterable[Request]) -> Steps[None]:
    yield Parallel(tuple(_write_batch(table, batch) for batch in _chunks(writes, _BATCH)))


def _write_batch(table: str, writes: list[Request]) -> Steps[None]:
    left: dict[str, list[Request]] = {table: writes}
    for turn in range(MAX_BATCH_ATTEMPTS):
        response = yield from call(NAME, "BatchWriteItem", {"RequestItems": left})
        left = response.get("UnprocessedItems") or {}
        if not left:
            return
        yield Sleep(0.025 * 2**turn)
    raise Throttled("UnprocessedItems", "the service left part of a batch undone every time; try again later")


def _delete_others(target: _ImportTarget, kept: set[bytes]) -> Steps[None]:
    """Delete the items that the export doesn't have."""
    names = {f"#{at}": name for at, name in enumerate(target.keys)}
    request: Request = {"ProjectionExpression": ", ".join(names), "ExpressionAttributeNames": names}
    extra: list[Item] = []

    def keep(items: list[Item]) -> None:
        extra.extend(key for key in items if fingerprint(key) not in kept)

    yield from _scan_all(target.table, request, keep)
    for keys in _chunks(extra, _BATCH * _BATCHES_AT_ONCE):
        yield from _write_all(target.table, ({"DeleteRequest": {"Key": key}} for key in keys))


def _compare(target: _ImportTarget, expected: ItemDigest) -> Steps[None]:
    actual = ItemDigest()

    def count(items: list[Item]) -> None:
        for item in items:
            if target.is_lasting(item):
                actual.add(item)

    yield from _scan_all(target.table, {}, count)
    if actual.value != expected.value:
        raise ImportMismatch(
            f"After the import the table {target.table} has {actual.items:,} items that aren't the {expected.items:,} "
            "exported ones: another program writes to it. Stop that and import again."
        )


def _scan_all(table: str, request: Request, consume: Callable[[list[Item]], None]) -> Steps[None]:
    segments = tuple(
        _scan_segment({**request, "TableName": table, "Segment": at, "TotalSegments": DEFAULT_SEGMENTS}, consume)
        for at in range(DEFAULT_SEGMENTS)
    )
    yield Parallel(segments)


def _scan_segment(request: Request, consume: Callable[[list[Item]], None]) -> Steps[None]:
    request = request | {"ConsistentRead": True}
    while True:
        page = yield from call(NAME, "Scan", request)
        consume(page["Items"])
        if not page.get("LastEvaluatedKey"):
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _undo(targets: list[_ImportTarget]) -> Steps[None]:
    """Leave tables as they were met: missing or empty."""
    for target in targets:
        try:
            if target.is_missing:
                yield from call(NAME, "DeleteTable", {"TableName": target.table})
            else:
                yield from _delete_others(target, set())
        except ServiceError:
            # It never was created, or the service is away; what ended the import matters more.
            continue


def _switch_on_settings(target: _ImportTarget) -> Steps[None]:
    """Last, so that nothing expires before it was compared."""
    if target.file.ttl is not None:
        setting = {"Enabled": True, "AttributeName": target.file.ttl}
        yield from call(NAME, "UpdateTimeToLive", {"TableName": target.table, "TimeToLiveSpecification": setting})
    if target.file.recovery:
        request = {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
        yield from call(NAME, "UpdateContinuousBackups", {"TableName": target.table, **request})


def _wait_until_active(table: str) -> Steps[None]:
    for _ in range(_MAX_POLLS):
        described = yield from call(NAME, "DescribeTable", {"TableName": table})
        if described["Table"].get("TableStatus", "ACTIVE") == "ACTIVE":
            return
        yield Sleep(0.5)
