"""Which language a text is in: by its script where that decides, by its function words, and last by a trained model."""

import re

from almanac.kit.lazy import lazy_module
from almanac.language.scripts import script_counts

py3langid = lazy_module("py3langid")

_READ = 6000
_LATIN_WORD = re.compile(r"[a-z\u00c0-\u024f]+(?:-[a-z]+)?")
_OF_SCRIPT = {
    "hangul": "ko",
    "cyrillic": "ru",
    "arabic": "ar",
    "thai": "th",
    "devanagari": "hi",
    "tamil": "ta",
    "greek": "el",
    "hebrew": "he",
}
# A character of these scripts says about as much as two and a half letters.
_HAN_WEIGHT = 2.5
_KANA_SHARE = 0.06

_JAPANESE_FORMS = frozenset(
    "込働畑峠辻桜様円図広価検売読駅験総経済対応気実発変挙拡権関沢辺斉鉄県労戦団囲焼徴単厳営毎両歩巻録縁悪圧仮帰拝択"
    "暁歓渋猟獣産砕稲穂絵継続聴臓観訳豊転遅酔釈鉱隠雑霊頼顔験髪齢黒歳児浜竜覧剤掲満渓"
)
_SIMPLIFIED_FORMS = frozenset(
    "这们说经济议员长东车马门问间闻见观现规视议论设计认识语读课谁调请谈让许记讲论证评词试话该详误谢谱贝财责败货质贸费资赛"
    "赞赢赵超转轮软较载输达过运还进远连违选邓郑释钟钱铁银链锁镇闭闲阳阴阵阶际陆陈险随难雾静项顺须预领频题额风飞饭馆驻验鱼"
    "鸟鸡龙龄亚产亲亿仅从仓仪们价众优伙会伟传伤伦体余佣侠侦侧侨债倾偿储儿兑党兰关兴养兽冈册写军农冲决况冻净凉减凤凭凯击刘"
    "则刚创删别剂剑剧劝办务动励劲劳势华协单卖卢卫压厂历厅厉县参双发变叙号叹吓后吗吴员呜响哑团园围国图圆场块坚坛坏"
) - frozenset("会国体余写号参党静随双超侠")
_TRADITIONAL_FORMS = frozenset("這們說經濟與從將對來讓實發變舉關總應氣廣價檢賣讀鐵縣勞戰團圍單嚴營兩歸擇歡產繼續聽觀譯")
# Japanese shares the first with simplified and the second with traditional Chinese; only Japanese mixes them.
_SHORTENED = frozenset("会国体党号来点学区条声医当担旧双写参静画争宝断随")
_FULL = frozenset(
    "員議長東車馬門問間聞見現規視論設計認識語課調談許記講証評試話詳財責貨質費資輪軟輸達過運進連違選銀閉陽際陸険難項順預領題額風"
    "飛館務動協極業構機築終組結給統絡線練編緊紙紀約納純級細紹総農備優債側偵傷傾億価勢収"
)

