"""Names in Chinese and Japanese: before or after a role, by family name, in katakana, and with a place's ending.

Candidates are only what can be told from common words; what can't is left unchecked.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from almanac.language.scripts import HAN, KATAKANA
from almanac.verify.known_names import family_names, known_forms

_ROLES_JA = (
    "氏|さん|君|様|議員|委員長|委員|大臣|首相|総理|知事|市長|町長|村長|区長|社長|会長|長官|教授|理事長|理事|参考人|局長|部長|課長"
    "|代表|先生|総裁|総領事|大使|大統領|書記|選手|監督|博士|弁護士|議長|所長|校長|院長|幹事長|政務官|副大臣|相"
)
_ROLES_ZH = (
    "部长|总理|主席|先生|女士|议员|教授|省长|市长|首相|州务大臣|首席部长|局长|主任|总裁|董事长|书记|总统|委员|发言人|所长|校长|博士"
    "|秘书长|院长|司长|总监|经理|主任|议长|大臣|拿督|丹斯里|记者|律师|总干事|专家|工程师|研究员|农民|会长|主管|负责人|代表|法官|队长|秘书|顾问|村民|老板|医生|老师|大使|候选人|州长|县长|镇长|处长|科长|厅长|执行官|创始人|学者"
    "|作家|外长|防长|财长|经济学家|分析师|原告|被告|船长|店主"
)
_SPEAKS_ZH = "表示|指出|强调|认为|宣布|透露|补充|回应|提出|主持|出席|接受|说|称|告诉|警告|解释|呼吁|介绍|坦言|批评|起诉|赢得|当选|质疑|会见|访问"
_SURNAMES_ZH = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石"
    "廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤颜翁连冼温洪庄倪"
)
_PLACES_JA = "都|道|府|県|市|区|町|村|郡|島|川|港|駅|省|庁|党|社|銀行|大学|協会|組合|会社|電力|農協|原発|発電所|空港|ダム|研究所|工場"
_GENERIC_JA = frozenset(
    "同 両 各 全 諸 当 副 前 元 新 現 関係 担当 有識 地方 国会 与党 野党 女性 若手 政府 県議 市議 都 農 漁 山 地 他 隣 大都 小 中 "
    "政令 被災 首 本 弊 御 貴 自 出版 会 商 外 内 主要 複数 多く 一部 国 州 党 政 地元 近隣 市 県 町 道 衆議院 参議院 常任 特別 議 "
    "閣僚 財務 外務 副 総理 内閣 農林水産 厚生労働 経済産業 国土交通 文部科学 総務 環境 防衛 法務 経産 農水 厚労 国交 文科 担当 農相 "
    "首都 大 公 私 国立 公立 私立 入 報 民 軍 警 無 半 列 群 電 火力 原子力 水力 太陽光 両 該当 対象 同 生産 農業 協同 地域".split()
)
_COMMON_KATAKANA = frozenset(
    "メートル キロ トン ヘクタール ドル ユーロ パーセント ポイント ワット キロワット メガワット エネルギー システム プロジェクト サービス データ "
    "センター グループ メンバー プラン モデル コスト リスク インフラ デジタル ビジネス テーマ ルール レベル ケース ニュース メディア インターネット "
    "オンライン イベント スタート ピーク ペース バランス マイナス プラス ゼロ ダム ガス タンク パネル ソーラー バイオマス ガソリン トラック バス "
    "コメ ジャガイモ トウモロコシ ゴム パーム スーパー メーカー ベース サイト アプリ ロボット ドローン ハウス テスト チーム リーダー トップ "
    "コメント インタビュー アンケート レポート シェア アップ ダウン インフレ デフレ マンション ホテル テレビ ラジオ カ ヶ ヵ ケ か所 "
    "ウイルス ワクチン カロリー ビル ページ コロナ マスク ボランティア スタッフ サミット フォーラム シンポジウム ワークショップ".split()
)

_ROLE_JA = re.compile(rf"(?P<core>[{HAN}{KATAKANA}・]{{1,14}}?)(?P<role>{_ROLES_JA})(?![{HAN}])")
_PLACE_JA = re.compile(
    rf"(?<![{HAN}{KATAKANA}])(?P<core>[{HAN}{KATAKANA}・]{{1,8}}?)(?P<role>{_PLACES_JA})(?![{HAN}{KATAKANA}])"
)
_FAMILY_JA = re.compile(
    rf"(?<![{HAN}])(?:{'|'.join(sorted((n for n in family_names() if len(n) > 1), key=len, reverse=True))})[{HAN}]{{0,3}}"
)
_ROLE = re.compile(rf"(?:{_ROLES_JA}|{_ROLES_ZH}|{_PLACES_JA})+")
_KATAKANA_RUN = re.compile(rf"[{KATAKANA}]+(?:[・=][{KATAKANA}]+)*")
_AFTER_KATAKANA = re.compile(rf"(?:{_ROLES_JA}|州|国|市|社|島|県|党|人|政府|銀行|大学)")
_SPEAKER_ZH = re.compile(rf"(?P<core>[{_SURNAMES_ZH}][{HAN}]{{1,2}}?)(?={_SPEAKS_ZH}|{_ROLES_ZH})")
_AFTER_ROLE_ZH = re.compile(
    rf"(?:{_ROLES_ZH})(?P<core>[{_SURNAMES_ZH}][{HAN}]{{1,2}}?)(?={_SPEAKS_ZH}|[在于对就与和将已也向,。、|(]|今|昨|周|星)"
)
_DOTTED_ZH = re.compile(rf"[{HAN}]{{1,6}}(?:[·・•][{HAN}]{{1,8}})+")
_EDGE_ZH = re.compile(rf"(?:^|[^{HAN}]|{_ROLES_ZH}|[和与及由])$")
_NOT_PEOPLE_ZH = re.compile(
    "高(?:层|级|官|度|达)|方(?:面|才)|周[一二三四五六日]|马(?:方|来|国|六)|白(?:宫|皮)|金(?:额|融)|任(?:何|期)|向(?:来|记)|连(?:续|同)|江(?:苏|西)|程序|田间|石油|于是|何时|许多|曾(?:经|在)|万(?:人|元)|武(?:汉)|温度|严(?:重|厉)|钱|史|龙头|范围|段|白"
)
_KNOWN = re.compile(
    "|".join(
        re.escape(form)
        for form in sorted(
            (form for form in known_forms() if not form.isascii() and len(form) > 1), key=len, reverse=True
        )
    )
)


@dataclass(frozen=True, slots=True)
class HanName:
    """A name in Chinese characters or kana: `core` is the name without its role or ending.

    A sure one is a fault wherever the source hasn't got it; another only where it stands in another name's place.
    """

    start: int
    end: int
    core: str
    sure: bool


@lru_cache(maxsize=8192)
def find_han_names(text: str, language: str) -> tuple[HanName, ...]:
    """The names of a levelled text from which figures and dates have been blanked."""
    candidates = [*_known(text), *(_japanese(text) if language == "ja" else _chinese(text))]
    found: list[HanName] = []
    for name in candidates:
        if all(name.end <= other.start or other.end <= name.start for other in found):
            found.append(name)
    return tuple(sorted(found, key=lambda name: name.start))


def _known(text: str) -> list[HanName]:
    return [HanName(*match.span(), match[0], sure=True) for match in _KNOWN.finditer(text)]


def _japanese(text: str) -> list[HanName]:
    found = []
    for pattern in (_ROLE_JA, _PLACE_JA):
        for match in pattern.finditer(text):
            core = match["core"]
            if core not in _GENERIC_JA and core not in _COMMON_KATAKANA and _is_whole(text, match.start()):
                found.append(HanName(match.start(), match.end("core"), core, sure=True))
    found += [HanName(*match.span(), match[0], sure=True) for match in _FAMILY_JA.finditer(text)]
    for match in _KATAKANA_RUN.finditer(text):
        if len(match[0]) > 1 and match[0] not in _COMMON_KATAKANA:
            sure = "・" in match[0] or bool(_AFTER_KATAKANA.match(text, match.end()))
            found.append(HanName(*match.span(), match[0], sure=sure))
    return found


def end_of_role(text: str, end: int) -> int:
    """Where the role after a name ends."""
    match = _ROLE.match(text, end)
    return match.end() if match else end


def _is_whole(text: str, start: int) -> bool:
    """A lazy match may begin inside a longer run: then its beginning isn't that of a name."""
    return start == 0 or not re.match(f"[{HAN}{KATAKANA}]", text[start - 1])


