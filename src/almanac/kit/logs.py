"""Logging: one JSON object a line with the request id, or plain lines for a terminal; never personal data.

An unforeseen error is told by its name and by where it happened. Its message is left out, since a library's quotes what
was typed, sent or stored; whoever sets the level to debug asks for everything and gets that too.
"""

import logging
import sys
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from copy import copy
from datetime import UTC, datetime
from typing import Literal, TextIO

import msgspec

from almanac.kit.trace import current_trace_id

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

LogFormat = Literal["json", "text"]
# uvicorn adds its message a second time, for terminals with colours.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
# It tells of every step of every migration: hundreds of lines at a first start.
_TALKATIVE = ("yoyo.migrations",)


class _ErrorNameFormatter(logging.Formatter):
    """Tells errors without their messages."""

    def format(self, record: logging.LogRecord) -> str:
        if record.exc_info and record.exc_info[1] is not None and logging.getLogger().level > logging.DEBUG:
            record.exc_text = "\n".join(_describe_error(record.exc_info[1]))
        return super().format(record)


def _describe_error(error: BaseException, seen: frozenset[int] = frozenset()) -> Iterator[str]:
    """An error after those it came from, as Python prints them; only sentences that are our own are kept."""
    seen |= {id(error)}
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    several = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    for earlier in (cause, *several):
        if earlier is not None and id(earlier) not in seen:
            yield from _describe_error(earlier, seen)
            yield "which led to:"
    yield from (line.rstrip() for line in traceback.format_tb(error.__traceback__))
    sentence = getattr(error, "sentence", "")
    yield f"{type(error).__module__}.{type(error).__qualname__}" + (f": {sentence}" if sentence else "")


class JsonLines(_ErrorNameFormatter):
    """A record as one line of JSON; what was passed as `extra` becomes members of their own."""

    def format(self, record: logging.LogRecord) -> str:
        super().format(record)
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (current := request_id.get()) is not None:
            line["request_id"] = current
        if (trace_id := current_trace_id()) is not None:
            line["trace_id"] = trace_id
        line.update((name, value) for name, value in vars(record).items() if name not in _STANDARD)
        if record.exc_text:
            line["exception"] = record.exc_text
        return msgspec.json.encode(line, enc_hook=str).decode()


class TextLines(_ErrorNameFormatter):
    """A record as one readable line for a terminal."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")


class BriefLines(TextLines):
    """A record as one line even if it tells of an error: where in the program it happened is for whoever debugs it."""

    def format(self, record: logging.LogRecord) -> str:
        if logging.getLogger().level <= logging.DEBUG:
            return super().format(record)
        plain = copy(record)
        plain.exc_info = plain.exc_text = plain.stack_info = None
        return super().format(plain)


_FORMATTERS: dict[str, type[_ErrorNameFormatter]] = {"json": JsonLines, "text": TextLines, "brief": BriefLines}


def set_up_logging(log_format: LogFormat | Literal["brief"], level: str, stream: TextIO | None = None) -> None:
    """Send every logger of the process to one stream; calling it again replaces what was set up before."""
    output = logging.StreamHandler(stream or sys.stderr)
    output.setFormatter(_FORMATTERS[log_format]())
    root = logging.getLogger()
    root.handlers[:] = [output]
    root.setLevel(level.upper())
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(max(root.level, logging.WARNING))
