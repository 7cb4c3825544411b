"""Text rules that several parts share: clean lines, short forms, slugs, counted nouns, diffs, spreadsheet cells."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

_SPACES = re.compile(r"\s+")
_NOT_IN_SLUG = re.compile(r"[^\w]+", re.UNICODE)


def one_line(text: str) -> str:
    """The text with every run of white space and control characters as one space: fit for a header or a log."""
    # Printable text has none of these, and most text is printable.
    visible = (
        text
        if text.isprintable()
        else "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    )
    return _SPACES.sub(" ", visible).strip()


def storable(text: str) -> str:
    """The text without the characters that PostgreSQL refuses: NUL and lone surrogates."""
    plain = text if text.isascii() else text.encode("utf-8", "ignore").decode()
    return plain.replace("\x00", "")


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut at a word where there is one, with an ellipsis that counts."""
    text = one_line(text)
    if len(text) <= limit:
        return text
    space = text.rfind(" ", 0, limit)
    cut = text[:space] if space > limit // 2 else text[: limit - 1]
    return cut.rstrip(" ,;:.") + "…"


def slug(text: str) -> str:
    """A name for files and addresses; letters of every script stay."""
    return _NOT_IN_SLUG.sub("-", unicodedata.normalize("NFKC", text).lower()).strip("-")


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 job`, `2 jobs`: the number with its noun, as a person would write it."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


DiffSign = Literal["+", "-", " "]
SignedDiff = tuple[tuple[DiffSign, str], ...]


def diff_pieces(before: Sequence[str], after: Sequence[str]) -> SignedDiff:
    """Every piece of either text, in order; what was removed comes before what took its place."""
    pieces: list[tuple[DiffSign, str]] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces += [(" ", text) for text in before[a:b]]
            continue
        pieces += [("-", text) for text in before[a:b]]
        pieces += [("+", text) for text in after[c:d]]
    return tuple(pieces)


# Programs that expect Japanese or Chinese take the wide forms for the same signs.
_BEGINS = ("=", "@", "+", "-", "＝", "＠", "＋", "－", "\t", "\r", "\n")
_AMOUNT = re.compile(r"-\d[\w\s.,%€$£¥]*")


def escape_cell(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if _is_formula(text) else text


def unescape_cell(cell: str) -> str:
    """The original text of an escaped cell."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def _is_formula(text: str) -> bool:
    """Whether a spreadsheet would run the text. A plain negative amount isn't a formula."""
    return text.startswith(_BEGINS) and not _AMOUNT.fullmatch(text)
