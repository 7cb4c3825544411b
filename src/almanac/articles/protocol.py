"""What passes between us and a reader's process: frames of a length and a message, in both directions."""

import struct
from typing import BinaryIO

import msgspec

from almanac.articles.feed import ParsedFeed
from almanac.articles.page import ParsedPage

LENGTH = struct.Struct(">I")


class PageResponse(msgspec.Struct, frozen=True, kw_only=True):
    """How the reading went: a page or feed, or the cause and sentence of a refusal, and where the page leads on to.

    A file that was to be a feed and is none has neither.
    """

    page: ParsedPage | None = None
    feed: ParsedFeed | None = None
    cause: str = ""
    refused: str = ""
    leads_to: str | None = None


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next message; None where the other side is gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    body = stream.read(size)
    return body if len(body) == size else None


def frame_message(message: bytes) -> bytes:
    return LENGTH.pack(len(message)) + message
