"""`tablature migrate` and `backfill`: rewrite stored items to match the declarations, in resumable steps."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path

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

_PAGES_PER_STEP = 10
Rewrite = Callable[..., Progress]
_WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})


class DryRunTransport:
    """Passes reads to another transport and drops writes."""

    def __init__(self, real: Transport) -> None:
        self._real = real

    def send(self, operation: str, request: Request) -> Response:
        return {} if operation in _WRITES else self._real.send(operation, request)

    async def send_async(self, operation: str, request: Request) -> Response:
        return {} if operation in _WRITES else await self._real.send_async(operation, request)

    def close(self) -> None:
        self._real.close()

    async def close_async(self) -> None:
        await self._real.close_async()


def add_migrations(commands: Subcommands) -> None:
    sentence = "Rewrite items of an older schema version; the next run continues a stopped one."
    _add_arguments(add_command(commands, "migrate", sentence, run_migrate))
    sentence = "Rewrite keys, copies and unique values of all items to match the declarations; resumable."
    _add_arguments(add_command(commands, "backfill", sentence, run_backfill))


def _add_arguments(parser: ArgumentParser) -> None:
    add_modules(parser)
    add_names(parser)
    add_entities(parser)
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("--path", help="the file of an embedded engine")
    target.add_argument("--endpoint", metavar="URL", help="the address of a DynamoDB-compatible service")
    target.add_argument("--aws", action="store_true", help="Amazon DynamoDB")
    parser.add_argument("--region", help="the region (default: from the environment, as in every AWS tool)")
    parser.add_argument("--rate", type=_rate, metavar="N", help="at most this many items per second")
    parser.add_argument("--pages", type=positive_int, metavar="N", help="stop after this many pages of 100 items")
    parser.add_argument(
        "--unsharded", action="store_true", help="write indexes with an unsharded form only in that form"
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
        raise InputError(f"File {options.path!r} doesn't exist; name the file of an embedded engine.")
    try:
        return Embedded(options.path)
    except (UnreadableFile, OSError) as problem:
        raise InputError(f"{options.path!r} can't be opened: {problem}.") from problem


def _rewrite_entity(options: Namespace, rewrite: Rewrite, entity: EntitySchema) -> None:
    """Works in steps of a few pages, to show progress. A dry run stores no checkpoint, so it is one step."""
    scanned = changed = pages = 0
    while True:
        left = None if options.pages is None else options.pages - pages
        step = left if options.dry_run else min(_PAGES_PER_STEP, left or _PAGES_PER_STEP)
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
    state = "done" if progress.is_done else "stopped; run it again to continue" if stopped else "continuing"
    sys.stdout.write(f"{entity.name}: {scanned:,} scanned, {changed:,} {verb}; {state}\n")
    sys.stdout.flush()
