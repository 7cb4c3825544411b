"""The title of an article: the weightiest decision, else the business or the topics of the sitting."""

from collections.abc import Sequence

from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.writer.multilingual.analysis import SittingAnalysis
from almanac.desks.recap.writer.multilingual.decision_sentences import decision_headline
from almanac.desks.recap.writer.multilingual.phrasebook import Phrasebook, phrases_for
from almanac.kit.text import shorten

_LONGEST = 110
_NAMED = 2
_FINAL = ("passed", "rejected", "approved")


def rank_decisions(analysis: SittingAnalysis) -> list[HouseDecision]:
    """What a newspaper would lead with: how bills ended, other stages, counted votes, the rest, in order."""
    return sorted(
        analysis.facts.decisions,
        key=lambda each: (
            each.bill is None,
            each.outcome == "introduced",
            each.outcome not in _FINAL,
            each.vote is None,
            each.order,
        ),
    )


def compose_headline(analysis: SittingAnalysis) -> str:
    """The title in words of the record and fixed phrases."""
    phrases, meeting = phrases_for(analysis.parliament.language), analysis.meeting
    text = _decided(analysis, phrases) or _discussed(analysis, phrases)
    return shorten(text or f"{meeting.house} {meeting.meeting}, {meeting.date.isoformat()}", _LONGEST)


def _decided(analysis: SittingAnalysis, phrases: Phrasebook) -> str:
    decided = [each for each in rank_decisions(analysis) if each.subject]
    main = [each for each in decided if each.outcome != "introduced"] or decided
    if not main:
        return ""
    more = len(decided) - 1
    others = phrases.more_decisions[more > 1].format(count=more) if more else ""
    return decision_headline(main[0], phrases, _LONGEST - len(others)) + others


def _discussed(analysis: SittingAnalysis, phrases: Phrasebook) -> str:
    bills = [item.title for item in analysis.business if item.bill and item.orders]
    if bills:
        return phrases.dealt_with.format(titles=title_list(bills, phrases))
    topics = [item.title for item in analysis.facts.agenda if item.orders] or [
        word.keyword for word in analysis.keywords[:_NAMED]
    ]
    if not topics:
        return ""
    questions = len(analysis.orders_of("質問")) > len(analysis.orders_of("意見"))
    return (phrases.asked_on if questions else phrases.discussed).format(titles=title_list(topics, phrases))


def title_list(titles: Sequence[str], phrases: Phrasebook) -> str:
    """The first titles, and how many more there are."""
    named, more = list(titles[:_NAMED]), len(titles) - _NAMED
    if more > 0:
        return phrases.and_others.format(titles=", ".join(named), count=more)
    return f" {phrases.and_word} ".join(named)
