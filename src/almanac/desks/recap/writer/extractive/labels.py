"""Names of speakers and their side for written text, in words that the record has too."""

import re

from almanac.desks.recap.model.facts.debate import DebateCourse, position_sentence, takes_both_sides
from almanac.desks.recap.model.facts.speech_text import speaker_label
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.writer.extractive.plain_language import kanji_to_digits
from almanac.kit.lazy import lazy_regex

_OFFICE_FIRST = lazy_regex(r"(?P<office>[^（）]+)（(?P<name>[^（）]+?)君?）")
_OFFICE_LAST = lazy_regex(
    r"(?P<office>内閣総理大臣|[国國]務大臣|副大臣|大臣政務官|政府参考人|政府特別補佐人|政府委員|参考人|公述人|証人|説明員|事務総長|人事官"
    r"|委員長代理|委員長|会長代理|会長|副?議長|長官)\Z"
)
_RANK = lazy_regex(r"(?:大臣|長官|政務官|官房副長官|議長|委員長|会長|参考人|公述人|証人|政府委員|説明員|総長)\Z")
_SEVERAL_OFFICES = lazy_regex(r"[・（(].*")
# What opens a position without telling it: who speaks, for whom, and that the matter is before the house.
_WHOSE = lazy_regex(
    r"\A(?:(?:まず|そして|また|それでは)、|[^、。「」]{2,30}の[^、。「」]{2,10}です。(?=.)|(?:私は|私も|私から|わたくしは)、?(?=.)"
    r"|[^。「」]{2,60}?を代表(?:し|いたし)(?:て|まして)?、|(?:ただいま|ただ今)?(?:議題|案件)(?:と|に)(?:なりました|なっております))+"
)
# What a speech is for or against: 会期を九日間とすることに対し、断固反対の討論をいたします.
_OBJECT = lazy_regex(
    r"(?:\A|、)(?P<what>[^。「」]{4,90}?)(?:について(?:は)?|に対し(?:まして|て)?(?:は)?|に(?:は)?)、?(?:断固(?:として)?|強く|明確に)?、?(?:反対|賛成)"
)
_POINTS = lazy_regex(r"[本両各三四五]案|[本両三四五]件|[本同]法|[こそ](?:の|れ)|法案\Z(?<!.法案)|議題|以上|次の")
_THEN = lazy_regex(r"\A(?:今回|今般|この度)、|本日から")
_LONGEST_OBJECT = 60


def speaker_name(speech: Speech) -> str:
    """The speaker's whole name with the office held, such as 穂高登文部科学大臣; a member's name alone."""
    office = _office(speech)
    between = "" if not office or _RANK.search(office) else "・"
    return f"{speech.speaker}{between}{office}"


def _office(speech: Speech) -> str:
    """The office that the record gives: the first of several, without its field."""
    label = speaker_label(speech)
    match = _OFFICE_FIRST.fullmatch(label) or _OFFICE_LAST.search(label)
    return _SEVERAL_OFFICES.sub("", speech.position or "") or (match["office"] if match else "") or speech.role or ""


def speaker_with_group(speech: Speech) -> str:
    """The speaker with their parliamentary group, for headings."""
    group = None if _office(speech) else speech.group
    return f"{speaker_name(speech)}（{group}）" if group else speaker_name(speech)


def attribution(speech: Speech) -> str:
    """Who spoke, to stand in brackets behind their words: with the office, or else the parliamentary group."""
    group = None if _office(speech) else speech.group
    return f"{speaker_name(speech)}、{group}" if group else speaker_name(speech)


def reporting_office(meeting: Meeting, speech: Speech) -> tuple[str, tuple[int, ...]]:
    """The office in which the chair called on somebody to report, such as 総務委員長, and where; else nothing."""
    before = next((each for each in reversed(meeting.spoken) if each.order < speech.order), None)
    called = (
        re.search(
            rf"(?:\A|[。、\s　])([^。、\s　（）]{{2,24}}(?:委員長|会長|主査)){re.escape(speech.speaker)}君", before.text
        )
        if before
        else None
    )
    return (called[1], (before.order,)) if called and before else ("", ())


def stance_sentence(speech: Speech, course: DebateCourse) -> str:
    """Which side a speech takes, on what: in its own words, which are quoted unless it argues for one side in a debate.

    Empty if no single sentence takes a side.
    """
    who, position = speaker_with_group(speech), position_sentence(speech)
    what, side = object_of_position(position), course.reactions[speech.order]
    argued = speech.order in course.argued
    if takes_both_sides(speech) or not (argued or what):
        quoted = _bare_position(position).removesuffix("。")
        return f"{who}は「{quoted}」と述べました。" if quoted else ""
    if not argued:
        return (
            f"{who}は、{what}に{side}の意見を述べました。"
            if "意見" in position
            else f"{who}は、{what}に{side}と述べました。"
        )
    ending = "立場から討論しました" if "立場" in speech.text else "討論をしました"
    return f"{who}は{f'、{what}に' if what else ''}{side}の{ending}。"


def object_of_position(position: str) -> str:
    """What a sentence is for or against; empty if it only points to it, or names it at length."""
    match = _OBJECT.search(_bare_position(position))
    what = kanji_to_digits(_THEN.sub("", match["what"]).strip("、 　")) if match else ""
    return "" if len(what) > _LONGEST_OBJECT or _POINTS.search(what) else what


def _bare_position(position: str) -> str:
    """The sentence without who speaks for whom, and without 議題となりました."""
    return _WHOSE.sub("", position).strip("、 　")
