"""Spellings that count as one in search: Traditional, Simplified and Japanese characters, umlauts, kana for v.

Text is shown as it was written; only its search terms are folded.
"""

import re
import unicodedata
from functools import cache

from almanac.language.word_lists import read_lines

_UMLAUT = re.compile("[äöüÄÖÜ]|[aouAOU]\u0308")
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_HIRAGANA, _KATAKANA = range(0x3041, 0x3097), range(0x30A1, 0x30F7)
_TO_KATAKANA = dict(zip(_HIRAGANA, _KATAKANA, strict=True))
_TO_HIRAGANA = dict(zip(_KATAKANA, _HIRAGANA, strict=True))
_V_SOUNDS = {"ヴァ": "バ", "ヴィ": "ビ", "ヴェ": "ベ", "ヴォ": "ボ", "ヴ": "ブ"}


@cache
def _simplified() -> dict[int, str]:
    """Characters to the simplified one that stands for them; where there are several, the most usual."""
    return {ord(variant): line[0] for line in read_lines(__package__, "han.variants.txt") for variant in line[1:]}


@cache
def _variants() -> dict[str, str]:
    return {line[0]: line for line in read_lines(__package__, "han.variants.txt")}


def fold_characters(run: str) -> str:
    """The characters of a run in their simplified form, one for one."""
    return run.translate(_simplified())


def character_variants(character: str) -> str:
    """Every character that folds to this one, and itself."""
    return _variants().get(character, character)


def fold_v_sound(kana: str) -> str:
    """`ヴァ` as `バ` and so on; other kana unchanged."""
    return _V_SOUNDS.get(kana, kana)


def swap_kana(text: str) -> str:
    """Hiragana as katakana, and katakana as hiragana."""
    return text.translate(_TO_KATAKANA | _TO_HIRAGANA)


def spell_out_umlauts(word: str) -> str | None:
    """`Mueller` for `Müller`; None for a word without an umlaut."""
    if word.isascii() or not _UMLAUT.search(word):
        return None
    return unicodedata.normalize("NFC", word).translate(_SPELLED_OUT)
