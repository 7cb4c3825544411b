"""Names in Chinese characters and kana, of both languages: those that everybody knows, and those that can be told.

What can't be told from common words is left unchecked.
"""

import re
from dataclasses import dataclass
from functools import cache

from almanac.language.scripts import HAN
from almanac.verify.names.chinese import find_chinese_candidates
from almanac.verify.names.gazetteer import japanese_family_names, known_name_forms
from almanac.verify.names.japanese import NameCandidate, find_japanese_candidates
from almanac.verify.normalization import SpanTracker
from almanac.verify.word_lists import any_word_pattern

_SHORTEST_PART = 2
_LONGEST_VERB = 5


@dataclass(frozen=True, slots=True)
class HanName:
    """A name in Chinese characters or kana: `core` is the name without its role or ending.

    A sure one is a fault wherever the source hasn't got it; another only where it stands in another name's place.
    """

    start: int
    end: int
    core: str
    is_certain: bool
    is_place: bool


def find_han_names(text: str, language: str) -> tuple[HanName, ...]:
    """The names of a normalized text from which figures and dates have been blanked."""
    told = find_japanese_candidates(text) if language == "ja" else find_chinese_candidates(text)
    taken = SpanTracker(text)
    found: list[HanName] = []
    known = (
        NameCandidate(*match.span(), is_certain=True, is_place=True) for match in _known_name_pattern().finditer(text)
    )
    for start, end, sure, is_place in [*known, *told]:
        if taken.reserve(start, end):
            found.append(HanName(start, end, text[start:end], sure, is_place))
    return tuple(sorted(found, key=lambda name: name.start))


@cache
def _known_name_pattern() -> re.Pattern[str]:
    forms = sorted((form for form in known_name_forms() if not form.isascii() and len(form) > 1), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, forms)))


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
    """Whether a source has this name: as it is, in two pieces, or longer forms of which it is the short one."""
    if name in source:
        return True
    if any(name[:cut] in source and name[cut:] in source for cut in range(2, len(name) - 1)):
        return True
    parts = [part for part in re.split("[・=·•]", name) if part]
    if len(parts) > 1 and (all(part in source for part in parts) or _appears_within(parts, source)):
        return True
    return len(name) >= 2 and _is_short_form(name, source)


def _appears_within(parts: list[str], source: str) -> bool:
    """`由安娜·贝克尔负责`: Chinese sets no spaces, so words on both sides may have been taken for the name."""
    first, last = parts[0], parts[-1]
    left = next((cut for cut in range(len(first)) if f"{first[cut:]}·" in source.replace("・", "·")), len(first))
    right = next((size for size in range(len(last), 0, -1) if f"·{last[:size]}" in source.replace("・", "·")), 0)
    return len(first) - left >= _SHORTEST_PART and right >= _SHORTEST_PART and right + _LONGEST_VERB >= len(last)


def _is_short_form(name: str, source: str) -> bool:
    """農水 of 農林水産: the same first character, the others in order within one run."""
    pattern = f"[{HAN}]{{0,3}}?".join(re.escape(character) for character in name)
    return (
        bool(re.search(pattern, source))
        and len(name) <= 3
        and name not in japanese_family_names()
        and _is_unlisted(name)
    )


def _is_unlisted(name: str) -> bool:
    return name not in known_name_forms()
