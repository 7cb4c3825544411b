"""Parses numerals: digits with separators, kanji and mixed numerals, and number words of English and Malay.

Units are left to `quantity`, dates to `date_parser`.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import KANJI_DIGITS, LARGE_UNITS, SMALL_UNITS
from almanac.verify.normalization import SpanTracker
from almanac.verify.word_lists import any_word_pattern

# Besides the usual digits: 壱 弐 参 of formal documents, and 两 兩, the Chinese two before a counter.
_DIGITS = {**KANJI_DIGITS, "壱": 1, "弐": 2, "参": 3, "两": 2, "兩": 2}
_KANJI = "".join([*_DIGITS, *SMALL_UNITS, *LARGE_UNITS])

_GROUPED = (
    r"(?:(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"
    r"|(?<![0-9.,])[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+"
    r"|(?<![0-9.,])[0-9]{1,3}(?:\.[0-9]{3}){2,}"
    r"|(?<![0-9] )(?<![0-9.,])[0-9]{1,3}(?: [0-9]{3})+(?![0-9]|[.,][0-9]|-)"
    r"|[0-9]+(?:[.,][0-9]+)?)"
)
_MIXED = lazy_regex(
    rf"(?:(?:{_GROUPED}) ?(?=[{''.join(SMALL_UNITS)}{''.join(LARGE_UNITS)}])|{_GROUPED}"
    rf"|千(?![瓦克米卡])|百(?!分[之点])|兆(?![瓦赫])|[{_KANJI.replace('千', '').replace('百', '').replace('兆', '')}])+"
    rf"(?:点[{''.join(_DIGITS)}]+[万億亿兆]?|・[{''.join(_DIGITS)}]+(?:[万億兆]|(?=%|パーセント|ポイント|倍|度|メートル|キロ|トン)))?"
)
_PIECE = lazy_regex(rf"{_GROUPED}|[{''.join(_DIGITS)}]+|[{''.join(SMALL_UNITS)}{''.join(LARGE_UNITS)}]|[点・]")

_SIMPLE = {
    word: value
    for value, words in enumerate(
        "zero/sifar/nol one/satu two/dua three/tiga four/empat five/lima six/enam seven/tujuh eight/lapan/delapan "
        "nine/sembilan "
        "ten/sepuluh eleven/sebelas twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    )
    for word in words.split("/")
} | {
    word: 10 * tens
    for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_SCALES = {
    "puluh": 10,
    "hundred": 100,
    "ratus": 100,
    "dozen": 12,
    "lusin": 12,
    "score": 20,
    "thousand": 1000,
    "ribu": 1000,
    "million": 10**6,
    "juta": 10**6,
    "billion": 10**9,
    "bilion": 10**9,
    "trillion": 10**12,
    "trilion": 10**12,
    "mn": 10**6,
    "mln": 10**6,
    "mil": 10**6,
    "bn": 10**9,
    "bln": 10**9,
    "bil": 10**9,
    "miliar": 10**9,
    "milyar": 10**9,
    "triliun": 10**12,
    "lakh": 10**5,
    "crore": 10**7,
}
_NOT_ALONE = frozenset({"score", "mil", "bil", "mln", "bln", "nol"})
_ONE_OF_A_SCALE = {"seratus": 100, "seribu": 1000, "sejuta": 10**6, "sedozen": 12, "selusin": 12, "sebelas": 11}
_ORDINAL_WORDS = {
    word: value
    for value, words in enumerate(
        "third/ketiga fourth/keempat fifth/kelima sixth/keenam seventh/ketujuh eighth/kelapan/kedelapan "
        "ninth/kesembilan tenth/kesepuluh eleventh/kesebelas twelfth thirteenth fourteenth fifteenth sixteenth "
        "seventeenth eighteenth nineteenth twentieth".split(),
        start=3,
    )
    for word in words.split("/")
}
_WORD = "|".join(sorted([*_SIMPLE, *_SCALES, *_ONE_OF_A_SCALE, "belas"], key=len, reverse=True))
_IN_WORDS = lazy_regex(
    rf"(?i)(?:(?<![\w-])(?:half an? (?=million|billion|trillion|thousand|dozen)|an? (?=hundred|thousand|million|billion"
    rf"|trillion|dozen)|(?:setengah|separuh) (?=juta|miliar|milyar|bilion|lusin))?"
    rf"|(?<![0-9.,]){_GROUPED}[ -]?(?=(?:{'|'.join(_SCALES)})\b))(?:{_WORD})\b"
    rf"(?:[ -](?:and )?(?:{_WORD})\b)*"
)
_ORDINAL = lazy_regex(
    rf"(?i)(?<![\w-])(?:([0-9]+)(?:st|nd|rd|th)\b|ke-([0-9]+)\b"
    rf"|((?:twenty|thirty)[ -](?:first|second)|(?:(?:twenty|thirty)[ -])?(?:{'|'.join(_ORDINAL_WORDS)}))\b"
    r"(?!-(?:tiga|empat)\b))"
)
_WORD_OR_DIGITS = lazy_regex(rf"(?i){_GROUPED}|half|[a-z]+")

_LONGEST_LONE = 1
_FIRST_SCALE = 1000
_VOTES_BEFORE = lazy_regex("(?:賛成|反対|棄権|欠席|赞成|反对|弃权|可|否|計|共)$")
_HAN_AFTER = lazy_regex("[一-鿿々](?<![対票对])")
_ONE_COUNTED = lazy_regex("[割成%]|[人名頭匹台社件棟隻票](?:当た|あたり|につき|ずつ|が|を|は|、|,|。|と)")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text. `values` has several readings where the form is ambiguous, such as 1.234."""

    start: int
    end: int
    text: str
    values: frozenset[Decimal]
    ordinal: bool = False
    in_words: bool = False


