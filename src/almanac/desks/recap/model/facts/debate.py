"""The course of a debate by rules: what each speech does, which speech answers which, what is mere formality."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from almanac.desks.recap.model.facts.procedure import follow_sitting
from almanac.desks.recap.model.facts.speakers import is_chair, is_official
from almanac.desks.recap.model.facts.speech_text import SpokenSentence, spoken_sentences
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.recap import Reaction
from almanac.kit.lazy import lazy_regex

# Asking outright: 伺います, お聞かせください, 見解を求めます, いかがですか, …なのか。
_ASKS = lazy_regex(
    r"(?:伺|うかが)(?:い(?:ます|たい|を?(?:いた)?し(?:ます|たい))|わせて|えれば)|(?:聞|聴)き(?:ます|たい|を?(?:いた)?し(?:ます|たい))|お聞かせ(?!を?いただき(?:まし|、))|お?尋ね(?:を?(?:いた)?し)?(?:ます|たい)"
    r"|いかが(?:です|でしょう|お考え|なもの|か)|(?:見解|答弁|説明|認識|所見|回答|考え|方針|決意)[^。、]{0,12}を(?:求め|お示し|お願い|いただきたい|いただけ|問い|述べて)"
    r"|お示し(?:ください|いただ(?:き(?!ま[しす])|け)|を(?:ください|いただ(?:き(?!ま[しす])|け)|お願い))|お答え(?:ください|いただ(?:き(?!ま[しす])|け)|願)|教えて(?:ください|いただ(?:き(?!ま[しす])|け))|御?答弁(?:ください|願|を?お願い|いただ(?:き(?!ま[しす])|け))|明らかにして(?:ください|いただ(?:き(?!ま[しす])|け))"
    r"|(?:説明|お答え|明言|約束)(?:して)?ください"
)
# The form of a question: …ですか。 …のか、…。 …ませんか？
_INTERROGATIVE = lazy_regex(
    r"(?:です|ます|でしょう|ません|ました|ない|の|べき|だろう|れる|する|なる|ある|いる|どう)か(?:ね|な)?(?:[。？?]|」?\Z)|か[。？?]\Z|[？?]\Z|(?:いる|ある|ない|する|なる|べき|の|れる|した|った)か、(?:これは|それは)?[^。、]{0,16}(?:に)?(?:伺|聞|尋|答|見解|所見|認識|お示し|説明|お願い)"
)
# What only sounds like asking: what one has heard, what one was told, what is to be asked later.
_HEARD = lazy_regex(
    r"(?:伺|聞|聴|尋ね)[^。、か]{0,10}(?:て(?:おり|い)ます|ました|ましたが|て(?:おり|い)ました|たところ)[^。か]{0,20}。\Z|(?:質問|質疑)(?:を)?(?:さ(?:せて|して)いただ|に(?:入|移)|(?:いた)?します|を?続け)[^。]{0,16}。\Z"
    r"|(?:答弁|説明|お答え|お話)(?:を)?いただきました[^。か]{0,12}。\Z|ことをお願い[^。]{0,12}。\Z"
)
# 趣旨説明: explaining the purpose of a bill.
_EXPLAINS = lazy_regex(r"(?:提案|提出)(?:の)?理由|趣旨(?:を|の|につ|及び)[^。]{0,30}説明|決議案の趣旨|趣旨弁明")
# 報告: a committee's report on its deliberations.
_REPORTS = lazy_regex(r"審査の経過|調査の経過|経過(?:及び|と|並びに)結果|御報告(?:を)?(?:申し上げ|いたし)|報告書を")
# 討論: arguing for (賛成) or against (反対) before a vote.
_DEBATES = lazy_regex(r"討論")
# Saying that one argues oneself, not that somebody did or will: 討論いたします, 討論を行います, 討論といたします …
_ARGUES = lazy_regex(
    r"討論(?:を|と)?(?:(?:いた)?し|行い|申し上げ|(?:させて|行わせて)いただき|終わり|終え)(?:ます|たい)|討論を(?:終わ|終え)"
)
_AGAINST = lazy_regex(
    r"反対(?:の(?:立場|討論|理由|意見|意を)|討論|(?:を)?(?:いた)?(?:し|する)|です|であり|を表明)|(?<=[には])反対、"
)
_IN_FAVOUR = lazy_regex(r"賛成(?:の(?:立場|討論|理由|意見|意を)|討論|(?:を)?(?:いた)?(?:し|する)|です|であり|を表明)")
# Stating a side without a debate: 反対の意見を述べます, 賛成の立場を表明します.
_STATES_SIDE = lazy_regex(r"(?:反対|賛成)の(?:意見|立場|意)(?:を|から)[^。、]{0,12}(?:述べ|表明|表し|申し上げ|発言)")
# …を議題といたします: what was asked before is over.
_OPENS_BUSINESS = lazy_regex(r"議題と(?:いた)?し(?:ます|、)|趣旨の?説明を(?:聴取|求め|許)")
# 動議: a motion.
_MOVES = lazy_regex(
    r"動議を提出|動議を(?:いた)?し|この際、[^。]{0,60}(?:追加し|省略し|延期し)[^。]{0,30}(?:れんこと|ことを望み)"
)
# 端的に聞きますよ: saying that one asks, without asking.
_ANNOUNCES_ASKING = lazy_regex(
    r"(?:[^。か]|か(?![、。？ど])){0,30}(?:伺い|うかがい|聞き|聴き|(?:お?尋ね|質問)(?:を?(?:いた)?し)?)ます(?:よ|ね)?。"
)
_KANA = lazy_regex(r"[ぁ-ん]")
_WORD = lazy_regex(r"[一-鿿々]+|[ァ-ヶー]{2,}|[0-9０-９]+")
_EMPTY_WORDS = frozenset(
    ("自身", "御自身", "何", "今", "方", "人", "事", "私", "皆様", "総理", "大臣", "答", "思", "伺", "聞")
)
_ENOUGH_WORDS = 2
_ANSWERS = lazy_regex(r"お答え|御答弁|御指摘|御質問|お尋ね")
# 党首討論: leaders of the opposition question the prime minister.
_LEADERS_DEBATE = "国家基本政策委員会"
_OPENING = 4
_BRIEF = 2
_CALLING = "君|さん|氏|委員|議員|大臣|長官|局長|参考人|会長|総裁"
_FORMS = (
    r"(?:会議|委員会|審査会|調査会|公聴会|分科会|小委員会)を(?:開|再開|散会|終了)",
    r"議題と(?:いた)?(?:し|する)",
    r"(?:趣旨|提案理由|概要)の(?:説明|弁明)(?:を|の)?(?:聴取|求め|許)",
    r"(?:委員長|小委員長|主査)の報告(?:を求め|は)",
    r"(?:発言|質疑|討論|これ|質問)を(?:順次)?許(?:し|可)",
    r"(?:採決|討論|質疑|質問|審査|投票|自由討議)(?:に入|を(?:行い|いたし|開始|続行|継続)|いたし)(?:ます|り)",
    r"(?:起立|挙手|投票|御着席)を(?:求め|願|お願い)",
    r"投票(?:ボタン|漏れ|箱|を(?:終了|開始)|の結果(?:を|について))|議場(?:閉鎖|開鎖|を閉鎖)|氏名(?:を)?点呼",
    r"御?異議(?:あり|なし|ござい)",
    r"(?:その|さ)よう(?:に)?(?:決|取り計|いたし)|左様|許可することに決|決定いたしました。\Z(?<=そのように決定いたしました。)",
    r"(?:散会|休憩|閉会|延会)(?:いた)?(?:し|す|と)|休憩前に引き続き",
    r"(?:質疑|討論|趣旨の?説明|説明|報告|発言|質問|採決)は?、?(?:これにて|これで|全て|すべて)?(?:を)?(?:終局|終了|終わり|終え|終結)",
    r"公報をもって|追って(?:お知らせ|御通知)|後刻|後日",
    r"お諮り(?:いた|を|し)|御出席を求め|出席を求め、|説明を聴取",
    r"動議が提出|動議を提出|動議を議題|提出者の?(?:から)?趣旨",
    r"本号末尾|会議録(?:に|によ)|掲載すること",
    r"委員の異動|補欠(?:選任|として)|辞任に伴",
    r"(?:持ち)?時間が(?:参り|来|過ぎ|まいり)|申合せの時間|時間ですので",
    r"質問の機会|御礼|感謝(?:を)?申し上げ|ありがとうござい|よろしくお願い|お疲れ",
    r"何とぞ|(?:御賛同|御審議|御賛成|御可決|御承認|御理解)[^。]{0,30}(?:お願い|賜|くださ|いただき)",
    r"(?:御質問|お尋ね)に(?:対し)?(?:て)?、?お答え|残余の(?:質問|お尋ね|答弁)|関係大臣から答弁",
    r"(?:資料|パネル|表|グラフ|図)[^。]{0,30}(?:御覧|見て)(?:いただ|くだ|になって)|御覧いただけ(?:ます|ない)|御覧ください。",
    r"(?:もう)?(?:お?時間|持ち時間)が(?:なく|迫|限ら)|次の(?:質問|テーマ|項目|話題)に(?:移|入|参|行)",
    r"(?:御質問|お尋ね|質問)に(?:は|つきまして)?、?お答え(?:を)?(?:したい|させて|する前)|お答えする前に|(?:御質問|お尋ね)をいただきました|[一二三四五]点の御?(?:提案|質問|指摘)をいただ",
    r"(?:議員|委員|先生|君|代表|党首)(?:から)?の?(?:[^。]{0,20}(?:御?質問|お尋ね))?にお答え(?:を)?(?:いた|申し上げ|し(?:ます|たい)|させて)|(?:という|との|の|かとの)(?:お尋ね|御質問|御指摘)(?:が|も|で)(?:あり|ござい)ました。",
    r"(?:質問|質疑)(?:を|に)?(?:さ(?:せて|して)いただ|に?入(?:ら|り)|始めさせ)|(?:質問|質疑)に立(?:ち|た)|早速(?:です|質問|伺|お伺)|(?:お悔やみ|お見舞い?|哀悼|弔意|お喜び|お祝い)(?:の意)?を?(?:申し上げ|表し)",
    r"(?:という|との)(?:お尋ね|御質問|御指摘)(?:です|であります|でございます|かと思います)。",
    r"案文(?:の|を)朗読|朗読(?:を|に)?(?:いた|もって|より|し)|趣旨の?説明に代え",
    r"(?:いい|貴重な)(?:お話|御提言|御指摘|御意見)を(?:伺|いただ|賜)",
    r"速記を(?:止|起|中止)|速記中止",
    r"静粛に|御静粛|発言を(?:禁|止)|着席願",
    r"あらかじめ(?:御)?了承|御了承願|御承知願",
    r"(?:なの|の|はどう|どうする|ではない|べき)か(?:どうか)?ということ(?:です|であります|でございます|かと思います)。\Z",
)
_WHOLE = (
    rf"(?:まず|次に|最後に|そして|改めて)?、?[^、。]{{0,20}}(?:{_CALLING}|皆様|皆さん)に(?:対し(?:て|まして)、?)?(?:一言)?申し上げ(?:ます|たいと思います)。",
    rf"(?:次に|続いて|まず|では|それでは|最後に|これより)?、?[^、。]{{0,40}}(?:{_CALLING})。",
    r"(?:はい、?)?(?:ただいま(?:の|議題)[^。]{0,40})?(?:お答え|御答弁|御説明|御報告|お尋ね)(?:を)?(?:申し上げ|いたし|し)(?:ます|たいと思います)。",
    r"以上(?:です|であります|でございます|のとおりです|、御報告(?:を)?申し上げます|で(?:す|質問|質疑|討論|私|説明|報告)[^。]{0,20}|が[^。]{0,40}(?:理由|内容|概要|趣旨)[^。]{0,12})。",
    r"(?:これで|これにて|以上で)?、?(?:私の)?(?:質問|質疑|討論|発言)?(?:を|は)?終わり(?:ます|たいと思います)。",
    r"(?:どうぞ|済みません|すみません|恐れ入ります|失礼(?:いた)?しました|承知(?:いた)?しました|分かりました|了解です|はい|以上)(?:、[^。]{0,12})?。",
    r"[^。]{0,60}(?:について|につきまして|に関して|につき)?(?:、)?(?:その)?[^。]{0,40}(?:御説明|御報告|説明)(?:を)?(?:申し上げ|いたし)(?:ます|たいと存じます)。",
    r"(?:なお、)?(?:詳細|その他の?詳細)[^。]{0,40}(?:会議録|御承知)[^。]{0,20}。",
    r"(?:こ|そ)の(?:際|ため)、?(?:お諮り|一言)[^。]{0,40}。",
    r"(?:今|ただいま|今ほど|先ほど)[^。]{0,20}(?:指摘|質問|お尋ね)[^。]{0,40}(?:について|につきまして|に関して)(?:です|であります|でございます)。",
    r"[^。]{0,40}の(?:御質問|お尋ね)(?:です|であります|でございます|かと思います)。",
    r"(?:次に|まず|最後に)?、?[^。、]{0,20}(?:大臣|総理|参考人|局長|政府|長官|政務官|総裁|審議官)に(?:も)?(?:お)?(?:伺|聞|尋)[^。]{0,12}ます。",
    r"一つは、[^。]{0,20}(?:です|であります|でございます)。",
)
_FORMAL = lazy_regex("|".join(_FORMS))
_FORMAL_SENTENCE = lazy_regex("|".join(f"(?:{form})" for form in _WHOLE))
_ITSELF = lazy_regex(r"(?:です|であります|でございます|と申します)。\Z")
_BELONGS_TO = lazy_regex(r"(?:党|会|クラブ|組|選出|無所属|ネット|維新|公明)、\Z")
_LONGEST_FORMALITY = 160
_LONGEST_INTRODUCTION = 60
# What also carries a fact or a demand is content, whatever the form: 六千億円, 三割, 反対の意見が述べられました.
_CONTENT = lazy_regex(
    r"[一二三四五六七八九十百千0-9０-９][億兆万]?円|[割％%]|パーセント|述べられ|すべきものと|質疑が行われ|議論が(?:交わ|行わ)"
    r"|(?:求め|要望し|訴え|強調し)て、?(?:私の)?(?:質問|質疑|討論|発言)を"
)


@dataclass(slots=True)
class _Debate:
    """The state of the debate: the unanswered question, and whether members are arguing before a vote.

    `deciding` has the speeches in which the chair announces a result, `asking` is who asked last.
    """

    deciding: frozenset[int]
    only_officials_answer: bool = False
    asked: int | None = None
    asking: str = ""
    debating: bool = False
    replies: dict[int, int] = field(default_factory=dict)
    argued: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class DebateCourse:
    """What each speech does (`reactions`) and which question it answers (`response_to`), by order.

    `argued` has the speeches for or against that belong to a debate (討論); others only state a position.
    """

    reactions: Mapping[int, Reaction]
    response_to: Mapping[int, int]
    argued: frozenset[int] = frozenset()

    def answers_of(self, order: int) -> tuple[int, ...]:
        return tuple(answer for answer, question in self.response_to.items() if question == order)


def position_sentence(speech: Speech) -> str:
    """Where a speech says which side it takes: where it opens a debate, else where it first names a side; or empty."""
    sided = [
        each.text for each in spoken_sentences(speech) if _AGAINST.search(each.text) or _IN_FAVOUR.search(each.text)
    ]
    return next((text for text in sided if _ARGUES.search(text)), sided[0] if sided else "")


def takes_both_sides(speech: Speech) -> bool:
    """Whether a speech is for one proposal and against another, as where a bill comes with an amendment."""
    position = position_sentence(speech)
    return "賛成" in position and "反対" in position


def is_question(sentence: str) -> bool:
    """Whether a sentence asks something, outright or by its form."""
    return asks_outright(sentence) or bool(_INTERROGATIVE.search(sentence))


def asks_outright(sentence: str) -> bool:
    """Whether a sentence asks for an answer in so many words, as in 見解を伺います; a rhetorical question doesn't."""
    return bool(_ASKS.search(sentence)) and not _HEARD.search(sentence)


