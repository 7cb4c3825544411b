"""Finds Japanese names: before a role, by family name, in katakana, or by the ending of a place or organization."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN, KATAKANA
from almanac.verify.names.gazetteer import japanese_family_names
from almanac.verify.word_lists import any_word_pattern, read_words
from almanac.verify.words.morphemes import read_morphemes

_RUN = lazy_regex(rf"[{KATAKANA}]+(?:[・=][{KATAKANA}]+)*")
_LETTER = lazy_regex(f"[{HAN}{KATAKANA}]")
_AFTER_SHORT_PLACE = "市区町村県"
_PROPER = "固有名詞"


class NameCandidate(NamedTuple):
    """Where a name may be, whether it certainly is one, and whether it is a place or an organization."""

    start: int
    end: int
    is_certain: bool
    is_place: bool = False


def find_japanese_candidates(text: str) -> Iterator[NameCandidate]:
    """Names of people, then of places, then katakana words."""
    for pattern, is_place in ((_before_role(), False), (_before_ending(), True)):
        for match in pattern.finditer(text):
            starts_word = match.start() == 0 or not _LETTER.match(text[match.start() - 1])
            if is_place and len(match["core"]) == 1 and text[match.end("core")] not in _AFTER_SHORT_PLACE:
                continue  # 野球場 isn't a stadium called 野
            if starts_word and not _is_common(match["core"]):
                yield NameCandidate(match.start(), match.end("core"), is_certain=True, is_place=is_place)
    for match in _family().finditer(text):
        yield NameCandidate(*match.span(), is_certain=True)
    for match in _RUN.finditer(text):
        if len(match[0]) > 1 and match[0] not in read_words("katakana.txt"):
            sure = "・" in match[0] or bool(_after_katakana().match(text, match.end()))
            if sure or not _is_common_noun(match[0]):
                yield NameCandidate(*match.span(), is_certain=sure)


def _is_common(core: str) -> bool:
    return core in read_words("generic_ja.txt") or core in read_words("katakana.txt")


def _is_common_noun(word: str) -> bool:
    """Whether the dictionary has a katakana word, or all words it is made of, as common nouns."""
    return all(each.is_listed and _PROPER not in each.kinds for each in read_morphemes(word))


@cache
def _before_role() -> re.Pattern[str]:
    return re.compile(rf"(?P<core>[{HAN}{KATAKANA}・]{{1,14}}?)(?:{any_word_pattern('roles_ja.txt')})(?![{HAN}])")


@cache
def _before_ending() -> re.Pattern[str]:
    letters = f"{HAN}{KATAKANA}"
    return re.compile(
        rf"(?<![{letters}])(?P<core>[{letters}・]{{1,8}}?)(?:{any_word_pattern('places_ja.txt')})(?![{letters}])"
    )


@cache
def _family() -> re.Pattern[str]:
    family_names = "|".join(sorted((name for name in japanese_family_names() if len(name) > 1), key=len, reverse=True))
    return re.compile(rf"(?<![{HAN}])(?:{family_names})[{HAN}]{{0,3}}")


@cache
def _after_katakana() -> re.Pattern[str]:
    return re.compile(f"{any_word_pattern('roles_ja.txt')}|州|国|市|社|島|県|党|人|政府|銀行|大学")
