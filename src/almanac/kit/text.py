"""Small rules about text that several parts share: clean lines, safe file names, short forms, counted nouns."""

import re
import unicodedata

_SPACES = re.compile(r"\s+")
_NOT_IN_SLUG = re.compile(r"[^\w]+", re.UNICODE)


def one_line(text: str) -> str:
    """The text with every run of white space and control characters as one space: fit for a header or a log."""
    visible = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
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
