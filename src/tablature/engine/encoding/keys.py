"""Binary forms of key values, which determine equality, order, scan order and scan segments in storage.

A partition is stored under a hash prefix followed by the key's own bytes, so that a scan visits partitions in hash
order and a parallel scan can cut that order into segments.
"""

from collections.abc import Sequence
from hashlib import md5
from typing import Any

from tablature.engine.encoding.numbers import sortable
from tablature.engine.encoding.values import binary
from tablature.engine.schema import ScalarType

PREFIX_LENGTH = 4
_SALT = md5(b"Outliers", usedforsecurity=False)

ItemKey = tuple[bytes, bytes]


def encode(kind: ScalarType, given: Any) -> bytes:
    """The order-preserving bytes of one scalar (its wire text, already in normal form)."""
    if kind == "S":
        return given.encode("utf-8", "surrogatepass")  # type: ignore[no-any-return]  # a JSON string
    return sortable(given) if kind == "N" else binary(given)


def terminate_part(raw: bytes) -> bytes:
    """One attribute of a composite key, terminated so that concatenated attributes sort in order."""
    return raw.replace(b"\x00", b"\x00\xff") + b"\x00\x01"


def join_key_parts(parts: Sequence[bytes]) -> bytes:
    """The stored form of a key with one or several attributes."""
    return parts[0] if len(parts) == 1 else b"".join(map(terminate_part, parts))


def stored_partition_key(raw: bytes) -> bytes:
    """The stored form of a partition key: its hash prefix, then its own bytes."""
    digest = _SALT.copy()
    digest.update(raw)
    return digest.digest()[:PREFIX_LENGTH] + raw


def tiebreak(hash_raw: bytes, range_raw: bytes) -> bytes:
    """The order in which an index lists items whose index keys are equal."""
    digest = _SALT.copy()
    digest.update(hash_raw + range_raw)
    return digest.digest()[:PREFIX_LENGTH]


def segment_bounds(segment: int, total: int) -> tuple[bytes, bytes | None]:
    """The half-open range of stored partition keys that one of `total` parallel scan segments reads."""
    span = 1 << (8 * PREFIX_LENGTH)
    low = -(-span * segment // total)
    high = -(-span * (segment + 1) // total)
    end = None if high >= span else high.to_bytes(PREFIX_LENGTH, "big")
    return low.to_bytes(PREFIX_LENGTH, "big"), end


def successor(raw: bytes) -> bytes | None:
    """The smallest byte string greater than all with the prefix `raw`; None if there is none."""
    trimmed = raw.rstrip(b"\xff")
    return trimmed[:-1] + bytes([trimmed[-1] + 1]) if trimmed else None
