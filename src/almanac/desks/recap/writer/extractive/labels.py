"""How speakers, items and decisions are called in written text, in words that the record has too."""

from almanac.desks.recap.model.facts.speech_text import speaker_label
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.writer.extractive.phrasing import shorten_title
from almanac.desks.recap.writer.extractive.sitting import Sitting
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
    """The speaker as the record calls them at this place, as in 穂高国務大臣 or 宮崎勝; the bare name otherwise."""
    label = speaker_label(speech)
    found = _OFFICE_FIRST.fullmatch(label)
    if found:
        return found["name"] + found["office"]
    return _SURNAME_TWICE.sub("", label).removesuffix("君") or speech.speaker


def speaker_with_group(speech: Speech) -> str:
    """The speaker with the group that the record's data give, for headings."""
    group = speech.group if speech.group and not speech.position else None
    return f"{speaker_name(speech)}（{group}）" if group else speaker_name(speech)


def outcome_noun(decision: HouseDecision) -> str:
    """What came of it in one word, for headings."""
    return _OUTCOMES[decision.outcome]


def compose_title(sitting: Sitting) -> str:
    """A headline: what was decided or dealt with, and where."""
    meeting = sitting.meeting
    where = f"{meeting.house}{meeting.meeting}" if meeting.house not in meeting.meeting else meeting.meeting
    told = _decided(sitting) or _dealt_with(sitting)
    if told:
        return f"{told}（{where}）" if where else told
    return f"{where}{meeting.issue}".strip() or meeting.issue_id


def _decided(sitting: Sitting) -> str:
    """Of several decisions on one bill the last one counts."""
    main = [each for each in sitting.facts.decisions if each.bill and "附帯決議" not in each.subject]
    last = list({each.subject: each for each in main}.values())
    if not last:
        return ""
    first, noun = shorten_title(last[0].subject, _LONGEST_IN_TITLE), outcome_noun(last[0])
    if len({each.outcome for each in last}) > 1:
        return f"{first}を{noun}、ほか{len(last) - 1}件を議決"
    rest = f"など{len(last)}件" if len(last) > 1 else ""
    return f"{first}{rest}を{noun}"


def _dealt_with(sitting: Sitting) -> str:
    items = sitting.business
    if items and items[0].bill:
        rest = f"など{len(items)}件" if len(items) > 1 else ""
        return f"{shorten_title(items[0].title, _LONGEST_IN_TITLE)}{rest}を審議"
    words = [word.keyword for word in sitting.keywords[:3]]
    return f"{'、'.join(words)}を議論" if words else ""
