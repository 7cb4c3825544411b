"""Decisions of the meeting, in the chair's own sentence, with the count of votes if there was one."""

import re
from collections.abc import Iterator

from almanac.desks.recap.model.facts.speakers import is_chair
from almanac.desks.recap.model.facts.speech_text import SpokenSentence, spoken_sentences
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.record import AgendaItem, HouseDecision, Outcome, Vote
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import NUMERAL_PATTERN, parse_kanji_number

_DECIDED = lazy_regex(
    r"(?:可決|否決|承認|承諾|同意|採択|修正議決|議決|継続審査|撤回|付する|付託|当選|指名|任命|除名|不採択|決議とする)[^。]{0,40}"
    r"(?:しました|されました|決しました|決まりました|決定(?:いた)?しました|なりました|です|であります)。"
)
_RULING = lazy_regex(
    r"よって|起立|挙手|多数|総員|全会一致|異議なし|投票の結果|決しました|可決(?:いた)?し?(?:されま)?した"
)
_OUTCOMES: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    ("rejected", lazy_regex(r"否決|不採択|承認しない")),
    ("continued", lazy_regex(r"継続(?:審査|調査)|閉会中")),
    ("withdrawn", lazy_regex(r"撤回")),
    ("consented", lazy_regex(r"同意")),
    ("approved", lazy_regex(r"承認|承諾")),
    ("adopted", lazy_regex(r"採択|付する|附帯決議")),
    ("passed", lazy_regex(r"可決|議決")),
)
# How it was decided: standing (起立), show of hands (挙手), unanimously (全会一致), without objection (異議なし).
_MANNER = lazy_regex(
    r"起立多数|起立総員|起立少数|挙手多数|挙手総員|挙手少数|全会一致|賛成多数|賛成総員|異議なし|総員起立|多数(?=をもって|と認め)"
)
_ROWS = (
    ("total", lazy_regex(rf"投票総数[\s　、は]*({NUMERAL_PATTERN})")),
    ("in_favour", lazy_regex(rf"(?:賛成(?:者)?|可とする者|白票)[\s　、は）)]*({NUMERAL_PATTERN})")),
    ("against", lazy_regex(rf"(?:反対(?:者)?|否とする者|青票)[\s　、は）)]*({NUMERAL_PATTERN})")),
)
_SUBJECT = lazy_regex(r"(?:よって、?|なしと認めます。|多数。|総員。)?(?P<subject>[^、。]{1,120}?)は、")
# Amendments and motions are voted on besides a bill: their outcome isn't the bill's.
_AMENDMENT = lazy_regex(r"修正案(?:（[^（）]{1,60}）)?は")
_MOTION = lazy_regex(r"(?:よって、?)?(?:本|(?P<whose>[^、。]{2,60}?))動議は")
_POINTING = lazy_regex(
    r"\A(?:本案|本件|本法律案|本法案|本予算|両案|両件|三案|各案|各件|右|これ|委員長|原案|本決議案|本条約|本協定)"
)
_ALL = lazy_regex(r"(?:[両三四五六七八九十各]|以上の?各?)(?:法律)?(?:案|件|予算|議案)(?:は|を|とも)")
# Procedural decisions: calling witnesses, hearings, the length of the session, seats, changes of the agenda.
_PROCEDURAL = lazy_regex(r"政府参考人|参考人|公聴会|会期|休会|そのように|議席|日程(?:第[^、]*)?を?(?:追加|変更)")


def decision_sentences(speech: Speech) -> list[SpokenSentence]:
    """The chair's sentences that state a decision on an agenda item; empty for other speakers."""
    if not is_chair(speech):
        return []
    return [each for each in spoken_sentences(speech) if _is_decision(each.text)]


def read_vote(speech: Speech) -> Vote | None:
    """The count that the chair announced; None without a number in favour."""
    counts = {name: parse_kanji_number(match[1]) for name, row in _ROWS if (match := row.search(speech.text))}
    return Vote(**counts) if counts.get("in_favour") is not None else None


def list_decisions(meeting: Meeting, agenda: tuple[AgendaItem, ...]) -> Iterator[HouseDecision]:
    """Every decision in order, with its agenda item; a decision on 両案 (“both bills”) is given for each of them."""
    for speech in meeting.spoken:
        for sentence in decision_sentences(speech):
            for item in _items_of(meeting, agenda, speech, sentence.text):
                yield HouseDecision(
                    order=speech.order,
                    text=sentence.text,
                    outcome=_outcome(sentence.text),
                    subject=_subject(sentence.text, item),
                    manner=_manner(speech),
                    vote=read_vote(speech),
                    bill=item.bill if item and not _is_about_motion(sentence.text) else None,
                )


def _is_decision(text: str) -> bool:
    if not _DECIDED.search(text) or _PROCEDURAL.search(text):
        return False
    return bool(_RULING.search(text)) and "委員長の報告は" not in text


def _is_about_motion(text: str) -> bool:
    """Whether the decision is on an amendment or a motion, and not on the bill itself."""
    return bool(_AMENDMENT.search(text) or _MOTION.search(text))


def _outcome(text: str) -> Outcome:
    return next((outcome for outcome, pattern in _OUTCOMES if pattern.search(text)), "other")


def _manner(speech: Speech) -> str:
    match = _MANNER.search(speech.text)
    return match[0] if match else ""


def _subject(text: str, item: AgendaItem | None) -> str:
    if "附帯決議" in text:
        return f"{item.title}に対する附帯決議" if item else "附帯決議"
    if _AMENDMENT.search(text):
        return f"{item.title}に対する修正案" if item else "修正案"
    if motion := _MOTION.search(text):
        return f"{motion['whose'] or ''}動議"
    if item and item.title in text:
        return item.title
    named = _SUBJECT.search(text)
    own = named["subject"].strip(" 　") if named else ""
    if own and not _POINTING.match(own):
        return own
    return item.title if item else ""


def _items_of(
    meeting: Meeting, agenda: tuple[AgendaItem, ...], speech: Speech, text: str
) -> list[AgendaItem] | list[None]:
    """The items of a decision: all items under discussion if all are meant, otherwise those the chair named last."""
    laid = [item for item in agenda if speech.order in item.orders]
    if len(laid) <= 1 or _ALL.search(text):
        return laid or [None]
    if _MOTION.search(text):
        return laid[:1]
    if in_words := [item for item in laid if item.title in text]:
        return in_words
    before = [each for each in meeting.spoken if each.order <= speech.order and is_chair(each)]
    for each in reversed(before):
        named = [item for item in laid if item.title in each.text]
        if named:
            return named if len(named) < len(laid) else laid[:1]
    return laid[:1]
