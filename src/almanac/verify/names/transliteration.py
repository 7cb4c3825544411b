"""Compares names in Latin letters with katakana names by their consonants."""

import re
from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher
from functools import lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import KATAKANA

_ROWS = (
    "k カキクケコチ|g ガギグゲゴ|s サシスセソザズゼゾ|j ジヂ|t タテトツダデド|n ナニヌネノン|h ハヒヘホ|f フ"
    "|b バビブベボヴ|p パピプペポ|m マミムメモ|r ラリルレロ"
)
_SOUNDS = {kana: row[0] for row in _ROWS.split("|") for kana in row[2:]}
_LETTERS = str.maketrans("cqvlzdgx", "kkbrstks")
_KATAKANA_NAME = lazy_regex(
    rf"[{KATAKANA}]{{2,}}(?:[・=][{KATAKANA}]+)*(?=氏|さん|大統領|首相|大臣|会長|社長|教授|・|代表|長官|博士|議員)"
)
_RUN = lazy_regex(rf"[{KATAKANA}]{{2,}}")
_FAR = 0.34


@lru_cache(maxsize=2048)
def katakana_consonants(run: str) -> str:
    """The consonants of a katakana run."""
    return _drop_repeats("".join(_SOUNDS.get(character, "") for character in run).replace("g", "k").replace("j", "k"))


@lru_cache(maxsize=2048)
def latin_consonants(word: str) -> str:
    """The consonants of a word in Latin letters, as Japanese renders them."""
    word = re.sub("ph", "f", re.sub("th", "s", re.sub("sh|ch|j|g", "k", word)))
    return _drop_repeats(re.sub("[^bfhkmnprst]", "", word.translate(_LETTERS)))


def sounds_like_no_katakana_name(keys: AbstractSet[str], text: str) -> bool:
    """Whether the text names people in katakana and none of them resembles any of these words."""
    people = _KATAKANA_NAME.findall(text)
    heard = [sound for sound in map(latin_consonants, keys) if len(sound) > 1]
    if not people or not heard:
        return False
    runs = [katakana_consonants(run) for run in _RUN.findall(text)]
    return all(_similarity(sound, other) < _FAR for sound in heard for other in runs)


def _similarity(first: str, second: str) -> float:
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def _drop_repeats(sounds: str) -> str:
    return re.sub(r"(.)\1+", r"\1", sounds)
