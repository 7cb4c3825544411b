"""What a written text claims about results: which words say that something was decided, by which count and manner."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import NUMERAL_PATTERN, parse_kanji_number

Direction = Literal["carried", "rejected", "continued", "withdrawn"]

_RESULT = lazy_regex(
    r"(?P<rejected>否決|不承認|不採択|不同意|廃案|退け)|(?P<continued>継続審[査議]|閉会中審査|継続調査)"
    r"|(?P<withdrawn>撤回|取り?下げ)|(?P<carried>可決|成立|承認|承諾|是認|議決|採択|同意"
    r"|決定|決ま(?=[りっ])|決し(?=[また])|選任|選出|指名|設置|許可|付す(?=[るこ]))"
)
# What may follow a result word where a text states it: …されました, …すべきものと決しました, （賛成多数）
_STATED = lazy_regex(
    r"(?:・?成立)?(?:すべきもの(?:だ)?と(?:して)?|すべきだと|[るすこと]{0,4}(?:こと)?[にがを]|とすることに|を|と)?"
    r"(?:全会一致で|賛成多数で|異議なく)?(?:決定|決ま|決し|決め|議決|了承|許可)?"
    r"(?:いたし|と?なり|と?なっ|され|られ|せられ|し|さ|り|っ)?(?:まし)?(?:た|て)?(?=[。、（）・\s　！]|\Z)"
)
# …された法案: said of something in passing.
_IN_PASSING = lazy_regex(r"(?:され|し|と?なっ|られ)た(?=[^。、とがことた])")
_ENDS = lazy_regex(r"(?<=。)|\n")
_FOR = lazy_regex(rf"(?:賛成(?:者)?|白色?票)[\s　はが、:：]*({NUMERAL_PATTERN})(?!党|会派|派|人の|名の)")
_AGAINST = lazy_regex(rf"(?:反対(?:者)?|青色?票)[\s　はが、:：]*({NUMERAL_PATTERN})(?!党|会派|派|人の|名の)")
_RATIO = lazy_regex(rf"({NUMERAL_PATTERN})票?対({NUMERAL_PATTERN})")
_TOTAL = lazy_regex(rf"投票総数[\s　はが、:：]*({NUMERAL_PATTERN})")
_UNANIMOUS = lazy_regex(
    r"全会一致|満場一致|全員一致|全員(?:の)?賛成|総員(?:の)?(?:賛成|起立)|(?:起立|挙手)総員|異議なし|異議なく"
)
_MAJORITY = lazy_regex(r"(?:賛成|起立|挙手)多数|多数(?:で|をもって|の賛成)|反対多数|賛成少数|起立少数|過半数で")
# 撤回が決まりました: what was settled is that it is withdrawn.
_SETTLED_AS = lazy_regex(
    r"(?P<withdrawn>撤回|取下げ)(?:が|を|の|する)|(?P<continued>継続審[査議]|閉会中審査)(?:が|を|と|の|する)|(?P<rejected>\A\Z)|(?P<carried>\A\Z)"
)
_WEAK = frozenset({"決定", "決ま", "決し", "選任", "選出", "指名", "設置", "許可", "付す"})
_METHODS = (
    ("起立", r"起立"),
    ("挙手", r"挙手"),
    ("記名投票", r"記名投票"),
    ("押しボタン", r"押しボタン|ボタン(?:式)?投票"),
)


@dataclass(frozen=True, slots=True)
class ResultClaim:
    """One result that a text states, with the part of the text that belongs to it.

    One in passing only describes something, as in 可決された法案.
    """

    part: str
    word: str
    direction: Direction
    in_passing: bool


def list_claims(text: str) -> Iterator[ResultClaim]:
    """The results that a text states, in order; what it only demands, expects or asks about is no claim."""
    for sentence in _ENDS.split(text):
        yield from _claims_of(sentence)


def _claims_of(text: str) -> Iterator[ResultClaim]:
    start = 0
    for match in _RESULT.finditer(text):
        after = text[match.end() :]
        stated = _STATED.match(after)
        follows = stated or _IN_PASSING.match(after)
        if not follows or match.start() < start:
            continue
        end = match.end() + follows.end()
        if bracket := re.match(r"（[^（）]{1,80}）", text[end:]):
            end += bracket.end()
        part = text[start:end]
        settled = _SETTLED_AS.search(part) if is_weak(match[0]) else None
        direction = _direction(settled or match)
        yield ResultClaim(part, match[0], direction, in_passing=not stated)
        start = end


def is_weak(word: str) -> bool:
    """Whether a word says of much else, too, that it was settled; only those that tell of a vote aren't."""
    return word in _WEAK


def _direction(match: re.Match[str]) -> Direction:
    directions: tuple[Direction, ...] = ("rejected", "continued", "withdrawn", "carried")
    return next(direction for direction in directions if match[direction])


def stated_counts(part: str) -> tuple[int | None, int | None, int | None]:
    """Total, for and against, as far as a text states them."""
    ratio = _RATIO.search(part)
    if ratio:
        return _number(_TOTAL.search(part)), parse_kanji_number(ratio[1]), parse_kanji_number(ratio[2])
    return _number(_TOTAL.search(part)), _number(_FOR.search(part)), _number(_AGAINST.search(part))


def _number(match: re.Match[str] | None) -> int | None:
    return parse_kanji_number(match[1]) if match else None


def states_unanimity(part: str) -> bool:
    """Whether a text says that nobody was against."""
    return bool(_UNANIMOUS.search(part))


def states_majority(part: str) -> bool:
    """Whether a text says that some were against."""
    return bool(_MAJORITY.search(part)) and not states_unanimity(part)


def stated_method(part: str) -> str:
    """How a text says that the vote was taken; empty if it doesn't."""
    return next((method for method, pattern in _METHODS if re.search(pattern, part)), "")
