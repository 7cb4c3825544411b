"""Occasions that a sitting is known by: policy speeches, questions on them, debates of the party leaders."""

from almanac.desks.recap.model.facts.speakers import is_chair
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.writer.extractive.analysis import MeetingAnalysis
from almanac.desks.recap.writer.extractive.labels import speaker_name
from almanac.kit.lazy import lazy_regex

# 内閣総理大臣から施政方針に関し…発言を求められております: the chair gives the floor for a policy speech.
_SPEECH_ON = lazy_regex(
    r"(?P<who>内閣総理大臣|[^。、\s　]{2,16}大臣)から、?(?P<what>所信|施政方針|財政|外交|経済|国政)[^。、]{0,10}?"
    r"(?:について|に関し)[^。]{0,200}?(?:発言|演説)"
)
_ON_THE_SPEECH = lazy_regex(r"国務大臣の演説")
_LEADERS = lazy_regex(r"国家基本政策委員会合同審査会")
_PREMIER = "内閣総理大臣"
_NAMES, _TOPICS = 3, 2
_PLENARY = "本会議"


def policy_speech(analysis: MeetingAnalysis) -> tuple[Speech, str] | None:
    """The first policy speech of the sitting and what it is about, such as 所信; None if there is none."""
    if analysis.meeting.meeting != _PLENARY:
        return None
    spoken = analysis.meeting.spoken
    for at, speech in enumerate(spoken):
        match = _SPEECH_ON.search(speech.text) if is_chair(speech) else None
        speaker = next((each for each in spoken[at + 1 :] if not is_chair(each)), None)
        if match and speaker is not None and match["who"] in (speaker.position or speaker.text[:40]):
            return speaker, match["what"]
    return None


def headline_of_occasion(analysis: MeetingAnalysis) -> str:
    """A policy speech, the questions on one, or a debate of the party leaders as a headline; else empty."""
    if speech := policy_speech(analysis):
        return f"{speaker_name(speech[0])}が{speech[1]}について演説"
    asking = _questioners(analysis)
    several = f"{'、'.join(asking[:_NAMES])}{'ら' if len(asking) > _NAMES else ''}"
    if _LEADERS.search(analysis.meeting.meeting) and asking:
        words = "、".join(word.keyword for word in analysis.keywords[:_TOPICS])
        premier = next(
            (each for each in analysis.meeting.spoken if _PREMIER in (each.position or each.text[:20])), None
        )
        debating = f"{speaker_name(premier)}と{several}" if premier else several
        return f"{debating}が{words}などで討議" if words else f"{debating}が討議"
    if any(_ON_THE_SPEECH.search(item.title) for item in analysis.facts.agenda) and asking:
        return f"国務大臣の演説に{several}が質疑"
    return ""


def _questioners(analysis: MeetingAnalysis) -> list[str]:
    spoken = analysis.meeting.by_order
    return list(dict.fromkeys(spoken[order].speaker for order in analysis.orders_of("質問")))