def find_numerals(text: str) -> list[Numeral]:
    """Find the numerals of a normalized text, in order, without overlaps."""
    taken = SpanTracker(text)
    read = [*_ordinals(text), *_worded(text), *_mixed(text)]
    numerals = [numeral for numeral in read if taken.reserve(numeral.start, numeral.end)]
    return sorted(numerals, key=lambda numeral: numeral.start)


def scale_word(text: str) -> int:
    """The scale that a figure ends with, such as a million; 0 without one."""
    words = (word for word in re.findall("[a-z]+", text.lower()) if word in _SCALES)
    return max((_SCALES[word] for word in words if _SCALES[word] >= _FIRST_SCALE), default=0)


def parse_numeral(text: str) -> frozenset[Decimal]:
    """The readings of one numeral in digits or kanji; empty if it isn't one."""
    return _mixed_values(text) if _MIXED.fullmatch(text) else frozenset()


def _ordinals(text: str) -> list[Numeral]:
    numerals = []
    for match in _ORDINAL.finditer(text):
        digits = match[1] or match[2]
        value = Decimal(digits) if digits else _ordinal_value(match[3].lower())
        numerals.append(Numeral(*match.span(), match[0], frozenset({value}), ordinal=True, in_words=not digits))
    return numerals


def _ordinal_value(words: str) -> Decimal:
    """`third`, `twenty-first`."""
    *tens, unit = words.replace("-", " ").split()
    return Decimal(sum(_SIMPLE[word] for word in tens) + ({"first": 1, "second": 2} | _ORDINAL_WORDS)[unit])


def _worded(text: str) -> list[Numeral]:
    numerals = []
    for match in _IN_WORDS.finditer(text):
        if match[0].lower() in _NOT_ALONE:
            continue
        values = _worded_values(match[0])
        if values:
            numerals.append(Numeral(*match.span(), match[0], values, in_words=not re.search("[0-9]", match[0])))
    return numerals


def _worded_values(phrase: str) -> frozenset[Decimal]:
    """`1.2 million`, `dua puluh lima`, `half a million`: sums of products."""
    total = section = Decimal(0)
    readings: list[Decimal] = []
    for word in _WORD_OR_DIGITS.findall(phrase.lower()):
        if word[0].isdigit():
            readings = sorted(parse_digits(word))
            section = readings[0]
        elif word in _SIMPLE:
            section += _SIMPLE[word]
        elif word in {"half", "setengah", "separuh"}:
            section = Decimal("0.5")
        elif word == "belas":
            section += 10
        elif word in _ONE_OF_A_SCALE:
            section += _ONE_OF_A_SCALE[word]
        elif word in _SCALES and _SCALES[word] < 1000:
            section = _scaled(section, _SCALES[word])
        elif word in _SCALES:
            total, section = total + (section or 1) * _SCALES[word], Decimal(0)
    return _all_readings(total + section, readings)


