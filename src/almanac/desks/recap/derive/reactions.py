"""What each speech does in the debate, and which speech answers which; a closed set, decided by rules."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from almanac.desks.recap.derive.decisions import decision_sentences
from almanac.desks.recap.derive.procedure import is_formal
from almanac.desks.recap.derive.roles import answers_for_office, presides
from almanac.desks.recap.derive.wording import Said, said
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.recap import Reaction
from almanac.kit.lazy_regex import lazy_regex

_QUESTION = lazy_regex(
    r"(?:伺|うかが)(?:い|う|って|わせ)|聞きます|尋ねます|お?(?:聞|聴)き(?:し|いた|をし|ます|たい)|お?尋ね(?:し|いた|を|ます)|質問(?:し|いた|を(?:し|いた))ます|いかが(?:です|でしょう|お考え)"
    r"|(?:です|ます|でしょう|ません|ではない|のでしょう|あります|ございます)か[。、」？]|(?:の|べき|ない)か(?:、|。)|(?:見解|答弁|説明|認識|所見|回答|考え)を(?:求め|お示し|お聞か|お願い|いただ|問)|お答え(?:ください|いただ|願)|教えて(?:ください|いただ)|御答弁(?:ください|願|を)|明らかにして|か。\Z|[？?]"
)
_EXPLAINS = lazy_regex(r"(?:提案|提出)(?:の)?理由|趣旨(?:を|の|につ|及び)[^。]{0,30}説明|決議案の趣旨|趣旨弁明")
_REPORTS = lazy_regex(r"審査の経過|調査の経過|経過(?:及び|と|並びに)結果|御報告(?:を)?(?:申し上げ|いたし)|報告書を")
_DEBATES = lazy_regex(r"討論")
_AGAINST = lazy_regex(r"反対(?:の(?:立場|討論|理由|意見|意を)|討論|(?:を)?(?:いた)?(?:し|する)|です|であり|を表明)")
_IN_FAVOUR = lazy_regex(r"賛成(?:の(?:立場|討論|理由|意見|意を)|討論|(?:を)?(?:いた)?(?:し|する)|です|であり|を表明)")
_MOVES = lazy_regex(
    r"動議を提出|動議を(?:いた)?し|この際、[^。]{0,60}(?:追加し|省略し|延期し)[^。]{0,30}(?:れんこと|ことを望み)"
)
_ANSWERS = lazy_regex(r"お答え|御答弁|御指摘|御質問|お尋ね")
_OPENING = 4
_BRIEF = 2


@dataclass(slots=True)
class _Debate:
    """Where the debate stands: the question that waits for answers, and whether reasons for a vote are being given."""

    asked: int | None = None
    debating: bool = False
    replies: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Course:
    """Every order with what its speech does, and the order of the question that it answers."""

    reactions: Mapping[int, Reaction]
    response_to: Mapping[int, int]

    def answers_of(self, order: int) -> tuple[int, ...]:
        return tuple(answer for answer, question in self.response_to.items() if question == order)


def is_question(sentence: str) -> bool:
    """Whether a sentence asks something."""
    return bool(_QUESTION.search(sentence))


def follow(meeting: Meeting) -> Course:
    """Go through the sitting once, in order."""
    debate = _Debate()
    reactions = {speech.order: _seen(debate, speech) for speech in meeting.speeches}
    return Course(reactions, dict(debate.replies))


def _seen(debate: _Debate, speech: Speech) -> Reaction:
    reaction = _reaction(debate, speech)
    if reaction == "質問":
        debate.asked = speech.order
    elif reaction == "答弁" and debate.asked is not None:
        debate.replies[speech.order] = debate.asked
    elif reaction in ("採決", "趣旨説明", "報告", "賛成", "反対"):
        debate.asked = None
    if presides(speech):
        debate.debating = _is_debating(debate.debating, speech.text)
    return reaction


def _is_debating(so_far: bool, text: str) -> bool:
    if re.search(r"討論(?:は|を)?[^。]{0,8}(?:終局|終了|終わ|終結)|採決(?:に入|を?いた)", text):
        return False
    return so_far or bool(re.search(r"討論に入|討論の(?:通告|申出)|討論を行", text))


def _reaction(debate: _Debate, speech: Speech) -> Reaction:
    if speech.is_header:
        return "会議録情報"
    spoken = said(speech)
    if presides(speech):
        return _of_the_chair(speech, spoken)
    opening = "".join(each.text for each in spoken[:_OPENING])
    if _REPORTS.search(opening) and not answers_for_office(speech):
        return "報告"
    if _EXPLAINS.search(opening) and debate.asked is None:
        return "趣旨説明"
    stance = _stance(spoken) if debate.debating or _DEBATES.search(opening) else None
    return stance or _in_questions(debate, speech, spoken)


def _of_the_chair(speech: Speech, spoken: Sequence[Said]) -> Reaction:
    if decision_sentences(speech):
        return "採決"
    content = [each for each in spoken if each.is_ended and not is_formal(each.text, speech.speaker)]
    return "報告" if len(content) > _OPENING and _REPORTS.search(speech.text) else "議事進行"


def _stance(spoken: Sequence[Said]) -> Reaction | None:
    text = "".join(each.text for each in spoken)
    against, in_favour = _AGAINST.search(text), _IN_FAVOUR.search(text)
    if against and in_favour:
        return "反対" if against.start() < in_favour.start() else "賛成"
    return "反対" if against else "賛成" if in_favour else None


def _in_questions(debate: _Debate, speech: Speech, spoken: Sequence[Said]) -> Reaction:
    official = answers_for_office(speech)
    asks = any(is_question(each.text) for each in spoken)
    if official:
        return "答弁" if debate.asked is not None or _ANSWERS.search(speech.text[:200]) else "意見"
    if any(_MOVES.search(each.text) for each in spoken):
        return "動議"
    if asks:
        return "質問"
    replies = debate.asked is not None and len(spoken) > _BRIEF and _ANSWERS.search(speech.text[:120])
    return "答弁" if replies else "意見"
