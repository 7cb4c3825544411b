"""`tablature migrate` and `backfill`: rewrite stored items to match the declarations, in resumable steps."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable

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
from tablature.cli.targets import add_target, open_transport
from tablature.database import Database
from tablature.operations.backfill import Progress
from tablature.schema.model import EntitySchema
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
    add_target(parser)
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
    transport = open_transport(options)
    chosen = DryRunTransport(transport) if options.dry_run else transport
    with Database(chosen, names=names, spread=not options.unsharded) as database:
        for entity in entities:
            _rewrite_entity(options, verb(database.admin), entity)
    return 0


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
