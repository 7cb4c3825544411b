"""Shorter and plainer wordings of a sentence, by rules that change no fact; `verify` still checks each result."""

import re
from functools import cache

from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import parse_kanji_number
from almanac.language.word_lists import read_lines

_CONNECTIVES = (
    "しかし|しかしながら|ところが|けれども|まず|次に|また|なお|更に|さらに|そして|さて|最後に|加えて|あわせて|併せて|その上で|そこで|したがって|したがいまして|従いまして|一方で|一方|このため|そのため|特に|それから|続いて|他方"
    "|もちろん|つまり|ですから|だから|ですので|でしたら|であれば|それで|では|それでは|じゃ|じゃあ|まあ|実は|要は|要するに|やはり|やっぱり|つきましては|具体的に(?:は|申し上げますと)|こうした中|こうした中で|いずれにせよ|いずれにしても"
    r"|第[一二三四五六七八九十]+に|[一二三四五六七八九十]+点目(?:は|に)?|以上の理由から|以上のことから|私は|私も|私としては|その他|会派を代表し(?:て|まして)?|この点につきましては|お尋ねの件ですが|お尋ねの点につきまして(?:は)?"
    r"|まず(?:最初に|冒頭)|最初に|冒頭|御?答弁(?:を)?(?:申し上げ|いたし|し)ます|言うまでもありませんが|(?:総理|大臣|総裁|局長|政務官)(?=、(?!副?大臣|総裁|局長))"
)
# “As I said”, “as the member pointed out”: an aside of the debate, which tells a reader nothing.
_AS_SAID = (
    r"(?:(?:先ほど|さきほど|今|ただいま|昨日|何度|従来)(?:から|来|も)*)?、?(?:もう)?(?:(?:[^、。]{0,8}(?:委員|議員|先生|代表|大臣))(?:から|が|の|も)*)?、?"
    r"(?:(?:御|ご)?(?:答弁|説明|指摘|紹介|承知|存じ|案内|提案)|お話|おっしゃ|申し|述べ|繰り返し)"
    r"(?:を|も|の|が|に|し|いたし|申し上げ|上げ|ござい|あり|あっ|なり|なっ|され|いただき|いただい|って|った|る|ましたとこ|ます|ました|まして|た|い)*"
    r"(?:とおり(?:に|で|で(?:ござい|あり)ます(?:が|けれども)|ですが)?|通り|ように|ところですが|(?<=す)が|(?<=た)が|けれども)"
)
_OPENER = lazy_regex(
    rf"\A(?:(?:{_CONNECTIVES}|{_AS_SAID}|申し上げるまでもなく|(?:今|先ほど)[^、。]{{0,14}}(?:あり|ござい|出)ました(?:が|けれども)|最後になります(?:が|けれども)|お答え(?:を)?(?:いた)?します(?:が|けれども))、)+|\A(?:しかし|從つて|しからば|であるから|すなわち)(?=[^、])"
)
_ASIDE = lazy_regex(rf"(?<=、){_AS_SAID}、")
_POINTED_OUT = lazy_regex(
    r"(?:\A|(?<=、))(?:今|ただいま|先ほど)?(?:の)?(?:[^、。]{0,8}(?:委員|議員|先生|代表))?(?:から)?(?:の)?(?:御|ご)(?:指摘|質問|提案)(?:の|いただきました|いただいた|(?:の|が)(?:あり|ござい)ました)、?(?=[一-鿿ァ-ヶＡ-Ｚ])"
)
_LIST_MARK = lazy_regex(r"\A(?:[一二三四五六七八九十]+|[(（]?[0-9０-９]+[)）]?|[イロハニホ])[　 ]+")
_SPLITS = lazy_regex(r"(?<=[のと針標況要題み階])であり、|(?<=[しれっ])ており、")
_SHORTEST_PART = 16
_CLAUSES = lazy_regex(
    r"(?<=[すたんい])(?:が|けれども|けれど|けども|けど|ので)、|(?:おり|あり|まし|して|でし|です)て?、"
)
_SHORTEST_END = 30
_POINTS_BACK = lazy_regex(r"(?:こ|そ|あ)(?:の|れ|う|こ|んな|ういう|ういった)")
_NUMERAL = r"[〇一二三四五六七八九十百千]+"
_COUNTED = lazy_regex(
    rf"(?<![一二三四五六七八九十百千〇数何幾第・])(?!一[^、。]{{1,8}}当たり|十[分二]?[なにで]|[兆億万])((?:{_NUMERAL}[兆億万])*{_NUMERAL}|(?:{_NUMERAL}[兆億万])+)"
    r"(?=(?<=[兆億万])[超以未かまにのをはがで、。）]|円|ドル|ユーロ|％|パーセント|ポイント|人|名|か所|カ所|箇所|か月|カ月|ヶ月|時間|年|月|日(?![町市月本])|割|倍|件|隻|台|キロ|メートル|トン|ヘクタール|歳|便|市町村|都道府県|自治体|世帯|社(?!会)|校|地区|団体|食|床|回|項目|戸|の(?:市町村|自治体|事業者|都道府県|地域|団体|企業|学校))"
)
_DECIMAL = lazy_regex(
    r"([一二三四五六七八九十百〇]+)・([〇一二三四五六七八九]+)(?=倍|パーセント|％|ポイント|兆|億|万|度|メートル|キロ)"
)
# 七、八兆円: “seven or eight trillion”.
_SPAN = lazy_regex(
    r"(?<![一二三四五六七八九十百千〇第])([一二三四五六七八九])、(?=[一二三四五六七八九](?:[兆億万]?円|[十百千兆億万]|割|人|年|％|パーセント))"
)
_AMOUNT_LEFT = lazy_regex(
    r"(?<![第数何幾一二三四五六七八九十百千])(?:[二三四五六七八九十百千][〇一二三四五六七八九十百千]*|[一二三四五六七八九十]+・[〇一二三四五六七八九]+)(?:[兆億万](?!一)|円|％|パーセント|年度|か所|倍|ポイント|時間|分(?![のな野]))"
)
_PIECES = lazy_regex(rf"({_NUMERAL})([兆億万]?)")
_FRACTION = lazy_regex(r"([二三四五六七八九十]+)分の([一二三四五六七八九]+)")
_TAIL = lazy_regex(r"(?:が|けれども)、(?:その)?詳細[^。]{0,40}。\Z")
_TO_DEBATE = lazy_regex(r"\A(?:[^、。]{0,10}質疑を(?:終局し|終え)(?:まして)?、)?討論に入りましたところ、")
_SETTLED = lazy_regex(r"\A(?:よって、|起立[多総][数員]。|御異議なしと認めます。)+")
_IDIOMS = lazy_regex(
    r"[一二三四五六七八九十]+人(?:一人|ひとり)|一日(?:も|でも)|万一|万が一|一人一(?:人|台)|一人でも|一つ|一回(?!目)|一円も|十分|千差万別|三位一体|二人三脚"
)


