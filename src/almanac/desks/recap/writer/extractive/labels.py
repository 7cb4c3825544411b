"""Names of speakers, items and decisions for written text, in words that the record has too."""

from almanac.desks.recap.model.facts.debate import DebateCourse, position_sentence, takes_both_sides
from almanac.desks.recap.model.facts.speech_text import speaker_label
from almanac.desks.recap.model.facts.titles import bill_kind
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.writer.extractive.analysis import MeetingAnalysis
from almanac.desks.recap.writer.extractive.plain_language import shorten_title
from almanac.kit.lazy import lazy_regex

_OFFICE_FIRST = lazy_regex(r"(?P<office>[^（）]+)（(?P<name>[^（）]+?)君?）")
_SURNAME_TWICE = lazy_regex(r"（[^（）]{1,3}）")
_OUTCOMES = {
    "passed": "可決",
    "amended": "修正議決",
    "rejected": "否決",
    "approved": "承認",
    "consented": "同意",
    "adopted": "採択",
    "appointed": "選任",
    "permitted": "許可",
    "continued": "継続審査",
    "withdrawn": "撤回",
    "other": "議決",
}
_LONGEST_IN_TITLE = 60
_KINDS = ("budget", "bill", "treaty", "approval", "resolution", "personnel", "petition", "other")
_PREMIER = lazy_regex(r"(?:本院において)?内閣総理大臣に指名する(?:こと)?\Z")
_BY_RULE = lazy_regex(r"、[^、]{2,30}規則第[^、]{2,20}により、")


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
    """The weightiest decided business and its outcome; of several decisions on one bill the last one counts."""
    main = [each for each in analysis.facts.decisions if each.bill and "附帯決議" not in each.subject]
    last = sorted({each.subject: each for each in main}.values(), key=weight_of_decision)
    named = next((each for each in analysis.facts.decisions if _PREMIER.search(each.subject)), None)
    if named is not None:
        rest = f"、ほか{len(last)}件を議決" if last else ""
        return f"{_PREMIER.sub('内閣総理大臣に指名', _BY_RULE.sub('', named.subject))}{rest}"
    if not last:
        return ""
    first, noun = shorten_title(last[0].subject, _LONGEST_IN_TITLE), outcome_noun(last[0])
    if len({each.outcome for each in last}) > 1:
        return f"{first}を{noun}、ほか{len(last) - 1}件を議決"
    rest = f"など{len(last)}件" if len(last) > 1 else ""
    return f"{first}{rest}を{noun}"


def weight_of_decision(decision: HouseDecision) -> int:
    """What a newspaper would lead with: a prime minister, budgets, bills, treaties, then the rest."""
    if _PREMIER.search(decision.subject):
        return 0
    kind = bill_kind(decision.subject) if decision.bill else "other"
    return 1 + _KINDS.index(kind) + (len(_KINDS) if "附帯決議" in decision.subject else 0)


def _discussed_business(analysis: MeetingAnalysis) -> str:
    items = analysis.business
    if items and items[0].bill:
        rest = f"など{len(items)}件" if len(items) > 1 else ""
        return f"{shorten_title(items[0].title, _LONGEST_IN_TITLE)}{rest}を審議"
    words = [word.keyword for word in analysis.keywords[:3]]
    return f"{'、'.join(words)}を議論" if words else ""