def announces_asking(sentence: str) -> bool:
    """Whether a sentence only says that a question follows, as in 端的に聞きますよ."""
    return bool(_ANNOUNCES_ASKING.fullmatch(sentence))


def is_bare_question(text: str) -> bool:
    """Whether a Japanese question can't be understood alone: どうでしょうか, なぜやらないんですか, 端的に聞きます."""
    if not _KANA.search(text):
        return False
    return announces_asking(text) or len(set(_WORD.findall(text)) - _EMPTY_WORDS) < _ENOUGH_WORDS


@lru_cache(maxsize=2)
def trace_debate(meeting: Meeting) -> DebateCourse:
    """Classify every speech of a meeting, in order. Cached, since both the writer and its evidence ask."""
    rulings = follow_sitting(meeting).rulings
    debate = _Debate(
        frozenset(ruling.order for ruling in rulings if not ruling.is_formal),
        only_officials_answer=_LEADERS_DEBATE in meeting.meeting,
    )
    reactions = {speech.order: _follow_speech(debate, speech) for speech in meeting.speeches}
    return DebateCourse(reactions, dict(debate.replies), frozenset(debate.argued))


def _follow_speech(debate: _Debate, speech: Speech) -> Reaction:
    reaction = _reaction(debate, speech)
    if reaction == "質問":
        debate.asked, debate.asking = speech.order, speech.speaker
    elif reaction == "答弁" and debate.asked is not None:
        debate.replies[speech.order] = debate.asked
    elif reaction in ("採決", "趣旨説明", "報告", "賛成", "反対"):
        debate.asked = None
    if reaction in ("賛成", "反対") and (debate.debating or _ARGUES.search(speech.text)):
        debate.argued.add(speech.order)
    if is_chair(speech):
        debate.debating = _is_debating(debate.debating, speech.text)
        debate.asked = None if _OPENS_BUSINESS.search(speech.text) else debate.asked
    return reaction


