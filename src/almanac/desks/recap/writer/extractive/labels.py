"""Names of speakers, items and decisions for written text, in words that the record has too."""

from almanac.desks.recap.model.facts.speech_text import speaker_label
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.writer.extractive.analysis import MeetingAnalysis
from almanac.desks.recap.writer.extractive.plain_language import shorten_title
from almanac.kit.lazy import lazy_regex

_OFFICE_FIRST = lazy_regex(r"(?P<office>[^（）]+)（(?P<name>[^（）]+?)君?）")
_SURNAME_TWICE = lazy_regex(r"（[^（）]{1,3}）")
_OUTCOMES = {
    "passed": "可決",
    "rejected": "否決",
    "approved": "承認",
    "consented": "同意",
    "adopted": "採択",
    "continued": "継続審査",
    "withdrawn": "撤回",
    "other": "議決",
}
_LONGEST_IN_TITLE = 60


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


def outcome_noun(decision: HouseDecision) -> str:
    """The outcome as a noun, for headings."""
    return _OUTCOMES[decision.outcome]


def compose_title(analysis: MeetingAnalysis) -> str:
    """A headline: what was decided or dealt with, and where."""
    meeting = analysis.meeting
    where = f"{meeting.house}{meeting.meeting}" if meeting.house not in meeting.meeting else meeting.meeting
    subject = _decided_business(analysis) or _discussed_business(analysis)
    if subject:
        return f"{subject}（{where}）" if where else subject
    return f"{where}{meeting.issue}".strip() or meeting.issue_id


def _decided_business(analysis: MeetingAnalysis) -> str:
    """The decided bills and their outcome; of several decisions on one bill the last one counts."""
    main = [each for each in analysis.facts.decisions if each.bill and "附帯決議" not in each.subject]
    last = list({each.subject: each for each in main}.values())
    if not last:
        return ""
    first, noun = shorten_title(last[0].subject, _LONGEST_IN_TITLE), outcome_noun(last[0])
    if len({each.outcome for each in last}) > 1:
        return f"{first}を{noun}、ほか{len(last) - 1}件を議決"
    rest = f"など{len(last)}件" if len(last) > 1 else ""
    return f"{first}{rest}を{noun}"


def _discussed_business(analysis: MeetingAnalysis) -> str:
    items = analysis.business
    if items and items[0].bill:
        rest = f"など{len(items)}件" if len(items) > 1 else ""
        return f"{shorten_title(items[0].title, _LONGEST_IN_TITLE)}{rest}を審議"
    words = [word.keyword for word in analysis.keywords[:3]]
    return f"{'、'.join(words)}を議論" if words else ""
