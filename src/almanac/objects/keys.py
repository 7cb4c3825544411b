"""Which keys an object may have, so that one key means one object in a folder, in S3 and in memory alike."""

import mimetypes
import re
import unicodedata

from almanac.errors import InputError

KEY_BYTES = 1024
SEGMENT_BYTES = 255
_STAGED_NAME = re.compile(r"#\d+$")
_PLAIN_BYTES = "application/octet-stream"


def valid_key(key: str) -> str:
    """The key itself, or an InputError that says what is wrong with it."""
    if not key:
        raise InputError("An object needs a key; an empty one names nothing.")
    if _size(key) > KEY_BYTES:
        raise InputError(f"An object key may have {KEY_BYTES} bytes at most; this one is longer.")
    for segment in key.split("/"):
        _check_segment(segment, key)
    if _STAGED_NAME.search(key):
        raise InputError(f"The object key {key!r} ends in # and a number, which a folder can't store; rename it.")
    return key


def valid_prefix(prefix: str) -> str:
    """A prefix names whole segments (`recap/raw` or `recap/raw/`); the empty one names everything."""
    trimmed = prefix.removesuffix("/")
    if not trimmed and prefix:
        raise InputError("A prefix can't be a bare slash; leave it empty to mean every object.")
    for segment in trimmed.split("/") if trimmed else ():
        _check_segment(segment, prefix)
    return trimmed


def content_type_of(key: str) -> str:
    """The content type that the key's ending suggests, for objects stored without one."""
    guessed, encoding = mimetypes.guess_type(key, strict=False)
    return _PLAIN_BYTES if guessed is None or encoding else guessed


def _check_segment(segment: str, key: str) -> None:
    if not segment:
        raise InputError(f"The object key {key!r} has an empty part; write it without double or outer slashes.")
    if segment in {".", ".."}:
        raise InputError(f"The object key {key!r} has a part that points elsewhere; leave out '.' and '..'.")
    if "\\" in segment or any(unicodedata.category(c) in {"Cc", "Zl", "Zp"} for c in segment):
        raise InputError(f"The object key {key!r} has a backslash or a control character; leave it out.")
    if _size(segment) > SEGMENT_BYTES:
        raise InputError(
            f"Each part of an object key may have {SEGMENT_BYTES} bytes at most; shorten {segment[:40]!r}."
        )


def _size(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise InputError(f"The object key {text!r} is no valid Unicode text.") from error
