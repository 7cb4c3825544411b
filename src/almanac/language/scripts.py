"""Writing systems: character classes for regular expressions, and how many characters of each a text has."""

import re
import unicodedata

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HIRAGANA = "\u3041-\u309f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f"
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
CJK = HAN + HIRAGANA + KATAKANA + HANGUL
# Combining marks that belong to their letter's word: separate accents, vowels of Hebrew, Arabic and Indian scripts.
# Thai and its neighbours are left out: they have no spaces, so their marks would join a whole sentence into one word.
MARKS = "".join(mark for mark in map(chr, range(0x300, 0xE00)) if unicodedata.category(mark).startswith("M"))

_COUNTED = {
    name: re.compile(f"[{characters}]")
    for name, characters in {
        "han": HAN,
        "kana": HIRAGANA + KATAKANA,
        "hangul": HANGUL,
        "latin": "A-Za-z\u00c0-\u024f",
        "cyrillic": "\u0400-\u04ff",
        "arabic": "\u0600-\u06ff",
        "thai": "\u0e00-\u0e7f",
        "lao": "\u0e80-\u0eff",
        "burmese": "\u1000-\u109f",
        "khmer": "\u1780-\u17ff",
        "devanagari": "\u0900-\u097f",
        "tamil": "\u0b80-\u0bff",
        "greek": "\u0370-\u03ff",
        "hebrew": "\u0590-\u05ff",
    }.items()
}
_CJK = re.compile(f"[{CJK}]")


def count_scripts(text: str) -> dict[str, int]:
    """How many characters of each known script the text has."""
    return {name: len(pattern.findall(text)) for name, pattern in _COUNTED.items()}


def is_cjk(character: str) -> bool:
    """Whether a character belongs to a script of East Asia."""
    return bool(_CJK.match(character))


def display_width(text: str) -> int:
    """The width of a line in columns: East Asian characters count double."""
    return len(text) if text.isascii() else len(text) + len(_CJK.findall(text))
