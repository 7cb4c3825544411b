"""Finds names in Han characters and kana, Chinese and Japanese: known ones and those shown by their context.

What can't be told from common words stays unchecked.
"""

import re
from dataclasses import dataclass
from functools import cache

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN, KATAKANA
from almanac.verify.names.chinese import find_chinese_candidates
from almanac.verify.names.gazetteer import japanese_family_names, known_name_forms
from almanac.verify.names.japanese import NameCandidate, find_japanese_candidates
from almanac.verify.normalization import SpanTracker
from almanac.verify.word_lists import any_word_pattern

_KATAKANA_ONLY = lazy_regex(f"[{KATAKANA}]+")
_SHORTEST_PART = 2
_LONGEST_VERB = 5


@dataclass(frozen=True, slots=True)
class HanName:
    """A name in Han characters or kana; `core` is the name without its role or ending.

    A certain name must be in the source. Another is only reported where it takes the place of a name.
    """

    start: int
    end: int
    core: str
    is_certain: bool
    is_place: bool


def find_han_names(text: str, language: str) -> tuple[HanName, ...]:
    """Find the names of a normalized text in which figures and dates are masked."""
    candidates = find_japanese_candidates(text) if language == "ja" else find_chinese_candidates(text)
    taken = SpanTracker(text)
    names: list[HanName] = []
    listed = (
        NameCandidate(*match.span(), is_certain=True, is_place=True) for match in _known_name_pattern().finditer(text)
    )
    for start, end, sure, is_place in [*listed, *candidates]:
        if taken.reserve(start, end):
            names.append(HanName(start, end, text[start:end], sure, is_place))
    return tuple(sorted(names, key=lambda name: name.start))


@cache
def _known_name_pattern() -> re.Pattern[str]:
    forms = sorted((form for form in known_name_forms() if not form.isascii() and len(form) > 1), key=len, reverse=True)
    katakana = [form for form in forms if _KATAKANA_ONLY.fullmatch(form)]
    others = [form for form in forms if not _KATAKANA_ONLY.fullmatch(form)]
    return re.compile(
        rf"(?<![{KATAKANA}])(?:{'|'.join(map(re.escape, katakana))})(?![{KATAKANA}])|{'|'.join(map(re.escape, others))}"
    )


@cache
def _role_pattern() -> re.Pattern[str]:
    return re.compile(
        f"(?:{any_word_pattern('roles_ja.txt')}|{any_word_pattern('roles_zh.txt')}|{any_word_pattern('places_ja.txt')})+"
    )


def end_of_role(text: str, end: int) -> int:
    """Where the role after a name ends."""
    match = _role_pattern().match(text, end)
    return match.end() if match else end


def appears_in(name: str, source: str) -> bool:
    """Whether a source has this name: as it is, in two pieces, or as the short form of a longer one."""
    if name in source:
        return True
    if any(name[:cut] in source and name[cut:] in source for cut in range(2, len(name) - 1)):
        return True
    parts = [part for part in re.split("[・=·•]", name) if part]
    if len(parts) > 1 and (all(part in source for part in parts) or _appears_within(parts, source)):
        return True
    return len(name) >= 2 and _is_short_form(name, source)


def _appears_within(parts: list[str], source: str) -> bool:
    """Whether it does when neighbouring words were taken for the name: `由安娜·贝克尔负责` has no spaces."""
    first, last = parts[0], parts[-1]
    left = next((cut for cut in range(len(first)) if f"{first[cut:]}·" in source.replace("・", "·")), len(first))
    right = next((size for size in range(len(last), 0, -1) if f"·{last[:size]}" in source.replace("・", "·")), 0)
    return len(first) - left >= _SHORTEST_PART and right >= _SHORTEST_PART and right + _LONGEST_VERB >= len(last)


def _is_short_form(name: str, source: str) -> bool:
    """農水 for 農林水産: the same first character, the others in order within one run."""
    pattern = f"[{HAN}]{{0,3}}?".join(re.escape(character) for character in name)
    return (
        bool(re.search(pattern, source))
        and len(name) <= 3
        and name not in japanese_family_names()
        and name not in known_name_forms()
    )