_MALAY = frozenset(
    "yang dan di ke untuk dengan ini itu pada akan tidak dari daripada telah oleh adalah ialah dalam bagi "
    "kepada juga bahawa kerana atau sebagai lebih beliau mereka kami kita saya boleh serta turut katanya "
    "berkata menurut antara tahun bulan hari juta bilion peratus ringgit kerajaan menteri negara negeri rakyat "
    "syarikat secara selepas sebelum sehingga hingga masih belum sudah perlu semua setiap para orang baharu "
    "baru kata naik turun tiada bukan lagi sahaja perdana dewan parlimen undang-undang mesyuarat kementerian "
    "jabatan pendidikan kesihatan ekonomi harga kadar pasaran".split()
)
_INDONESIAN = frozenset(
    "bahwa karena bisa adalah yaitu anda pemerintah persen perusahaan rupiah miliar uang polisi universitas "
    "anggota presiden indonesia jakarta triliun rumah sakit kantor mobil tersebut dapat menjadi sedangkan "
    "senin selasa rabu kamis jumat sabtu minggu kebijakan provinsi kabupaten mengatakan kepolisian".split()
) - frozenset("adalah dapat menjadi tersebut rumah sakit".split())
_MALAY_ONLY = frozenset(
    "bahawa kerana ialah iaitu daripada kerajaan peratus syarikat ringgit bilion polis universiti boleh wang "
    "isnin khamis jumaat ahad malaysia kuala lumpur negeri parlimen dewan rakyat katanya sahaja kementerian "
    "baharu berkata".split()
)
_ENGLISH = frozenset(
    "the of and to in is that for on with as was by at from are be has have had this it its an will not or but "
    "they which he she his her we our said were been their after more than who would new over about into can "
    "all also says amid up out first year years no if when what how why".split()
)
# In a headline there may be no function word at all, but the forms of its words tell.
_ENGLISH_FORM = re.compile(
    r"(?:[ts]ion|ment|ing|ies|[^aeiou]ed|[^u]es|ers|ity|ous|ly|ise|ize|ck|th|sh|ill|x)s?$|^wh|^th|ss|ee|ough"
)
_MALAY_FORM = re.compile(
    r"^(?:me[mn]|ber|peng|pem|diper|ter[a-z]{5})|(?:kan|nya|aan|ian)$|^di[a-z]{5,}$|^ke[a-z]{3,}an$"
)
_HEADLINE = 12
_LATIN_LANGUAGES = frozenset("en ms id fr de es it pt nl vi tl sv da no fi pl tr cs ro hu".split())


def detect(text: str) -> str:
    """The language of a text as its two-letter code; an empty text counts as English."""
    sample = text if len(text) <= _READ else text[: _READ // 2] + text[len(text) // 2 :][: _READ // 2]
    counts = script_counts(sample)
    cjk = (counts["han"] + counts["kana"]) * _HAN_WEIGHT
    other = max(_OF_SCRIPT, key=lambda script: counts[script])
    if counts[other] > max(cjk, counts["latin"]):
        return _OF_SCRIPT[other]
    if cjk and cjk >= counts["latin"]:
        return _chinese_or_japanese(sample, counts["han"], counts["kana"])
    return _of_latin(sample)


def _chinese_or_japanese(text: str, han: int, kana: int) -> str:
    if kana >= _KANA_SHARE * (han + kana):
        return "ja"
    characters = set(text)
    japanese = len(characters & _JAPANESE_FORMS) + min(len(characters & _SHORTENED), len(characters & _FULL))
    return "ja" if japanese > len(characters & (_SIMPLIFIED_FORMS | _TRADITIONAL_FORMS)) else "zh"


def _of_latin(text: str) -> str:
    found = _LATIN_WORD.findall(text.casefold())
    if not found:
        return "en"
    malay = sum(word in _MALAY or word in _INDONESIAN for word in found)
    english = sum(word in _ENGLISH for word in found)
    if max(malay, english) >= max(1, 0.08 * len(found)) and malay != english:
        return _malay_or_indonesian(found) if malay > english else "en"
    return _by_model(text, found)


def _malay_or_indonesian(found: list[str]) -> str:
    indonesian = sum(word in _INDONESIAN for word in found)
    return "id" if indonesian > sum(word in _MALAY_ONLY for word in found) else "ms"


def _by_model(text: str, found: list[str]) -> str:
    english, malay = (sum(bool(form.search(word)) for word in found) for form in (_ENGLISH_FORM, _MALAY_FORM))
    if len(found) <= _HEADLINE and english != malay:
        return "en" if english > malay else _malay_or_indonesian(found)
    code = next(str(code) for code, _ in py3langid.rank(text) if code in _LATIN_LANGUAGES)
    return _malay_or_indonesian(found) if code in {"ms", "id"} else code
