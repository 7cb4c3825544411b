"""The scripts that text is written in: character classes for patterns, and how much of each a text holds."""

import re
import unicodedata

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HIRAGANA = "\u3041-\u309f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f"
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
CJK = HAN + HIRAGANA + KATAKANA + HANGUL
# Signs on a letter that belong to its word: accents that stand apart, vowels of Hebrew, Arabic and the Indian scripts.
# Thai and its neighbours have no spaces, where a sign that ended no word would make a whole sentence one.
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


def script_counts(text: str) -> dict[str, int]:
    """How many characters of each known script the text holds."""
    return {name: len(pattern.findall(text)) for name, pattern in _COUNTED.items()}


def is_cjk(character: str) -> bool:
    """Whether it belongs to a script written without spaces between words."""
    return bool(_CJK.match(character))


def width(text: str) -> int:
    """How wide a line looks: characters of East Asia count double."""
    return len(text) if text.isascii() else len(text) + len(_CJK.findall(text))
