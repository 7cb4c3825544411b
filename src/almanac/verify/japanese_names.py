"""Names in Japanese: before a role, by family name, in katakana, and with the ending of a place or an organisation."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from almanac.kit.lazy_regex import lazy_regex
from almanac.language.scripts import HAN, KATAKANA
from almanac.verify.known_names import family_names
from almanac.verify.vocabulary import one_of, words_of

_RUN = lazy_regex(rf"[{KATAKANA}]+(?:[・=][{KATAKANA}]+)*")
_LETTER = lazy_regex(f"[{HAN}{KATAKANA}]")


class Candidate(NamedTuple):
    """Where a name may stand, whether it surely is one, and whether it is a place or an organisation."""

    start: int
    end: int
    sure: bool
    is_place: bool = False


def japanese_candidates(text: str) -> Iterator[Candidate]:
    """The names of people, then of places, then what is written in katakana."""
    for pattern, is_place in ((_before_role(), False), (_before_ending(), True)):
        for match in pattern.finditer(text):
            whole = match.start() == 0 or not _LETTER.match(text[match.start() - 1])
            if whole and not _is_common(match["core"]):
                yield Candidate(match.start(), match.end("core"), sure=True, is_place=is_place)
    for match in _family().finditer(text):
        yield Candidate(*match.span(), sure=True)
    for match in _RUN.finditer(text):
        if len(match[0]) > 1 and match[0] not in words_of("katakana.txt"):
            sure = "・" in match[0] or bool(_after_katakana().match(text, match.end()))
            yield Candidate(*match.span(), sure=sure)


def _is_common(core: str) -> bool:
    return core in words_of("generic_ja.txt") or core in words_of("katakana.txt")


@cache
def _before_role() -> re.Pattern[str]:
    return re.compile(rf"(?P<core>[{HAN}{KATAKANA}・]{{1,14}}?)(?:{one_of('roles_ja.txt')})(?![{HAN}])")


@cache
def _before_ending() -> re.Pattern[str]:
    letters = f"{HAN}{KATAKANA}"
    return re.compile(rf"(?<![{letters}])(?P<core>[{letters}・]{{1,8}}?)(?:{one_of('places_ja.txt')})(?![{letters}])")


@cache
def _family() -> re.Pattern[str]:
    known = "|".join(sorted((name for name in family_names() if len(name) > 1), key=len, reverse=True))
    return re.compile(rf"(?<![{HAN}])(?:{known})[{HAN}]{{0,3}}")


@cache
def _after_katakana() -> re.Pattern[str]:
    return re.compile(f"{one_of('roles_ja.txt')}|州|国|市|社|島|県|党|人|政府|銀行|大学")