def _is_debating(so_far: bool, text: str) -> bool:
    if re.search(r"討論(?:は|を)?[^。]{0,8}(?:終局|終了|終わ|終結)|採決(?:に入|を?いた)", text):
        return False
    return so_far or bool(re.search(r"討論に入|討論の(?:通告|申出)[^許]{0,80}許|討論を行", text))


def _reaction(debate: _Debate, speech: Speech) -> Reaction:
    if speech.is_header:
        return "会議録情報"
    spoken = spoken_sentences(speech)
    if is_chair(speech):
        return "採決" if speech.order in debate.deciding else _chair_reaction(speech, spoken)
    opening = "".join(each.text for each in spoken[:_OPENING])
    if _REPORTS.search(opening) and not is_official(speech):
        return "報告"
    if _EXPLAINS.search(opening) and debate.asked is None:
        return "趣旨説明"
    takes_side = debate.debating or _DEBATES.search(opening) or _STATES_SIDE.search(opening)
    stance = _stance(spoken) if takes_side and not is_official(speech) else None
    return stance or _question_or_answer(debate, speech, spoken)


def _chair_reaction(speech: Speech, spoken: Sequence[SpokenSentence]) -> Reaction:
    content = [each for each in spoken if each.is_ended and not is_formality(each.text, speech.speaker)]
    return "報告" if len(content) > _OPENING and _REPORTS.search(speech.text) else "議事進行"


