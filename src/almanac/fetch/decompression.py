"""Bodies read piece by piece under a limit that holds before and after unpacking, so that no bomb goes off."""

import zlib
from collections.abc import AsyncIterator

from almanac.fetch.errors import BodyTooLarge, FetchFailed
from almanac.kit.messages import gettext

ACCEPTED = "gzip, deflate"
_GZIP = 16 + zlib.MAX_WBITS


class BodyDecompressor:
    """Collects a body that may be packed with gzip or deflate, up to `max_bytes` either way."""

    def __init__(self, encoding: str, max_bytes: int) -> None:
        self._encoding = encoding.strip().lower()
        if self._encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise FetchFailed(
                gettext("The answer is packed as %(encoding)s, which was not asked for.", encoding=self._encoding[:20])
            )
        self._max_bytes = max_bytes
        self._received = 0
        self._body = bytearray()
        self._inflate = zlib.decompressobj(_GZIP) if self._encoding.endswith("gzip") else None

    def feed(self, piece: bytes) -> None:
        """Take the next piece; the limit is checked as far as it has been unpacked."""
        self._received += len(piece)
        self._check(self._received)
        if self._encoding in ("", "identity"):
            self._body += piece
            return
        if self._inflate is None:
            # "deflate" means zlib by the standard; some hosts send the bare stream instead.
            self._inflate = zlib.decompressobj(zlib.MAX_WBITS if piece[:1] == b"\x78" else -zlib.MAX_WBITS)
        try:
            self._body += self._inflate.decompress(piece, self._max_bytes + 1 - len(self._body))
        except zlib.error as error:
            raise FetchFailed(gettext("The answer is damaged: it can't be unpacked.")) from error
        self._check(len(self._body) + len(self._inflate.unconsumed_tail))

    def finish(self) -> bytes:
        """The whole body; one that was cut off in the middle is no body, and nothing at all is an empty one."""
        if self._received and self._inflate is not None and not self._inflate.eof:
            raise FetchFailed(gettext("The answer is damaged: it ends in the middle."))
        return bytes(self._body)

    def _check(self, size: int) -> None:
        if size > self._max_bytes:
            raise BodyTooLarge(
                gettext("The answer is larger than the %(limit)s allowed.", limit=_size(self._max_bytes))
            )


async def read_body(pieces: AsyncIterator[bytes], encoding: str, max_bytes: int) -> bytes:
    """The body of an answer."""
    unpacker = BodyDecompressor(encoding, max_bytes)
    async for piece in pieces:
        unpacker.feed(piece)
    return unpacker.finish()


def _size(number: int) -> str:
    return f"{number / 1_000_000:.3g} MB" if number >= 100_000 else f"{number:,} bytes"
