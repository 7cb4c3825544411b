"""Kanji numerals: their digits and units, and whole numbers below a hundred million read from kanji."""

import unicodedata

from almanac.kit.lazy import lazy_regex

KANJI_ZERO_TO_NINE = "〇一二三四五六七八九"
KANJI_DIGITS = {character: value for value, character in enumerate(KANJI_ZERO_TO_NINE)} | {"零": 0}
SMALL_UNITS = {"十": 10, "百": 100, "千": 1000}
# 万 is ten thousand; 萬 and 亿 are the traditional and the simplified Chinese forms of 万 and 億.
LARGE_UNITS = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}
NUMERAL_PATTERN = rf"[○零{KANJI_ZERO_TO_NINE}{''.join(SMALL_UNITS)}万0-9０-９,，]+"
_NUMERAL = lazy_regex(NUMERAL_PATTERN)
# Records also write zero as a circle.
_RECORD_DIGITS = KANJI_DIGITS | {"○": 0}


def parse_kanji_number(text: str) -> int | None:
    """The value of a numeral such as 二百三十六, 二三六 or 236; None if the text isn't a numeral."""
    plain = unicodedata.normalize("NFKC", text).replace(",", "").strip()
    if not plain or not _NUMERAL.fullmatch(plain):
        return None
    if plain.isdecimal() and plain.isascii():
        return int(plain)
    head, ten_thousands, tail = plain.partition("万")
    low = _parse_below_ten_thousand(tail if ten_thousands else head)
    return low if not ten_thousands else (_parse_below_ten_thousand(head) or 1) * LARGE_UNITS["万"] + low


def _parse_below_ten_thousand(text: str) -> int:
    if not any(unit in text for unit in SMALL_UNITS):
        return int("".join(str(_RECORD_DIGITS.get(character, character)) for character in text) or 0)
    total, digit = 0, 0
    for character in text:
        if character in SMALL_UNITS:
            total, digit = total + (digit or 1) * SMALL_UNITS[character], 0
        else:
            digit = _RECORD_DIGITS.get(character, 0) if not character.isdecimal() else int(character)
    return total + digit
