"""The reasons that a speech in a debate gives for its side: what it calls a reason, else where it passes judgement.

A concession is no reason: 「確かに…」, and whatever the next sentence takes back with 「しかし」. Nor is a demand,
what the other side holds, or what a speech that takes both sides says about the second proposal.
"""

from collections.abc import Iterator, Sequence

from almanac.desks.recap.model.facts.speech_text import SpokenSentence, spoken_sentences
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.recap import Reaction
from almanac.kit.lazy import lazy_regex

MOST_REASONS = 6
_ORDINAL = "[一二三四五六七八九十1-9１-９]{1,2}"
# 反対する第一の理由は、…: “the first reason for my opposition is …”.
_CALLED_REASON = lazy_regex(
    rf"\A(?:まず、|次に、|そして、|また、|最後に、)?(?:(?:反対|賛成)(?:する|の|を(?:する|いたします))?)?"
    rf"(?:(?:の)?(?:最大|主|大き)(?:の|な)?|(?:の)?第{_ORDINAL}の|(?:の)?{_ORDINAL}(?:つ目|点目)の)?理由(?:の第{_ORDINAL})?(?:として)?は、"
    r"|(?:反対|賛成)(?:する|の)?理由(?:は|の(?:第|一つ))|から(?:です|であります|でございます)。\Z"
)
_NUMBERED = lazy_regex(rf"\A第{_ORDINAL}(?:に|は|点(?:目)?(?:は|に))、?|\A{_ORDINAL}(?:つ目|点目)(?:は|に)、?")
_ANNOUNCES_REASONS = lazy_regex(
    r"理由(?:を|は|から|が|に)|問題(?:が|点)|以下(?:の|、)|反対(?:する|の)(?:理由|立場)|賛成(?:する|の)(?:理由|立場)|討論"
)
_DEMANDS = lazy_regex(r"(?:こと|もの)。\Z|(?:求め|要求し|要望し|お願いし|要請し)(?:ます|てき|ており)|求めてきた")
# Judgements: “can't be accepted”, “isn't enough”, “must be said to be …” — and for supporters “I value”, “is needed”.
_CONDEMNS = lazy_regex(
    r"認め(?:られ|るわけにはいき)(?:ません|ない)|容認(?:することは)?(?:でき|し得)(?:ません|ない)|看過(?:することは)?できま?(?:せん|ない)"
    r"|許され(?:ません|ない|るものでは)|言わざるを得(?:ません|ない)|指摘せざるを得|免れません|問題(?:です|があります|であります|と言わ)"
    r"|(?:全く|極めて|甚だ)?不十分(?:です|であ|と言わ|な)|足りません|反対(?:せざるを得|です|するもの)|賛成(?:でき|しかね|するわけにはいき)"
    r"|損なう|妨げる|おそれがあ(?:り|る)|べき(?:です|であります|ではありません)|背を向け|禍根を残|かけ離れ|矛盾|逆行|破綻|軽視"
)
_PRAISES = lazy_regex(
    r"評価(?:し|いたし|でき|する|に値)|不可欠(?:です|であ|な)|必要(?:です|であり|と考え)|前進(?:です|であり|と)|資する|期待(?:し|いたし|でき)|意義(?:が|のある|深)"
    r"|責任があり|寄与|(?:するもの|措置)であ(?:り|る)と(?:考え|評価)"
)
_CONCEDES = lazy_regex(
    r"\A(?:確かに|もちろん|なるほど|無論|むろん)|一定の(?:評価|理解|前進|成果)|(?:評価|理解|賛同|前進)[^。]{0,20}(?:ます|です|もの)が、"
)
_TURNS = lazy_regex(
    r"\A(?:しかし(?:ながら)?|だが|ですが|けれども|ところが|とはいえ|ただ(?:し)?、|にもかかわらず|その一方|一方)"
)
_OTHERS_VIEW = lazy_regex(
    r"(?:政府|与党|野党|総理|大臣|提出者|厚労省|財務省)[^。]{0,60}(?:と(?:答弁|説明|主張|述べ|言い|言って|おっしゃ|しています|いうことです))|と言われ(?:て|ます)|との(?:声|意見|指摘)(?:が|も)"
)
_SECOND_PROPOSAL = lazy_regex(
    r"\A(?:次に|なお|一方(?:で)?|また)、[^。]{0,40}(?:修正案|動議|法案|法律案)[^。]{0,30}(?:について|につきまして|は、|に対し)|\A(?!しかし|ところが|だが|[^。、]{0,12}政府)[^。]{0,30}修正案(?:については|は)、"
)
# 第一の理由は、…の改正内容です: the field of a reason, and not yet the reason.
_ONLY_NAMES = lazy_regex(
    r"理由(?:の第[^、。]{1,3})?(?:として)?は、[^、。]{2,40}(?:内容|事項|問題|件|点について|こと|制度)(?<!ないこと)(?<!たこと)(?<!ること)です。\Z"
)
_SHORTEST, _LONGEST = 12, 240


def stated_reasons(speech: Speech, side: Reaction) -> tuple[SpokenSentence, ...]:
    """The reasons for a side (賛成 or 反対) in their order; empty if the speech gives none that can be told apart."""
    spoken = list(_about_the_first_proposal(spoken_sentences(speech)))
    called = [each for each in spoken if _CALLED_REASON.search(each.text) and not _DEMANDS.search(each.text)]
    named = [_told(spoken, each) for each in called or _numbered(spoken)]
    reasons = named or [each for each in _judgements(spoken, side) if _SHORTEST <= len(each.text) <= _LONGEST]
    return tuple(each for each in reasons if each.is_ended)[:MOST_REASONS]


def _told(spoken: Sequence[SpokenSentence], reason: SpokenSentence) -> SpokenSentence:
    """The sentence that tells a reason: the next one where this one only names its field, or しかし takes it back."""
    at = spoken.index(reason)
    following = spoken[at + 1] if at + 1 < len(spoken) else None
    if following is None or not following.is_ended or _NUMBERED.match(following.text):
        return reason
    return following if _ONLY_NAMES.search(reason.text) or _TURNS.match(following.text) else reason


def _about_the_first_proposal(spoken: Sequence[SpokenSentence]) -> Iterator[SpokenSentence]:
    """The sentences up to where a speech that deals with several proposals turns to the second."""
    for at, each in enumerate(spoken):
        if at > 1 and _SECOND_PROPOSAL.search(each.text):
            return
        yield each


def _numbered(spoken: Sequence[SpokenSentence]) -> Iterator[SpokenSentence]:
    """第一に, 第二に … where reasons were announced; numbered demands aren't reasons."""
    numbered = [at for at, each in enumerate(spoken) if _NUMBERED.match(each.text)]
    if not numbered:
        return
    before = [each.text for each in spoken[max(0, numbered[0] - 2) : numbered[0]]]
    if any(_DEMANDS.search(text) for text in before) or not any(_ANNOUNCES_REASONS.search(text) for text in before):
        return
    yield from (spoken[at] for at in numbered if not _DEMANDS.search(spoken[at].text))


def _judgements(spoken: Sequence[SpokenSentence], side: Reaction) -> Iterator[SpokenSentence]:
    judges = _CONDEMNS if side == "反対" else _PRAISES
    for at, each in enumerate(spoken):
        text = each.text
        taken_back = at + 1 < len(spoken) and _TURNS.match(spoken[at + 1].text)
        if judges.search(text) and not (taken_back or _CONCEDES.search(text) or _OTHERS_VIEW.search(text)):
            yield each
