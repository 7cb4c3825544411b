"""Units and currencies in four languages: which dimension they measure, and how many of the base unit they are."""

import re
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Measure:
    """What a number counts. `symbols` is what a person may call it: several where a sign is shared, such as `$`."""

    dimension: str
    factor: Decimal
    symbols: frozenset[str]

    def fits(self, other: "Measure") -> bool:
        """Whether both may mean the same thing, apart from how large the unit is."""
        return self.dimension == other.dimension and (self.dimension != MONEY or bool(self.symbols & other.symbols))


MONEY, SHARE, POINTS = "money", "share", "points"

_UNITS = """
length 0.001 mm|millimetre|millimetres|millimeter|millimeters|milimeter|ミリメートル|ミリ|毫米
length 0.01 cm|centimetre|centimetres|centimeter|centimeters|sentimeter|センチメートル|センチ|厘米|公分
length 1 m|metre|metres|meter|meters|メートル|米|公尺
length 1000 km|kilometre|kilometres|kilometer|kilometers|キロメートル|公里|千米
length 1609.344 mile|miles|batu|マイル|英里
length 0.3048 ft|foot|feet|kaki|フィート|英尺
area 1 m2|sq m|sqm|square metre|square metres|square meter|square meters|meter persegi|平方メートル|平方米
area 0.09290304 sq ft|square foot|square feet|kaki persegi|平方フィート|平方英尺
area 10000 ha|hectare|hectares|hektar|ヘクタール|公顷
area 4046.8564 acre|acres|ekar|エーカー|英亩
area 1000000 km2|sq km|square kilometre|square kilometres|square kilometer|square kilometers|kilometer persegi|平方キロメートル|平方キロ|平方公里
area 666.6667 亩
mass 0.001 mg|milligram|milligrams|毫克
mass 1 g|gram|grams|グラム|克
mass 1000 kg|kilo|kilos|kilogram|kilograms|kilogramme|kilogrammes|キログラム|公斤|千克
mass 1000000 t|tonne|tonnes|ton|tons|metric ton|metric tons|tan metrik|tan|トン|吨|公吨
volume 0.001 ml|millilitre|millilitres|ミリリットル|毫升
volume 1 litre|litres|liter|liters|リットル|升
volume 1000 m3|cubic metre|cubic metres|cubic meter|cubic meters|meter padu|立方メートル|立方米
volume 158.987 barrel|barrels|bpd|tong|バレル|桶
power 1 W|watt|watts|ワット|瓦
power 1000 kW|kilowatt|kilowatts|キロワット|千瓦
power 1000000 MW|megawatt|megawatts|メガワット|兆瓦
power 1000000000 GW|gigawatt|gigawatts|ギガワット|吉瓦
power 1000000000000 TW|terawatt|terawatts|テラワット
energy 1000 kWh|kilowatt-hour|kilowatt-hours|kilowatt hour|kilowatt hours|キロワット時|千瓦时|千瓦小时
energy 1000000 MWh|megawatt-hour|megawatt-hours|megawatt hours|メガワット時|兆瓦时
energy 1000000000 GWh|gigawatt-hour|gigawatt-hours|gigawatt hours|ギガワット時|吉瓦时
energy 1000000000000 TWh|terawatt-hour|terawatt-hours|テラワット時|太瓦时
temperature 1 °C|degrees Celsius|degree Celsius|darjah Celsius|摄氏度|℃|C
fahrenheit 1 °F|degrees Fahrenheit|darjah Fahrenheit|华氏度
time 1 second|seconds|saat|秒
time 60 minute|minutes|minit|分間|分钟
time 3600 hour|hours|jam|時間|小时|个小时
time 86400 day|days|hari|日間|天|日
time 604800 week|weeks|minggu|週間|周|个星期|星期
months 1 month|months|bulan|か月|カ月|ヶ月|ヵ月|箇月|個月|个月
months 12 year|years|tahun|年間|年|年间
percentage-points 1 percentage point|percentage points|mata peratusan|mata peratus|ポイント|个百分点|百分点
basis-points 1 basis point|basis points|mata asas|ベーシスポイント|个基点|基点
people 1 people|persons|person|orang|人|名
households 1 household|households|isi rumah|世帯|户|戸
votes 1 vote|votes|undi|票
seats 1 seat|seats|kerusi|議席|个席位|席
times 1 times|kali ganda|倍
speed 1 km/h|kph|kilometres per hour|kilometers per hour|キロ毎時|公里每小时
"""
_PER_CENT = "%|percent|per cent|pct|peratus|パーセント|プロセント"
_CURRENCIES = """
USD 1 US$|AS$|USD|US dollar|US dollars|dolar AS|dolar Amerika|米ドル|美元|美金
MYR 1 RM|MYR|ringgit|令吉|马币|马来西亚令吉|林吉特|リンギット
JPY 1 JPY|yen|円|日元|日圆
CNY 1 CNY|RMB|yuan|renminbi|人民元|元人民币|人民币|元
EUR 1 €|EUR|euro|euros|ユーロ|欧元
GBP 1 £|GBP|pound|pounds|ポンド|英镑
SGD 1 S$|SGD|Singapore dollar|Singapore dollars|dolar Singapura|シンガポールドル|新元|新加坡元
AUD 1 A$|AUD|Australian dollar|Australian dollars|豪ドル|澳元
HKD 1 HK$|HKD|Hong Kong dollars|港元|港币|香港ドル
IDR 1 Rp|IDR|rupiah|ルピア|印尼盾
THB 1 THB|baht|バーツ|泰铢
INR 1 ₹|INR|rupee|rupees|rupee India|ルピー|卢比
KRW 1 ₩|KRW|won|ウォン|韩元
KES 1 KSh|KES|shilling|shillings|シリング|先令
ETB 1 ETB|birr|ブル|比尔
USD,SGD,AUD,HKD,CAD,NZD 1 $|dollar|dollars|dolar|ドル
JPY,CNY 1 ¥
MYR,IDR,JPY 0.01 sen|仙
USD,SGD,AUD,EUR,CAD 0.01 cent|cents|セント
"""


