"""The encoding of a file of records: told by its mark, its declaration or its text, and turned into UTF-8.

Japanese programs still write Shift_JIS, EUC-JP and ISO-2022-JP, and spreadsheets UTF-16. Where two encodings are
possible, the one that gives Japanese text is taken; where none does, the file is refused rather than guessed at.
"""

import codecs
import re
from collections.abc import Iterator

from almanac.desks.recap.sources.diet_record import UnreadableRecord
from almanac.kit.messages import gettext

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = ((b"{\0", "utf-16-le"), (b"[\0", "utf-16-le"), (b"<\0", "utf-16-le"))
_WIDE_SWAPPED = ((b"\0{", "utf-16-be"), (b"\0[", "utf-16-be"), (b"\0<", "utf-16-be"))
_JAPANESE = ("cp932", "euc_jp")
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_KANA = re.compile(r"[ぁ-んァ-ヶー、。]")
_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f｡-ﾟ\ue000-\uf8ff�]")


def to_utf8(content: bytes) -> bytes:
    """The file as UTF-8 without a mark and without a declared encoding. UnreadableRecord if it can't be told."""
    for encoding in _candidates(content):
        try:
            text = content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        return _DECLARATION.sub("", text.lstrip("\ufeff")).encode()
    raise UnreadableRecord(gettext("The encoding of the file can't be told; save it as UTF-8."))


def _candidates(content: bytes) -> Iterator[str]:
    """Encodings to try, the surest first."""
    yield from (encoding for mark, encoding in _MARKS if content.startswith(mark))
    yield from (encoding for begin, encoding in (*_WIDE, *_WIDE_SWAPPED) if content.startswith(begin))
    declared = _DECLARED.match(content[:200])
    if declared:
        yield declared[1].decode()
    if b"\x1b$" in content:
        yield "iso2022_jp"
    if b"\0" not in content:
        yield "utf-8"
        yield from _japanese(content)


def _japanese(content: bytes) -> list[str]:
    """The Japanese encoding that gives the text with the most kana and the fewest odd characters, if one does."""
    scores: dict[str, int] = {}
    for encoding in _JAPANESE:
        text = content.decode(encoding, errors="replace")
        scores[encoding] = len(_KANA.findall(text)) - 10 * len(_ODD.findall(text))
    best = max(scores, key=lambda encoding: scores[encoding])
    return [best] if scores[best] > 0 else []
