"""The words of a text that carry meaning, for ranking: without the function words of the language.

Chinese and Japanese have no spaces: runs of characters stand for words, long ones as overlapping pairs.
"""

import re
import unicodedata

from almanac.language.detection import detect
from almanac.language.scripts import HAN, HANGUL, HIRAGANA, KATAKANA
from almanac.language.word_lists import word_list

_LATIN = rf"[^\W_{HAN}{HIRAGANA}{KATAKANA}{HANGUL}]+(?:[.,](?<=\d.)\d+|['’-][^\W\d_]+)*"
_TOKEN = re.compile(rf"[{HAN}]+|[{KATAKANA}]+|[{HANGUL}]+|{_LATIN}")
_HAN = re.compile(f"[{HAN}]")
_LONGEST_HAN_WORD = {"ja": 4, "zh": 2}


def stopwords(language: str) -> frozenset[str]:
    """The function words of a language, none where it isn't one of ours."""
    return word_list(f"{language}.stopwords")


def words(text: str, language: str | None = None) -> list[str]:
    """The content words of a text in order, in lower case and in one width; numbers are words too."""
    language = language or detect(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    idle = stopwords(language)
    found: list[str] = []
    for token in _TOKEN.findall(text.casefold().replace("’", "'")):
        if _HAN.match(token):
            found += _han_words(token, language, idle)
        elif token not in idle and (len(token) > 1 or token.isdigit()):
            found.append(token.removesuffix("'s"))
    return found


def _han_words(run: str, language: str, idle: frozenset[str]) -> list[str]:
    if language == "ja":
        return _whole_or_pairs(run, _LONGEST_HAN_WORD["ja"], idle)
    pieces = _between_single_stops(run, idle)
    return [word for piece in pieces for word in _whole_or_pairs(piece, _LONGEST_HAN_WORD["zh"], idle)]


def _between_single_stops(run: str, idle: frozenset[str]) -> list[str]:
    return "".join(" " if character in idle else character for character in run).split()


def _whole_or_pairs(run: str, longest: int, idle: frozenset[str]) -> list[str]:
    if run in idle or len(run) == 1:
        return []
    if len(run) <= longest:
        return [run]
    return [pair for pair in (run[i : i + 2] for i in range(len(run) - 1)) if pair not in idle]
