"""The reader's process: takes an request and bytes on its input, answers on its output, and binds its own hands first.

A file that crashes, stalls or swells its reader takes down this process and nothing else.
"""

import resource
import sys

import msgspec

from almanac.documents.model import ReadRequest, ReadResponse, Unreadable
from almanac.documents.reader import read_document
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext


def main() -> None:
    """One request, one answer."""
    request = msgspec.json.decode(sys.stdin.buffer.readline(), type=ReadRequest)
    _limit(request)
    content = sys.stdin.buffer.read()
    try:
        answer = ReadResponse(reading=read_document(content, request))
    except Unreadable as refusal:
        answer = ReadResponse(refused=str(refusal.sentence))
    except (MemoryError, RecursionError):
        answer = ReadResponse(
            refused=str(gettext("This file is built so that reading it would take all memory; it is not read."))
        )
    sys.stdout.buffer.write(encode_json(answer))


def _limit(request: ReadRequest) -> None:
    memory = request.max_memory_mb * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (request.max_seconds, request.max_seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
