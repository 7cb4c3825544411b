"""Whole numbers as records write them, in kanji or in digits of either width."""

import unicodedata

from almanac.kit.lazy_regex import lazy_regex

_KANJI = "〇一二三四五六七八九"
_DIGITS = {character: value for value, character in enumerate(_KANJI)} | {"零": 0, "○": 0}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIAD = 10_000
NUMERAL = r"[〇○零一二三四五六七八九十百千万0-9０-９,，]+"
_NUMERAL = lazy_regex(NUMERAL)


def number_of(text: str) -> int | None:
    """The value of a numeral such as 二百三十六, 二三六 or 236; None when it is none."""
    plain = unicodedata.normalize("NFKC", text).replace(",", "").strip()
    if not plain or not _NUMERAL.fullmatch(plain):
        return None
    if plain.isdecimal() and plain.isascii():
        return int(plain)
    head, myriad, tail = plain.partition("万")
    low = _below_myriad(tail if myriad else head)
    return low if not myriad else (_below_myriad(head) or 1) * _MYRIAD + low


def in_kanji(count: int) -> str:
    """A count below ten thousand as records write it, as in 二百三十六."""
    if count == 0:
        return _KANJI[0]
    text = ""
    for unit, size in (*reversed(_UNITS.items()), ("", 1)):
        digit, count = divmod(count, size)
        if digit:
            text += ("" if digit == 1 and unit else _KANJI[digit]) + unit
    return text


def _below_myriad(text: str) -> int:
    if not any(unit in text for unit in _UNITS):
        return int("".join(str(_DIGITS.get(character, character)) for character in text) or 0)
    total, digit = 0, 0
    for character in text:
        if character in _UNITS:
            total, digit = total + (digit or 1) * _UNITS[character], 0
        else:
            digit = _DIGITS.get(character, 0) if not character.isdecimal() else int(character)
    return total + digit
