"""Decisions as sentences: what was decided about, how, by how many votes, and with what outcome."""

from collections.abc import Iterator

from almanac.desks.recap.derive.numerals import in_kanji
from almanac.desks.recap.model.record import Decision, Vote
from almanac.desks.recap.writer.checking import Draft, draft
from almanac.desks.recap.writer.extractive.phrasing import plainer, trimmed
from almanac.desks.recap.writer.extractive.sitting import Sitting
from almanac.kit.lazy_regex import lazy_regex

_VERBS = {
    "passed": ("可決すべきものと決まりました", "可決されました"),
    "approved": ("承認すべきものと決まりました", "承認されました"),
    "rejected": ("否決すべきものと決まりました", "否決されました"),
    "consented": ("同意すべきものと決まりました", "同意することに決まりました"),
}
_COMMITTEE = "すべきもの"
_GOES_WITH = lazy_regex(r"に対する(?:附帯決議|修正案)\Z")
_BY_MANNER = {"異議なし": "異議なしで"}


def decision_drafts(sitting: Sitting) -> Iterator[tuple[Decision, Draft]]:
    """A sentence for each decision, naming its subject wherever a speech that it rests on names it."""
    for decision in sitting.facts.decisions:
        naming = _naming(sitting, decision)
        orders = tuple(dict.fromkeys((*naming, decision.order)))
        subject = decision.subject if naming else ""
        yield decision, draft(orders, *_sentences(decision, subject), plainer(trimmed(decision.text)), decision.text)


def _naming(sitting: Sitting, decision: Decision) -> tuple[int, ...]:
    """The last speech before the vote that names the subject, so that a reader finds both."""
    title = _GOES_WITH.sub("", decision.subject)
    before = [
        speech.order
        for speech in sitting.meeting.spoken
        if speech.order <= decision.order and title and title in speech.text
    ]
    return tuple(before[-1:])


def _sentences(decision: Decision, subject: str) -> list[str]:
    if not subject:
        return []
    if "附帯決議" in decision.text:
        return [f"{subject}を付することに決まりました。"]
    verbs = _VERBS.get(decision.outcome)
    if verbs is None:
        return []
    verb = verbs[0] if _COMMITTEE in decision.text else verbs[1]
    votes = [f"{subject}は、{count}で{verb}。" for count in _counts(decision.vote)]
    manner = _BY_MANNER.get(decision.manner, f"{decision.manner}で") if decision.manner else ""
    return [*votes, f"{subject}は、{manner}{verb}。", f"{subject}は{verb}。"]


def _counts(vote: Vote | None) -> list[str]:
    """In digits, and as the record counts where only that can be found in it."""
    if vote is None or vote.in_favour is None or vote.against is None:
        return []
    return [f"賛成{number(vote.in_favour)}、反対{number(vote.against)}" for number in (str, in_kanji)]
