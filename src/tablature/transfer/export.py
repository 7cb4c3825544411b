"""Exports whole tables to files by parallel scans, while they stay in use.

Each item is exported exactly once, as it was at some moment during the export. Items that change meanwhile may be
exported before or after their change, each for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from tablature.operations.effects import Parallel, Steps, call
from tablature.transfer.descriptions import NAME, creation_from, read_recovery, read_ttl
from tablature.transfer.files import FORMAT, ItemWriter, TableFile, items_path, open_private
from tablature.wire import Request

TransferListener: TypeAlias = Callable[[str, int], None]
DEFAULT_SEGMENTS = 4


def export_tables(
    names: Mapping[str, str],
    folder: Path,
    *,
    segments: int = DEFAULT_SEGMENTS,
    listener: TransferListener | None = None,
    backups: Mapping[str, str] | None = None,
) -> Steps[list[TableFile]]:
    """Export tables, given as file name and name at the service. Files of earlier exports there are overwritten.

    `listener` gets the table's name and how many of its items are done. `backups` has the ARNs of on-demand backups
    by the tables' names at the service, to be kept with the export.
    """
    tell = listener or (lambda *_: None)
    exported = []
    for name, table in names.items():
        arn = (backups or {}).get(table)
        exported.append((yield from _export_table(name, table, folder, segments, tell, arn)))
    return exported


def _export_table(
    name: str, table: str, folder: Path, segments: int, tell: TransferListener, backup: str | None
) -> Steps[TableFile]:
    described = yield from call(NAME, "DescribeTable", {"TableName": table})
    ttl = yield from read_ttl(table)
    recovery = yield from read_recovery(table)
    with open_private(items_path(folder, name)) as file:
        writer = ItemWriter(file)
        yield Parallel(tuple(_export_segment(table, at, segments, writer, tell) for at in range(segments)))
    exported = TableFile(
        format=FORMAT,
        name=name,
        table=table,
        creation=creation_from(described["Table"]),
        ttl=ttl,
        recovery=recovery,
        items=writer.digest.items,
        checksum=writer.digest.checksum,
        backup=backup,
    )
    exported.write(folder)
    return exported


def _export_segment(table: str, segment: int, segments: int, writer: ItemWriter, tell: TransferListener) -> Steps[None]:
    request: Request = {"TableName": table, "ConsistentRead": True, "Segment": segment, "TotalSegments": segments}
    while True:
        page = yield from call(NAME, "Scan", request)
        writer.add(page["Items"])
        tell(table, writer.digest.items)
        if not page.get("LastEvaluatedKey"):
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
