"""Which characters may be printed: those that every format can carry, without controls and half characters."""

import re

from almanac.kit.text import one_line

# Controls but tab and line feed, lone surrogates and noncharacters: XML forbids them, and no font has a sign for them.
# The two that turn letters round would make a person read something else than what was checked.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + "]"
)
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")


def printable(text: str) -> str:
    """The text without characters that no format can carry; every line ends in a line feed."""
    return _UNPRINTABLE.sub("", _LINE_ENDS.sub("\n", text))


def printable_line(text: str) -> str:
    """The same on one line: fit for a title or a name."""
    return one_line(printable(text))
