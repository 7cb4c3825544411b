"""Measures of a text: its length in words, whether it is Chinese or Japanese, whether it ends as sentences do."""

import re

from almanac.language.scripts import CJK

_BREAK_IN_CJK = re.compile(rf"(?<=[{CJK}、。，])\s*[\r\n]\s*(?=[{CJK}「『（])")
_SPACES = re.compile(r"\s+")
_CJK = re.compile(f"[{CJK}]")
_LATIN_WORD = re.compile(rf"[^\s{CJK}]*[^\W_{CJK}][^\s{CJK}]*")
_FULL_STOP = re.compile(r"[.!。！．…][\"'”’»)\]）」』】]*$")
_CJK_CHARACTERS_PER_WORD = 1.7


def count_words(text: str) -> float:
    """The length of a text in words; Chinese and Japanese characters count as fractions of one."""
    cjk = len(_CJK.findall(text))
    return cjk / _CJK_CHARACTERS_PER_WORD + len(_LATIN_WORD.findall(text))


def is_mostly_cjk(text: str) -> bool:
    """Whether most of the text is Chinese or Japanese."""
    return 2 * len(_CJK.findall(text)) > len(text.replace(" ", "")) - len(_CJK.findall(text))


def join_lines(text: str) -> str:
    """The text on one line: without a space between Chinese or Japanese characters, else with one."""
    return _SPACES.sub(" ", _BREAK_IN_CJK.sub("", text)).strip()


def is_ended(text: str) -> bool:
    """Whether a text ends with a full stop or an exclamation mark."""
    return bool(_FULL_STOP.search(text))
