"""Names in Chinese: family name and given name beside a role or a word of saying, and foreign names with a dot."""

import re
from collections.abc import Iterator
from functools import cache

from almanac.language.scripts import HAN
from almanac.verify.japanese_names import Candidate
from almanac.verify.vocabulary import one_of, words_of

_DOTTED = re.compile(rf"[{HAN}]{{1,6}}(?:[·・•][{HAN}]{{1,8}})+")


def chinese_candidates(text: str) -> Iterator[Candidate]:
    """Where names stand; all that are told are sure."""
    for match in _DOTTED.finditer(text):
        yield *match.span(), True
    for pattern in (_after_role(), _before_saying()):
        for match in pattern.finditer(text):
            start, end = match.span("core")
            if _edge().search(text[:start]) and not _is_word(match["core"]):
                yield start, end, True


def _is_word(core: str) -> bool:
    return any(core.startswith(word) for word in words_of("not_people_zh.txt"))


@cache
def _person() -> str:
    return rf"(?P<core>[{''.join(words_of('surnames_zh.txt'))}][{HAN}]{{1,2}}?)"


@cache
def _before_saying() -> re.Pattern[str]:
    return re.compile(rf"{_person()}(?={one_of('speaks_zh.txt')}|{one_of('roles_zh.txt')})")


@cache
def _after_role() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{one_of('roles_zh.txt')}){_person()}(?={one_of('speaks_zh.txt')}|[在于对就与和将已也向,。、|(今昨周星])"
    )


@cache
def _edge() -> re.Pattern[str]:
    """What may stand before a name: nothing, a sign, a role or a word for and."""
    return re.compile(rf"(?:^|[^{HAN}]|{one_of('roles_zh.txt')}|[和与及由])$")
