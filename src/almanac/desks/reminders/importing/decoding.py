"""From bytes to text: UTF-8 with and without its mark, UTF-16, the charsets of East Asia, Windows-1252, and files that
mix the last with UTF-8."""

import codecs
from dataclasses import dataclass

from almanac.documents.charset import EAST_ASIAN, GOOD_FIT, charset_fit
from almanac.errors import InputError

UNREADABLE = "\ufffd"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_SAMPLE = 2000
_MANY = 0.4


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text, and what it was written in. Characters that no encoding explains are U+FFFD."""

    text: str
    encoding: str


def decode(content: bytes) -> Decoded:
    """The text of a file, whichever program wrote it."""
    for mark, codec, name in _MARKS:
        if content.startswith(mark):
            return Decoded(content.decode(codec, errors="replace"), name)
    if (wide := _wide(content)) is not None:
        return Decoded(content.decode(wide, errors="replace"), "UTF-16")
    if b"\x00" in content[:_SAMPLE]:
        raise InputError("This is no text file; save the sheet as CSV and import that.")
    try:
        return Decoded(content.decode("utf-8"), "UTF-8")
    except UnicodeDecodeError:
        return _east_asian(content) or _line_by_line(content)


def _east_asian(content: bytes) -> Decoded | None:
    """The charset of East Asia that gives common characters nearly everywhere; Western letters never do in one."""
    found = {name: text for name in EAST_ASIAN if (text := _strictly(content, name))}
    best = max(found, key=lambda name: charset_fit(found[name], name), default="")
    return Decoded(found[best], best) if best and charset_fit(found[best], best) >= GOOD_FIT else None


def _strictly(content: bytes, name: str) -> str | None:
    try:
        return content.decode(name)
    except UnicodeDecodeError:
        return None


def _wide(content: bytes) -> str | None:
    """UTF-16 without its mark: nearly every other byte of plain text is zero then."""
    sample = content[:_SAMPLE]
    half = max(1, len(sample) // 2)
    if sample[1::2].count(0) > _MANY * half and not sample[0::2].count(0):
        return "utf-16-le"
    if sample[0::2].count(0) > _MANY * half and not sample[1::2].count(0):
        return "utf-16-be"
    return None


def _line_by_line(content: bytes) -> Decoded:
    """Lines that are valid UTF-8 are that; the others are Windows-1252, as files pasted together are."""
    lines, seen = [], set()
    for line in content.splitlines(keepends=True):
        text, name = _decode_line(line)
        lines.append(text)
        if not line.isascii():
            seen.add(name)
    return Decoded("".join(lines), " and ".join(sorted(seen)))


def _decode_line(line: bytes) -> tuple[str, str]:
    try:
        return line.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace"), "Windows-1252"
