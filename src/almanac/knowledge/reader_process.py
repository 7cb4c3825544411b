"""Reads a file in a separate process, so that a file that crashes the reader is only refused."""

import asyncio
import logging
import sys
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from almanac.documents.model import ReadRequest, ReadResponse, ReadResult, Unreadable
from almanac.documents.sandbox import reader_environment
from almanac.errors import Unavailable
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext

logger = logging.getLogger(__name__)

_COMMAND = (sys.executable, "-m", "almanac.documents")
_BROKEN = gettext(
    "This file crashes the program that reads it, so it can't be read; save it again, perhaps in another format."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReadLimits:
    """Limits for reading one file."""

    max_seconds: int = 60
    max_memory_mb: int = 2000
    max_pages: int = 2000


async def read_in_process(content: bytes, errand: ReadRequest) -> ReadResult:
    """Read a file; raises Unreadable. Cancelling this kills the process."""
    process = await asyncio.create_subprocess_exec(
        *_COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=reader_environment(),
    )
    try:
        async with asyncio.timeout(errand.max_seconds):
            output, _ = await process.communicate(encode_json(errand) + b"\n" + content)
    except TimeoutError as error:
        sentence = gettext(
            "Reading this file takes longer than %(max_seconds)s seconds, so it can't be read; split it.",
            max_seconds=errand.max_seconds,
        )
        raise Unreadable(sentence) from error
    finally:
        await _stop_process(process)
    return _decode_response(output, process.returncode)


def _decode_response(output: bytes, code: int | None) -> ReadResult:
    try:
        answer = msgspec.json.decode(output, type=ReadResponse)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        logger.warning(gettext("The file reader stopped early."), extra={"code": code})
        if code:
            raise Unreadable(_BROKEN) from error
        raise Unavailable(gettext("The file reader didn't answer; the job will try again.")) from error
    if answer.reading is None:
        raise Unreadable(answer.refused or _BROKEN)
    return answer.reading


async def _stop_process(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