def _chinese(text: str) -> list[HanName]:
    found = [HanName(*match.span(), match[0], sure=True) for match in _DOTTED_ZH.finditer(text)]
    for pattern in (_AFTER_ROLE_ZH, _SPEAKER_ZH):
        for match in pattern.finditer(text):
            start, core = match.start("core"), match["core"]
            edge = _EDGE_ZH.search(text[:start]) is not None
            if edge and not _NOT_PEOPLE_ZH.match(core):
                found.append(HanName(start, match.end("core"), core, sure=True))
    return found


def stands_in(name: str, source: str) -> bool:
    """Whether a source has this name: as it is, in two pieces, or longer forms of which it is the short one."""
    if name in source:
        return True
    if any(name[:cut] in source and name[cut:] in source for cut in range(2, len(name) - 1)):
        return True
    parts = [part for part in re.split("[・=·•]", name) if part]
    if len(parts) > 1 and all(part in source for part in parts):
        return True
    return len(name) >= 2 and _is_short_form(name, source)


def _is_short_form(name: str, source: str) -> bool:
    """農水 of 農林水産: the same first character, the others in order within one run."""
    pattern = f"[{HAN}]{{0,3}}?".join(re.escape(character) for character in name)
    return bool(re.search(pattern, source)) and len(name) <= 3 and name not in family_names() and _far(name)


def _far(name: str) -> bool:
    return name not in known_forms()
