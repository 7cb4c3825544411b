"""Finds Chinese names: family and given name beside a role or a verb of saying, and foreign names with a dot."""

import re
from collections.abc import Iterator
from functools import cache

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN
from almanac.verify.names.japanese import NameCandidate
from almanac.verify.word_lists import any_word_pattern, read_words

_DOTTED = lazy_regex(rf"[{HAN}]{{1,6}}(?:[·・•][{HAN}]{{1,8}})+")

_BEFORE_ENDING = lazy_regex(
    rf"(?P<core>(?:(?![待已未尚被把的了是])[{HAN}]){{2}})(?=[省市县州区镇乡村岛]|流域|水库|大学|医院|中学|小学|机场|码头|公园|半岛|海峡|船厂|钢厂)"
)

_AUTHORITY = lazy_regex(
    rf"(?:^|[,。;])(?P<core>(?![该各本此全某两有])[{HAN}]{{2,6}}?)(?=(?:(?<![全大])部|局|署|委|厅)(?![门分队署员落位]))"
)


def find_chinese_candidates(text: str) -> Iterator[NameCandidate]:
    """Names of people, which are certain, then places by their ending, which are not."""
    for match in _DOTTED.finditer(text):
        yield NameCandidate(*match.span(), is_certain=True)
    for pattern in (_after_role(), _before_saying()):
        for match in pattern.finditer(text):
            start, end = match.span("core")
            if _edge().search(text[:start]) and not _is_word(match["core"]):
                yield NameCandidate(start, end, is_certain=True)
    for match in _AUTHORITY.finditer(text):
        yield NameCandidate(*match.span("core"), is_certain=False, is_place=True)
    for match in (each for each in _BEFORE_ENDING.finditer(text) if not _is_word(each["core"])):
        yield NameCandidate(*match.span("core"), is_certain=False, is_place=True)


def _is_word(core: str) -> bool:
    return any(core.startswith(word) for word in read_words("not_people_zh.txt"))


@cache
def _person() -> str:
    return rf"(?P<core>[{''.join(read_words('surnames_zh.txt'))}][{HAN}]{{1,2}}?)"


@cache
def _before_saying() -> re.Pattern[str]:
    return re.compile(
        rf"{_person()}(?=[则也又还亦均曾]?(?:{any_word_pattern('speaks_zh.txt')})|{any_word_pattern('roles_zh.txt')})"
    )


@cache
def _after_role() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{any_word_pattern('roles_zh.txt')}|[长员者户师家民手商官])(?<!女士(?=向))(?<!先生(?=向)){_person()}(?={any_word_pattern('speaks_zh.txt')}|[在于对就与和将已也则又还当曾向原此仍因被遭获,。、|(今昨周星])"
    )


@cache
def _edge() -> re.Pattern[str]:
    """What may precede a name: nothing, a sign, a role or a word for and."""
    return re.compile(rf"(?:^|[^{HAN}]|{any_word_pattern('roles_zh.txt')}|[和与及由长员者户师家民手商官])$")