def _stance(spoken: Sequence[SpokenSentence]) -> Reaction | None:
    text = "".join(each.text for each in spoken)
    against, in_favour = _AGAINST.search(text), _IN_FAVOUR.search(text)
    if against and in_favour:
        return "反対" if against.start() < in_favour.start() else "賛成"
    return "反対" if against else "賛成" if in_favour else None


def _question_or_answer(debate: _Debate, speech: Speech, spoken: Sequence[SpokenSentence]) -> Reaction:
    official = is_official(speech)
    asks = any(is_question(each.text) for each in spoken)
    if official:
        return "答弁" if debate.asked is not None or _ANSWERS.search(speech.text[:200]) else "意見"
    if any(_MOVES.search(each.text) for each in spoken):
        return "動議"
    if asks:
        return "質問"
    if debate.only_officials_answer or speech.speaker == debate.asking:
        return "意見"
    replies = debate.asked is not None and len(spoken) > _BRIEF and _ANSWERS.search(speech.text[:120])
    return "答弁" if replies else "意見"


def is_formality(sentence: str, speaker: str = "") -> bool:
    """Whether a sentence is procedure without content; `speaker` detects that people only introduce themselves."""
    if len(sentence) > _LONGEST_FORMALITY or _CONTENT.search(sentence):
        return False
    if _FORMAL.search(sentence) or _FORMAL_SENTENCE.fullmatch(sentence):
        return True
    return bool(speaker) and len(sentence) <= _LONGEST_INTRODUCTION and _gives_name(sentence, speaker)


def _gives_name(sentence: str, speaker: str) -> bool:
    """Whether the speaker gives their name, as in 市民連帯クラブの九重由香です (“I am Yuka Kokonoe of the …”)."""
    before, named, after = sentence.rpartition(speaker)
    introduces = not before.endswith("、") or bool(_BELONGS_TO.search(before))
    return bool(named) and bool(_ITSELF.fullmatch(after)) and introduces