def _unit_table() -> dict[str, Measure]:
    table: dict[str, Measure] = {}
    for line in _UNITS.strip().splitlines():
        dimension, factor, aliases = line.split(" ", 2)
        names = aliases.split("|")
        table |= {name: Measure(dimension, Decimal(factor), frozenset({names[0]})) for name in names}
    table |= {name: Measure(SHARE, Decimal(1), frozenset({"%"})) for name in _PER_CENT.split("|")}
    return table


def _currency_table() -> dict[str, Measure]:
    table: dict[str, Measure] = {}
    for line in _CURRENCIES.strip().splitlines():
        codes, factor, aliases = line.split(" ", 2)
        measure = Measure(MONEY, Decimal(factor), frozenset(codes.split(",")))
        table |= dict.fromkeys(aliases.split("|"), measure)
    return table


_MEASURES = _unit_table() | _currency_table()
_CASELESS = {name.lower(): measure for name, measure in _MEASURES.items() if len(name) > 3 and name.isascii()}


def _pattern(names: list[str], *, before: bool) -> str:
    ordered = sorted(names, key=len, reverse=True)
    return "|".join(_bounded(name, before=before) for name in ordered)


def _bounded(name: str, *, before: bool) -> str:
    """A Latin name ends with its word; a long one may be written in any case. A name in kanji needs no boundary."""
    escaped = re.escape(name).replace(r"\ ", "[ -]")
    if name in _CASELESS or name.lower() in _CASELESS:
        escaped = f"(?i:{escaped})"
    if not name[-1].isascii() or not name[-1].isalnum():
        return escaped if not before or not name[0].isalpha() else rf"(?<![A-Za-z]){escaped}"
    return rf"(?<![A-Za-z]){escaped}" if before else rf"{escaped}(?![A-Za-z0-9])"


_SIGNS = [
    name for name, measure in _MEASURES.items() if measure.dimension == MONEY and name.isascii() or name in "€£¥₹₩"
]
_AFTER = re.compile(rf"[ -]?({_pattern(list(_MEASURES), before=False)})")
_BEFORE = re.compile(rf"(?:{_pattern(_SIGNS, before=True)}) ?$")
_SHORT_SCALE = re.compile(r"(?i)(k|m|b)(?![A-Za-z])")
_SCALE_OF = {"k": 10**3, "m": 10**6, "b": 10**9}
_NOT_A_UNIT = re.compile(
    r"日(?:本|経|系|中|米|元|圆)|年(?:度|代|生|齢|金|龄)|元(?:旦|首|来|年)|米(?:国|軍|国|ド)|人(?:民|口|类|員|材|事|工)|名(?:誉|古|前)|席(?:上|次)|分(?:野|析|布)|天(?:然|气|候)|周(?:年|辺|边|三|一|二|四|五|六|日)|克(?:服|拉)|升(?:至|到|高|级|幅)|户(?:外|口)|票(?:房|据)|円(?:高|安|滑)|瓦(?:斯|解)|桶(?:装)|星期[一二三四五六日天]|トンネル|年[0-9]"
)


def measure_after(text: str, position: int) -> tuple[Measure, int] | None:
    """The unit or currency written right after a number, and where it ends."""
    match = _AFTER.match(text, position)
    if match is None or (len(match[1]) == 1 and _NOT_A_UNIT.match(text, match.start(1))):
        return None
    return _measure(match[1]), match.end()


def currency_before(text: str, position: int) -> tuple[Measure, int] | None:
    """The currency written right before a number, and where it begins."""
    match = _BEFORE.search(text, max(0, position - 22), position)
    return None if match is None else (_measure(match[0].strip()), match.start())


def short_scale(text: str, position: int) -> tuple[int, int]:
    """`5m`, `3.5b`, `20k` after a currency sign: the scale and where it ends."""
    match = _SHORT_SCALE.match(text, position)
    return (1, position) if match is None else (_SCALE_OF[match[1].lower()], match.end())


def _measure(written: str) -> Measure:
    name = re.sub("[ -]", " ", written) if " " in written or "-" in written else written
    found = _MEASURES.get(name) or _MEASURES.get(written) or _CASELESS.get(name.lower())
    assert found is not None, "the pattern is made of the names in the table"
    return found
