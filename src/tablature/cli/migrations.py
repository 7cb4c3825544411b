"""`tablature migrate` and `backfill`: rewrite stored items to match the declarations, in resumable steps."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tablature.admin import Admin
from tablature.cli.arguments import (
    Subcommands,
    add_command,
    add_entities,
    add_modules,
    add_names,
    load_design,
    physical_names,
    positive_int,
    select_entities,
)
from tablature.database import Database
from tablature.engine.storage import UnreadableFile
from tablature.errors import InputError
from tablature.operations.backfill import Progress
from tablature.schema.model import EntitySchema
from tablature.transport.aws import Aws
from tablature.transport.embedded import Embedded
from tablature.transport.port import Transport
from tablature.wire import Request, Response

_WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})


class DryRunTransport:
    """Stands before another transport and keeps every write from it."""

    def __init__(self, real: Transport) -> None:
        self._real = real

    def send(self, operation: str, request: Request) -> Response:
        return _empty_response() if operation in _WRITES else self._real.send(operation, request)

    async def send_async(self, operation: str, request: Request) -> Response:
        return _empty_response() if operation in _WRITES else await self._real.send_async(operation, request)

    def close(self) -> None:
        self._real.close()

    async def close_async(self) -> None:
        await self._real.close_async()


def _empty_response() -> dict[str, Any]:
    """What the service says to a write that went well and returns nothing."""
    return {}


_PAGES_A_STEP = 10
Rewrite = Callable[..., Progress]


def add_migrations(commands: Subcommands) -> None:
    sentence = "Write back items of an older schema version; a stopped run is continued by the next."
    _add_arguments(add_command(commands, "migrate", sentence, run_migrate))
    sentence = "Bring keys, copies and unique values of all items to what the declarations imply; resumable."
    _add_arguments(add_command(commands, "backfill", sentence, run_backfill))


def _add_arguments(parser: ArgumentParser) -> None:
    add_modules(parser)
    add_names(parser)
    add_entities(parser)
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--path", help="the file of an embedded engine")
    place.add_argument("--endpoint", metavar="URL", help="the address of a DynamoDB-compatible service")
    place.add_argument("--aws", action="store_true", help="Amazon DynamoDB")
    parser.add_argument("--region", help="the region (default: as every AWS tool finds it)")
    parser.add_argument("--rate", type=_rate, metavar="N", help="at most so many items per second")
    parser.add_argument("--pages", type=positive_int, metavar="N", help="stop after so many pages of 100 items")
    parser.add_argument(
        "--unsharded", action="store_true", help="write indexes that have an unsharded form in that form alone"
    )
    parser.add_argument("--dry-run", action="store_true", help="count what would change, and write nothing")


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate < float("inf"):
        raise ArgumentTypeError(f"a rate is a number of items per second above zero, not {text!r}")
    return rate


def run_migrate(options: Namespace) -> int:
    return _rewrite_all(options, lambda admin: admin.migrate)


def run_backfill(options: Namespace) -> int:
    return _rewrite_all(options, lambda admin: admin.backfill)


def _rewrite_all(options: Namespace, verb: Callable[[Admin], Rewrite]) -> int:
    design = load_design(options.modules)
    entities = select_entities(design, options.entity)
    names = physical_names(design, options.name)
    transport = _transport(options)
    chosen = DryRunTransport(transport) if options.dry_run else transport
    with Database(chosen, names=names, spread=not options.unsharded) as database:
        for entity in entities:
            _rewrite_entity(options, verb(database.admin), entity)
    return 0


def _transport(options: Namespace) -> Transport:
    if options.path is None:
        region = options.region or ("local" if options.endpoint else None)
        return Aws(endpoint_url=options.endpoint, region=region)
    if not Path(options.path).is_file():
        raise InputError(f"There is no file {options.path!r}; name the file of an embedded engine.")
    try:
        return Embedded(options.path)
    except (UnreadableFile, OSError) as problem:
        raise InputError(f"{options.path!r} can't be opened: {problem}.") from problem


def _rewrite_entity(options: Namespace, rewrite: Rewrite, entity: EntitySchema) -> None:
    """In steps of a few pages, so that there is something to see; a dry run keeps no place and goes in one step."""
    scanned = changed = pages = 0
    while True:
        left = None if options.pages is None else options.pages - pages
        step = left if options.dry_run else min(_PAGES_A_STEP, left or _PAGES_A_STEP)
        progress = rewrite(entity.cls, rate=options.rate, most_pages=step)
        scanned, changed = scanned + progress.scanned, changed + progress.changed
        pages += step or 0
        stopped = options.pages is not None and pages >= options.pages
        _print_progress(options, entity, scanned, changed, progress, stopped)
        if progress.is_done or stopped:
            return


def _print_progress(
    options: Namespace, entity: EntitySchema, scanned: int, changed: int, progress: Progress, stopped: bool
) -> None:
    verb = "would change" if options.dry_run else "changed"
    state = "done" if progress.is_done else "stopped; run it again to go on" if stopped else "going on"
    sys.stdout.write(f"{entity.name}: {scanned:,} looked at, {changed:,} {verb}; {state}\n")
    sys.stdout.flush()