def wording_options(text: str) -> tuple[str, str, str]:
    """A sentence plain with digits, plain, and unchanged, in order of preference."""
    plain = simplify(trim_openers(text))
    return kanji_to_digits(plain), plain, text


def trim_openers(text: str) -> str:
    """The sentence without words that connect it to the one before."""
    text = _TO_DEBATE.sub("討論では、", _SETTLED.sub("", _LIST_MARK.sub("", text)))
    text = _ASIDE.sub("", _POINTED_OUT.sub("", _OPENER.sub("", text)))
    return _TAIL.sub("。", text).lstrip("、　 ")


def simplify(text: str) -> str:
    """The sentence without parliamentary politeness."""
    for pattern, instead in _rules():
        text = pattern.sub(instead, text)
    return text


def everyday_words(text: str) -> str:
    """The sentence with everyday words for officialese, as far as the list has them."""
    for pattern, instead in _everyday():
        text = pattern.sub(instead, text)
    return text


@cache
def _everyday() -> tuple[tuple[re.Pattern[str], str], ...]:
    return _read_rules("everyday_words.txt")


@cache
def _rules() -> tuple[tuple[re.Pattern[str], str], ...]:
    return _read_rules("plain_language.txt")


def _read_rules(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Pairs of pattern and replacement, separated by a tab in the file, in the order they apply."""
    split = (line.partition("\t") for line in read_lines(__package__, name))
    return tuple((re.compile(before), after) for before, _, after in split)


def kanji_to_digits(text: str) -> str:
    """Kanji numerals before a counter in digits, as in 320億円; words that only look like numbers stay.

    Never by halves: where an amount can't be told from such a word, all of them stay as they are.
    """
    kept = _IDIOMS.split(text)
    idioms = _IDIOMS.findall(text)
    digits = [_with_digits(part) for part in kept]
    if digits != kept and any(_AMOUNT_LEFT.search(part) for part in digits):
        return text
    return "".join(part + idiom for part, idiom in zip(digits, (*idioms, ""), strict=True))


def _with_digits(text: str) -> str:
    text = _FRACTION.sub(lambda match: f"{parse_kanji_number(match[1])}分の{parse_kanji_number(match[2])}", text)
    text = _DECIMAL.sub(lambda match: f"{parse_kanji_number(match[1])}.{_fraction_digits(match[2])}", text)
    text = _SPAN.sub(lambda match: f"{parse_kanji_number(match[1])}、", text)
    return _COUNTED.sub(lambda match: _PIECES.sub(_piece, match[1]), text)


def _fraction_digits(text: str) -> str:
    return "".join(str(parse_kanji_number(digit)) for digit in text)


def split_sentence(text: str) -> list[str]:
    """A long sentence as two, if its first half is a statement of its own."""
    for match in _SPLITS.finditer(text):
        if match.start() >= _SHORTEST_PART and len(text) - match.end() >= _SHORTEST_PART:
            ending = "です。" if match[0].startswith("であり") else "ています。"
            return [text[: match.start()] + ending, text[match.end() :]]
    return [text]


def end_of_sentence(text: str, most: int) -> str:
    """The last clauses of a long sentence, from the first at which they are short enough and don't point back."""
    for match in _CLAUSES.finditer(text):
        rest = text[match.end() :]
        if len(rest) <= most:
            return rest if len(rest) >= _SHORTEST_END and not _POINTS_BACK.match(rest) else text
    return text


def shorten_title(text: str, longest: int) -> str:
    """The text cut at a comma, for headings and cards."""
    if len(text) <= longest:
        return text
    cut = text.rfind("、", longest // 2, longest)
    return text[: cut if cut > 0 else longest - 1] + "…"


def _piece(match: re.Match[str]) -> str:
    value = parse_kanji_number(match[1])
    return f"{value}{match[2]}" if value is not None else match[0]
