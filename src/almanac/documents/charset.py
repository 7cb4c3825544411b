"""Bytes to text: the charset that is marked, then the one that fits, and only then the one that is claimed."""

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from almanac.documents.model import Unreadable
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext

if TYPE_CHECKING:
    import charset_normalizer
else:
    charset_normalizer = lazy_module("charset_normalizer")

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_META = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*=\s*[\"']?\s*([a-zA-Z0-9_:.-]{2,40})", re.IGNORECASE
)
_ISO_2022 = re.compile(rb"\x1b\$[@B]")
# What browsers read in place of these names, because that is what people mean by them.
_MEANT = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
_USUAL = ("cp1252", "iso8859_2", "cp1250")
_SAMPLE = 200_000
_NOT_TEXT = 0.02
_LOST, _WHOLE_FOR_EACH_LOST = "\ufffd", 20
GOOD_FIT = 0.9
EAST_ASIAN = ("gb18030", "big5hkscs", "cp932", "cp949")
_FIT_SAMPLE = 20_000
# The rows of each standard that hold its common characters, by first byte and then by second byte.
_COMMON_ROWS = {
    "gb18030": ((0xA1, 0xA3), (0xB0, 0xD7)),
    "big5hkscs": ((0xA1, 0xA3), (0xA4, 0xC6)),
    "cp932": ((0x81, 0x83), (0x88, 0x98)),
    "cp949": ((0xA1, 0xA3), (0xB0, 0xC8)),
}
_LEAST_SECOND = {"gb18030": 0xA1, "big5hkscs": 0x40, "cp932": 0x40, "cp949": 0xA1}
_TYPOGRAPHY = frozenset("‘’“”–—…•€£©®°«»·×\u00a0")


def decode_text(content: bytes, claimed: str | None = None) -> str:
    """The text of a file; Unreadable where it isn't text at all."""
    text = _decoded(content, claimed)
    characters = Counter(text[:_SAMPLE])
    strange = sum(times for character, times in characters.items() if _is_strange(character))
    if strange > _NOT_TEXT * characters.total():
        raise Unreadable(gettext("This isn't text; add a PDF, DOCX, HTML, Markdown or text file."))
    return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")


def _is_strange(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cn", "Co"} and character not in "\t\n\r\f\v\x85"


def _decoded(content: bytes, claimed: str | None) -> str:
    for mark, name in _MARKS:
        if content.startswith(mark):
            return content.decode(name, "replace")
    if _ISO_2022.search(content[:_SAMPLE]):
        return content.decode("iso2022_jp_ext", "replace")
    if (wide := _wide(content)) is not None:
        return content.decode(wide, "replace")
    if (text := _strictly(content, "utf-8")) is not None:
        return text
    if (text := _nearly_utf8(content)) is not None:
        return text
    return _as_claimed(content, [name for name in (claimed, _named_inside(content)) if name]) or _guessed(content)


def _nearly_utf8(content: bytes) -> str | None:
    """UTF-8 with a few bytes that were lost: other charsets hardly ever give whole sequences of it."""
    text = content.decode("utf-8", "replace")
    lost = text.count(_LOST)
    intact = sum(not character.isascii() for character in text[:_SAMPLE]) - lost
    return text if intact > _WHOLE_FOR_EACH_LOST * lost else None


def _as_claimed(content: bytes, claims: Sequence[str]) -> str | None:
    """By the first claim that fits. One that gives rare characters only is wrong where another charset fits better."""
    texts = {name: text for claim in claims if (name := _meant(claim)) and (text := _strictly(content, name))}
    for name, text in texts.items():
        if charset_fit(text, name) >= GOOD_FIT:
            return text
    others = {name: text for name in (*EAST_ASIAN, _USUAL[0]) if texts and (text := _strictly(content, name))}
    best = max(others, key=lambda name: charset_fit(others[name], name), default=None)
    if best is not None and charset_fit(others[best], best) >= GOOD_FIT:
        return others[best]
    return next(iter(texts.values()), None)


def _wide(content: bytes) -> str | None:
    """UTF-16 without a mark: every second byte of Latin text is zero."""
    sample = content[:4000]
    zeros = [sample[parity::2].count(0) for parity in (0, 1)]
    if max(zeros) > 0.3 * (len(sample) // 2 + 1) and min(zeros) < 0.05 * len(sample):
        return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    return None


def _named_inside(content: bytes) -> str | None:
    match = _META.search(content[:4096])
    return match[1].decode("ascii") if match else None


def _meant(name: str) -> str | None:
    """The charset that people mean by a name; None for what is none."""
    try:
        canonical = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return _MEANT.get(canonical, canonical)


def _strictly(content: bytes, name: str) -> str | None:
    try:
        return content.decode(name)
    except (LookupError, UnicodeDecodeError, ValueError):
        return None


def _guessed(content: bytes) -> str:
    """By what the text looks like; among charsets that fit about equally well, the usual one."""
    candidates = charset_normalizer.from_bytes(content[:_SAMPLE], cp_exclusion=["utf_7"])
    best = candidates.best()
    if best is None:
        return content.decode(_USUAL[0], "replace")
    close = [m for m in candidates if m.coherence >= best.coherence - 0.02 and m.chaos <= best.chaos + 0.06]
    fitting = {name for match in close for name in match.could_be_from_charset}
    chosen = next((name for name in _USUAL if name in fitting), best.encoding)
    return content.decode(chosen, "replace")


def charset_fit(text: str, charset: str) -> float:
    """The share of what is not ASCII that is common in texts of the charset; 1 where everything is ASCII."""
    sample = text[:_FIT_SAMPLE]
    if sample.isascii():
        return 1.0
    positions = [at for at, character in enumerate(sample) if not character.isascii()]
    if charset in EAST_ASIAN:
        return sum(sample[at] in _common(charset) for at in positions) / len(positions)
    return sum(_is_usual(sample, at) for at in positions) / len(positions)


@cache
def _common(charset: str) -> frozenset[str]:
    return frozenset(_characters(charset))


def _characters(charset: str) -> Iterator[str]:
    for first, last in _COMMON_ROWS[charset]:
        for lead in range(first, last + 1):
            for trail in range(_LEAST_SECOND[charset], 0xFF):
                yield from bytes((lead, trail)).decode(charset, "ignore")


def _is_usual(text: str, at: int) -> bool:
    """A letter among plain letters, or a mark of typography: several strange letters in a row are no Western word."""
    if text[at] in _TYPOGRAPHY:
        return True
    beside = text[max(0, at - 1)] + text[min(len(text) - 1, at + 1)]
    return unicodedata.category(text[at])[0] == "L" and any(
        neighbour.isascii() for neighbour in beside.replace(text[at], "", 1)
    )
