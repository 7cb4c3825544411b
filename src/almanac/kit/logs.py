"""Logging: one JSON object a line with the request id, or plain lines for a terminal; never personal data."""

import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal, TextIO

import msgspec

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

LogFormat = Literal["json", "text"]
# uvicorn adds its message a second time, for terminals with colours.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
# It tells of every step of every migration: hundreds of lines at a first start.
_TALKATIVE = ("yoyo.migrations",)


class JsonLines(logging.Formatter):
    """A record as one line of JSON; what was passed as `extra` becomes members of their own."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (current := request_id.get()) is not None:
            line["request_id"] = current
        line.update((name, value) for name, value in vars(record).items() if name not in _STANDARD)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


class TextLines(logging.Formatter):
    """A record as one readable line for a terminal."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")


def set_up_logging(log_format: LogFormat, level: str, stream: TextIO | None = None) -> None:
    """Send every logger of the process to one stream; calling it again replaces what was set up before."""
    output = logging.StreamHandler(stream or sys.stderr)
    output.setFormatter(JsonLines() if log_format == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [output]
    root.setLevel(level.upper())
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(max(root.level, logging.WARNING))
