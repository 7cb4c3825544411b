"""Names of speakers and their side for written text, in words that the record has too."""

from almanac.desks.recap.model.facts.debate import DebateCourse, position_sentence, takes_both_sides
from almanac.desks.recap.model.facts.speech_text import speaker_label
from almanac.desks.recap.model.meeting import Speech
from almanac.kit.lazy import lazy_regex

_OFFICE_FIRST = lazy_regex(r"(?P<office>[^（）]+)（(?P<name>[^（）]+?)君?）")
_SURNAME_TWICE = lazy_regex(r"（[^（）]{1,3}）")


def speaker_name(speech: Speech) -> str:
    """The speaker as the record calls them, such as 穂高国務大臣 (minister) or 宮崎勝; otherwise the bare name."""
    label = speaker_label(speech)
    match = _OFFICE_FIRST.fullmatch(label)
    if match:
        return match["name"] + match["office"]
    return _SURNAME_TWICE.sub("", label).removesuffix("君") or speech.speaker


def speaker_with_group(speech: Speech) -> str:
    """The speaker with their parliamentary group, for headings."""
    group = speech.group if speech.group and not speech.position else None
    return f"{speaker_name(speech)}（{group}）" if group else speaker_name(speech)


def stance_sentence(speech: Speech, course: DebateCourse) -> str:
    """Which side a speech takes: in its own words, which are quoted unless it argues for one side in a debate (討論).

    Empty if no single sentence takes a side.
    """
    who = speaker_with_group(speech)
    if speech.order not in course.argued or takes_both_sides(speech):
        position = position_sentence(speech).removesuffix("。")
        return f"{who}は「{position}」と述べました。" if position else ""
    argued = "立場から討論しました" if "立場" in speech.text else "討論をしました"
    return f"{who}は{course.reactions[speech.order]}の{argued}。"
