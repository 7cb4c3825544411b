"""Reads one HTTP/1.1 answer from whatever pieces arrive, without any input or output of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

_LONGEST_HEAD = 65_536


class RawResponse(NamedTuple):
    """What came back: header names in lower case, the body whole."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ConnectionLost(OSError):
    """The connection broke, timed out or spoke something that is not HTTP."""


class AnswerReader:
    """Fed with bytes until `response` is there; `is_reusable` then tells whether the connection may serve again."""

    def __init__(self) -> None:
        self.response: RawResponse | None = None
        self.is_reusable = False
        self._buffer = bytearray()
        self._status = 0
        self._headers: dict[str, str] | None = None
        self._keeps_alive = False
        self._length: int | None = None
        self._chunks: list[bytes] | None = None

    def feed(self, data: bytes) -> None:
        """Take in what arrived."""
        self._buffer += data
        while self._headers is None and self._read_head():
            pass
        if self._headers is None:
            return
        if self._chunks is not None:
            self._read_chunks(self._chunks)
        elif self._length is not None and len(self._buffer) >= self._length:
            self._finish(bytes(self._buffer[: self._length]), rest=len(self._buffer) - self._length)

    def end(self) -> None:
        """The other side has closed; an answer of no stated length ends here, any other is cut off."""
        if self.response is None and self._headers is not None and self._length is None and self._chunks is None:
            self._finish(bytes(self._buffer), rest=1)
        if self.response is None:
            raise ConnectionLost("the server closed the connection in the middle of its answer")

    def _read_head(self) -> bool:
        """Read a head if there is a whole one; True when another may follow, as after `100 Continue`."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _LONGEST_HEAD:
                raise ConnectionLost("the answer's headers never end")
            return False
        first, *lines = bytes(self._buffer[:end]).split(b"\r\n")
        del self._buffer[: end + 4]
        version, _, rest = first.partition(b" ")
        if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
            raise ConnectionLost("the answer is not HTTP/1.1")
        self._status = int(rest[:3])
        if self._status == 100:
            return True
        pairs = (line.decode("latin-1").partition(":") for line in lines)
        self._headers = {name.lower(): value.strip() for name, _, value in pairs}
        self._expect_body(self._headers, version)
        return False

    def _expect_body(self, headers: Mapping[str, str], version: bytes) -> None:
        default = "keep-alive" if version == b"HTTP/1.1" else "close"
        self._keeps_alive = headers.get("connection", default).lower() != "close"
        if "chunked" in headers.get("transfer-encoding", ""):
            self._chunks = []
            return
        length = headers.get("content-length")
        if length is not None and not length.isdigit():
            raise ConnectionLost("the answer's length is not a number")
        self._length = None if length is None else int(length)

    def _read_chunks(self, chunks: list[bytes]) -> None:
        while (line_end := self._buffer.find(b"\r\n")) >= 0:
            try:
                size = int(self._buffer[:line_end].partition(b";")[0], 16)
            except ValueError:
                raise ConnectionLost("the answer's chunks make no sense") from None
            start = line_end + 2
            if size == 0:
                self._finish_chunks(chunks, start)
                return
            if len(self._buffer) < start + size + 2:
                return
            chunks.append(bytes(self._buffer[start : start + size]))
            del self._buffer[: start + size + 2]

    def _finish_chunks(self, chunks: list[bytes], start: int) -> None:
        """After the last chunk come trailers, which we don't need, and an empty line."""
        if self._buffer[start : start + 2] == b"\r\n":
            self._finish(b"".join(chunks), rest=len(self._buffer) - start - 2)
        elif (end := self._buffer.find(b"\r\n\r\n", start)) >= 0:
            self._finish(b"".join(chunks), rest=len(self._buffer) - end - 4)

    def _finish(self, body: bytes, *, rest: int) -> None:
        """Bytes beyond the answer mean that both sides are out of step, so the connection is not used again."""
        assert self._headers is not None
        self.response = RawResponse(self._status, self._headers, body)
        self.is_reusable = self._keeps_alive and rest == 0


def request_bytes(path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """A POST as it goes over the wire."""
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {path} HTTP/1.1\r\n{head}content-length: {len(body)}\r\n\r\n".encode() + body
