"""Shorter and plainer wordings of a sentence, by rules that change no fact; `verify` still checks each result."""

import re
from functools import cache

from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import parse_kanji_number
from almanac.language.word_lists import read_lines

_OPENER = lazy_regex(
    r"\A(?:(?:しかし|しかしながら|ところが|けれども|まず|次に|また|なお|更に|さらに|そして|さて|最後に|加えて|あわせて|併せて|その上で|そこで|したがって|したがいまして|従いまして|一方で|一方|このため|そのため|特に|それから|続いて|他方|もちろん|つまり|ですから|だから|こうした中|こうした中で|いずれにせよ|いずれにしても|第[一二三四五六七八九十]+に|[一二三四五六七八九十]+点目(?:は|に)?|以上の理由から|以上のことから|私は|私も|私としては|(?:今|ただいま|先ほど)?(?:委員|先生|議員)?(?:から|が|の)?(?:も)?、?御?指摘(?:の|が|も)?(?:ございました|あった|あったように|された|いただいた|ありました)?(?:とおり(?:で|ですが|でございますが)?|ように)|(?:先ほど|昨日|何度)も?(?:御)?答弁(?:(?:を)?(?:申し上げ|いたし|し)(?:た|ました)(?:とおり|ところ)(?:ですが|でございますが|であります?が)?)|(?:何度も)?繰り返しになります(?:けれども|が)|言うまでもありませんが|お尋ねの件ですが|お尋ねの点につきまして(?:は)?|その他|この点につきましては|会派を代表し(?:て)?|大臣)、)+"
)
_LIST_MARK = lazy_regex(r"\A(?:[一二三四五六七八九十]+|[(（]?[0-9０-９]+[)）]?|[イロハニホ])[　 ]+")
_SPLITS = lazy_regex(r"(?<=[のと針標況要題み階])であり、|(?<=[しれっ])ており、")
_SHORTEST_PART = 16
_NUMERAL = r"[〇一二三四五六七八九十百千]+"
_COUNTED = lazy_regex(
    rf"(?<![一二三四五六七八九十百千〇数何幾第・])(?!一[^、。]{{1,8}}当たり)((?:{_NUMERAL}[兆億万])*{_NUMERAL}|(?:{_NUMERAL}[兆億万])+)"
    r"(?=円|％|パーセント|ポイント|人|名|か所|カ所|箇所|か月|カ月|ヶ月|年|月|日(?![町市月本])|割|倍|件|隻|台|キロ|メートル|トン|ヘクタール|歳|便|市町村|都道府県|自治体|世帯|社(?!会)|校|地区|団体|食|床|回|項目|戸|の(?:市町村|自治体|事業者|都道府県|地域|団体|企業|学校))"
)
_DECIMAL = lazy_regex(
    r"([一二三四五六七八九十百〇]+)・([〇一二三四五六七八九]+)(?=倍|パーセント|％|ポイント|兆|億|万|度|メートル|キロ)"
)
_PIECES = lazy_regex(rf"({_NUMERAL})([兆億万]?)")
_FRACTION = lazy_regex(r"([二三四五六七八九十]+)分の([一二三四五六七八九]+)")
_TAIL = lazy_regex(r"(?:が|けれども)、(?:その)?詳細[^。]{0,40}。\Z")
_TO_DEBATE = lazy_regex(r"\A(?:[^、。]{0,10}質疑を(?:終局し|終え)(?:まして)?、)?討論に入りましたところ、")
_SETTLED = lazy_regex(r"\A(?:よって、|起立[多総][数員]。|御異議なしと認めます。)+")
_IDIOMS = lazy_regex(r"[一二三四五六七八九十]+人(?:一人|ひとり)|一日も|万一|一人一人|一つ")


def wording_options(text: str) -> tuple[str, str, str]:
    """A sentence plain with digits, plain, and unchanged, in order of preference."""
    plain = simplify(trim_openers(text))
    return kanji_to_digits(plain), plain, text


def trim_openers(text: str) -> str:
    """The sentence without words that connect it to the one before."""
    text = _TO_DEBATE.sub("討論では、", _SETTLED.sub("", _LIST_MARK.sub("", text)))
    return _TAIL.sub("。", _OPENER.sub("", text)).lstrip("、　 ")


def simplify(text: str) -> str:
    """The sentence without parliamentary politeness."""
    for pattern, instead in _rules():
        text = pattern.sub(instead, text)
    return text


@cache
def _rules() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Pairs of pattern and replacement, separated by a tab in the file, in the order they apply."""
    split = (line.partition("\t") for line in read_lines(__package__, "plain_language.txt"))
    return tuple((re.compile(before), after) for before, _, after in split)


def kanji_to_digits(text: str) -> str:
    """Kanji numerals before a counter in digits, as in 320億円; words that only look like numbers stay."""
    if _IDIOMS.search(text):
        return text
    text = _FRACTION.sub(lambda match: f"{parse_kanji_number(match[1])}分の{parse_kanji_number(match[2])}", text)
    text = _DECIMAL.sub(lambda match: f"{parse_kanji_number(match[1])}.{parse_kanji_number(match[2])}", text)
    return _COUNTED.sub(lambda match: _PIECES.sub(_piece, match[1]), text)


def split_sentence(text: str) -> list[str]:
    """A long sentence as two, if its first half is a statement of its own."""
    for match in _SPLITS.finditer(text):
        if match.start() >= _SHORTEST_PART and len(text) - match.end() >= _SHORTEST_PART:
            ending = "です。" if match[0].startswith("であり") else "ています。"
            return [text[: match.start()] + ending, text[match.end() :]]
    return [text]


def shorten_title(text: str, longest: int) -> str:
    """The text cut at a comma, for headings and cards."""
    if len(text) <= longest:
        return text
    cut = text.rfind("、", longest // 2, longest)
    return text[: cut if cut > 0 else longest - 1] + "…"


def _piece(match: re.Match[str]) -> str:
    value = parse_kanji_number(match[1])
    return f"{value}{match[2]}" if value is not None else match[0]
