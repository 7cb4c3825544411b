"""`tablature history` and `recover`: how far an engine's history reaches, and any moment of it as a file."""

import sys
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from tablature.cli.arguments import Subcommands, add_command
from tablature.engine.history import HistoryDamaged, HistorySpan, describe_history, history_folder, recover_file
from tablature.errors import InputError


def add_recovery(commands: Subcommands) -> None:
    sentence = "Show how far back the history of an embedded engine's file reaches."
    _add_path(add_command(commands, "history", sentence, run_history))
    sentence = "Write the tables of an embedded engine as they were at a moment to a new file."
    parser = add_command(commands, "recover", sentence, run_recover)
    _add_path(parser)
    parser.add_argument("--to", required=True, type=parse_moment, metavar="TIME", help="such as 2026-11-18T07:00:00Z")
    parser.add_argument("--target", required=True, metavar="FILE", help="the file to write; it must not exist yet")


def _add_path(parser: ArgumentParser) -> None:
    parser.add_argument("--path", required=True, help="the file of an embedded engine; it may be lost or damaged")


def parse_moment(text: str) -> float:
    """A moment with its offset to UTC, for argparse."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    return moment.timestamp()


def run_history(options: Namespace) -> int:
    span = _require_span(Path(options.path))
    sys.stdout.write(
        f"from {_text(span.earliest)} on; last archived change at {_text(span.latest)}; "
        f"{span.bases} base copies, {span.bytes:,} bytes\n"
    )
    return 0


def run_recover(options: Namespace) -> int:
    path, target = Path(options.path), Path(options.target)
    _require_span(path)
    try:
        recovered = recover_file(path, options.to, target)
    except (HistoryDamaged, OSError) as problem:
        raise InputError(str(problem)) from problem
    sys.stdout.write(f"{target}: last change at {_text(recovered.latest)}, {recovered.changes:,} changes applied\n")
    return 0


def _require_span(path: Path) -> HistorySpan:
    span = describe_history(history_folder(path))
    if span is None:
        raise InputError(f"{path} has no history; start the engine with --history-days to keep one.")
    return span


def _text(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