def _scaled(section: Decimal, scale: int) -> Decimal:
    """`dua ratus lima puluh`: only the last figure is multiplied; larger parts stay."""
    last = section % scale if section > scale else section
    return section - last + (last or 1) * scale


def _all_readings(value: Decimal, readings: list[Decimal]) -> frozenset[Decimal]:
    if len(readings) < 2 or not readings[0]:
        return frozenset({value})
    return frozenset(value / readings[0] * reading for reading in readings)


def _mixed(text: str) -> list[Numeral]:
    words = SpanTracker(text)
    for match in _not_numbers().finditer(text):
        words.reserve(*match.span())
    numerals = []
    for match in _MIXED.finditer(text):
        start, end = match.span()
        if not _counts(text, match) or not words.reserve(start, end):
            continue
        values = _mixed_values(match[0])
        if values:
            ordinal = text[max(0, start - 1) : start] == "第"
            numerals.append(Numeral(start, end, match[0].rstrip(), values, ordinal=ordinal))
    return numerals


@cache
def _not_numbers() -> re.Pattern[str]:
    return re.compile(rf"(?<![{_KANJI}第])(?:{any_word_pattern('not_numbers.txt')})")


@cache
def _counter() -> re.Pattern[str]:
    return re.compile(f" ?(?:{any_word_pattern('counters.txt')})")


def _counts(text: str, match: re.Match[str]) -> bool:
    """A single kanji digit is a number only before a counter or as a count of votes; 一 is often an article there."""
    written = match[0]
    if re.search("[0-9]", written):
        return True
    if len(written) > _LONGEST_LONE:
        return True
    if _VOTES_BEFORE.search(text, max(0, match.start() - 4), match.start()) and not _HAN_AFTER.match(text, match.end()):
        return True
    article = written == "一" and text[match.start() - 1 : match.start()] != "第"
    return bool(_counter().match(text, match.end())) and (not article or bool(_ONE_COUNTED.match(text, match.end())))


def _mixed_values(written: str) -> frozenset[Decimal]:
    written = written.replace("・", "点")
    pieces = _PIECE.findall(written)
    if "点" in pieces:
        integer_part, _, rest = written.partition("点")
        scale = LARGE_UNITS.get(rest[-1], 1)
        part = "".join(str(_DIGITS[c]) for c in rest if c in _DIGITS)
        before = next(iter(_mixed_values(integer_part)), None)
        return frozenset() if before is None else frozenset({Decimal(f"{int(before)}.{part}") * scale})
    if len(pieces) == 1 and pieces[0][0].isascii():
        return parse_digits(pieces[0])
    return frozenset({_sum_of(pieces)})


def _sum_of(pieces: list[str]) -> Decimal:
    """Digits build a figure, 十百千 multiply it into the section, 万億兆 multiply the section into the total."""
    total = section = Decimal(0)
    figure: Decimal | None = None
    for piece in pieces:
        if piece in SMALL_UNITS:
            section, figure = section + (1 if figure is None else figure) * SMALL_UNITS[piece], None
        elif piece in LARGE_UNITS:
            amount = section + (figure or 0)
            doubled = not amount and total
            total = total * LARGE_UNITS[piece] if doubled else total + (amount or 1) * LARGE_UNITS[piece]
            section, figure = Decimal(0), None
        elif piece[0] in _DIGITS:
            figure = Decimal("".join(str(_DIGITS[character]) for character in piece))
        else:
            figure = min(parse_digits(piece))
    return total + section + (figure or 0)


def parse_digits(digits: str) -> frozenset[Decimal]:
    """The readings of digits with separators. One dot or comma before three digits is ambiguous."""
    digits = digits.replace(" ", "")
    if re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+", digits):
        return frozenset({Decimal(digits.replace(".", "").replace(",", "."))})
    if re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{3}){2,}", digits):
        return frozenset({Decimal(digits.replace(".", ""))})
    if re.fullmatch(r"[1-9][0-9]{0,2}\.[0-9]{3}", digits):
        return frozenset({Decimal(digits), Decimal(digits.replace(".", ""))})
    if re.fullmatch(r"[0-9]+,[0-9]{1,2}|[0-9]+,[0-9]{4,}|0,[0-9]+", digits):
        return frozenset({Decimal(digits.replace(",", "."))})
    return frozenset({Decimal(digits.replace(",", ""))})
