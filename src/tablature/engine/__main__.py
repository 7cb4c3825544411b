"""Runs the engine as an HTTP server: `python -m tablature.engine --port 8000 --path data.db`."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
from collections.abc import Sequence

from tablature.engine.engine import Engine
from tablature.engine.history import HistoryArchive
from tablature.engine.housekeeping import Housekeeper
from tablature.engine.server.application import Application
from tablature.engine.server.listener import Server
from tablature.engine.storage import UnreadableFile

_USAGE_ERROR = 2
# Shorter than the default, so that a long scan on one connection does not hold up short reads on others.
_SWITCH_SECONDS = 0.001


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stopped. Returns the exit code."""
    options = _parse(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        engine = Engine.memory() if options.memory else Engine(options.path)
    except (UnreadableFile, OSError) as error:
        return _reject(str(error))
    with engine:
        try:
            server = Server(Application(engine), options.host, options.port)
        except (OSError, OverflowError) as error:
            return _reject(
                f"Cannot listen on {options.host} port {options.port} ({error}); choose another with --host or --port."
            )
        _serve(engine, server, _open_history(engine, options.history_days))
    return 0


def _open_history(engine: Engine, days: int | None) -> HistoryArchive | None:
    """The history that the options ask for; without the option, the one that the file has, if any."""
    if engine.storage.is_in_memory:
        return None
    history = HistoryArchive(engine.storage)
    if days == 0:
        history.stop()
    elif days is not None:
        history.start(days)
    return history


def _serve(engine: Engine, server: Server, history: HistoryArchive | None) -> None:
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    housekeeper = Housekeeper(engine.storage, history=history)
    housekeeper.start()
    server.start()
    sys.stdout.write(f"Listening on http://{server.host}:{server.port}\n")
    sys.stdout.flush()
    stopping.wait()
    server.close()
    housekeeper.stop()


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tablature.engine", description="Serve a DynamoDB-compatible engine over HTTP."
    )
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--path", help="the SQLite file that holds the data; created when there is none")
    place.add_argument("--memory", action="store_true", help="keep everything in memory, for tests")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: %(default)s)")
    parser.add_argument(
        "--history-days",
        type=int,
        metavar="N",
        help="keep a history beside the file, to recover any second of the last N days; 0 deletes it",
    )
    return parser.parse_args(arguments)


def _reject(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return _USAGE_ERROR


if __name__ == "__main__":
    sys.exit(main())
