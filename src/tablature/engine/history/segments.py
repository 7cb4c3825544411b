"""The files of a history: base copies of the table file, and log segments made of checksummed frames of changes.

A frame that a kill left incomplete is cut off before the next is written: its changes still wait in the table file.
"""

from __future__ import annotations

import math
import os
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from tablature.engine.storage.changes import StoredChange

_MAGIC = b"TBH1"
# Magic, payload bytes, checksum of the payload, first and last change, latest time, checksum of the last change.
_HEADER = struct.Struct(">4sIIQQdI")
_HEADER_SUM = struct.Struct(">I")
_HEADER_BYTES = _HEADER.size + _HEADER_SUM.size
_LARGEST_PAYLOAD = 1 << 30
SEGMENT_BYTES = 16 << 20
_SEGMENT_NAME = re.compile(r"log-(\d{20})\.seg")
_BASE_NAME = re.compile(r"base-(\d{20})-(\d{16})\.db\.gz")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[StoredChange]).decode


class HistoryDamaged(Exception):
    """The history can't give the state that was asked for; the message says why and what to do."""


class Frame(NamedTuple):
    """The header of some changes that were archived together."""

    first: int
    last: int
    latest: float
    last_checksum: int
    payload_at: int
    payload_bytes: int
    checksum: int

    @property
    def end(self) -> int:
        return self.payload_at + self.payload_bytes


@dataclass(frozen=True, slots=True, order=True)
class BaseCopy:
    """A copy of the whole table file with every change up to `sequence`; usable from `moment` on."""

    sequence: int
    moment: float
    path: Path


@dataclass(frozen=True, slots=True, order=True)
class LogSegment:
    """A file of frames; `first` is the number of its first change."""

    first: int
    path: Path


def history_folder(path: str | Path) -> Path:
    """Where the history of a table file is kept."""
    return Path(f"{path}-history")


def list_bases(folder: Path) -> list[BaseCopy]:
    """All base copies, the oldest first."""
    matches = ((_BASE_NAME.fullmatch(path.name), path) for path in _files(folder))
    return sorted(BaseCopy(int(match[1]), int(match[2]) / 1e6, path) for match, path in matches if match)


def base_path(folder: Path, sequence: int, moment: float) -> Path:
    # Rounded up, so that the copy never holds a change that is later than its name says.
    return folder / f"base-{sequence:020d}-{math.ceil(moment * 1e6):016d}.db.gz"


def list_segments(folder: Path) -> list[LogSegment]:
    """All segments, the oldest first."""
    matches = ((_SEGMENT_NAME.fullmatch(path.name), path) for path in _files(folder))
    return sorted(LogSegment(int(match[1]), path) for match, path in matches if match)


def segment_path(folder: Path, first: int) -> Path:
    return folder / f"log-{first:020d}.seg"


def _files(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def change_checksum(change: StoredChange) -> int:
    return zlib.crc32(_encode(change))


def encode_frame(changes: list[StoredChange], latest: float, at: int) -> tuple[Frame, bytes]:
    """A frame of changes to be written at a place of a segment, and its bytes."""
    payload = zlib.compress(_encode(changes), 1)
    first, last = changes[0].sequence, changes[-1].sequence
    checksum, last_checksum = zlib.crc32(payload), change_checksum(changes[-1])
    header = _HEADER.pack(_MAGIC, len(payload), checksum, first, last, latest, last_checksum)
    frame = Frame(first, last, latest, last_checksum, at + _HEADER_BYTES, len(payload), checksum)
    return frame, header + _HEADER_SUM.pack(zlib.crc32(header)) + payload


def read_frames(path: Path) -> Iterator[Frame]:
    """The headers of a segment's whole frames. Ends at the first that is incomplete or damaged."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        at = 0
        while at + _HEADER_BYTES <= size:
            file.seek(at)
            raw = file.read(_HEADER_BYTES)
            magic, length, checksum, first, last, latest, last_checksum = _HEADER.unpack(raw[: _HEADER.size])
            (header_sum,) = _HEADER_SUM.unpack(raw[_HEADER.size :])
            if magic != _MAGIC or header_sum != zlib.crc32(raw[: _HEADER.size]) or length > _LARGEST_PAYLOAD:
                return
            frame = Frame(first, last, latest, last_checksum, at + _HEADER_BYTES, length, checksum)
            if frame.end > size:
                return
            yield frame
            at = frame.end


def read_frame(path: Path, frame: Frame) -> list[StoredChange] | None:
    """The changes of a frame, or None if they are damaged."""
    with path.open("rb") as file:
        file.seek(frame.payload_at)
        payload = file.read(frame.payload_bytes)
    if zlib.crc32(payload) != frame.checksum:
        return None
    try:
        return _decode(zlib.decompress(payload))
    except (zlib.error, msgspec.MsgspecError):
        return None


def sync_folder(folder: Path) -> None:
    """Make new and removed names durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
