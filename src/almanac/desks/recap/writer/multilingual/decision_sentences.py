"""Decisions as sentences in the language of the record: what was decided, by which count, with which result."""

from almanac.desks.recap.model.record import HouseDecision, Vote
from almanac.desks.recap.writer.multilingual.phrasebook import Phrasebook
from almanac.kit.text import shorten


def decision_sentence(decision: HouseDecision, phrases: Phrasebook) -> str:
    """The sentence; empty if the record doesn't tell the subject."""
    if not decision.subject:
        return ""
    how = _count(decision.vote, phrases.count) or (phrases.undivided if decision.manner else "")
    verb = phrases.verbs.get(decision.outcome, phrases.otherwise)
    return phrases.sentence.format(subject=decision.subject, verb=verb, how=how)


def plain_decision_sentence(decision: HouseDecision, phrases: Phrasebook) -> str:
    """The decision for somebody who knows nothing of parliaments; empty if the record doesn't tell the subject."""
    if not decision.subject:
        return ""
    text = phrases.plain.get(decision.outcome, phrases.plain_otherwise).format(subject=decision.subject)
    return text + _count(decision.vote, phrases.plain_count)


def decision_headline(decision: HouseDecision, phrases: Phrasebook, longest: int) -> str:
    """The decision as a headline, with its count; of a subject that is too long the beginning is told."""
    verb = phrases.verbs.get(decision.outcome, phrases.otherwise).removeprefix("was ")
    count = _count(decision.vote, phrases.headline_count)
    room = longest - len(phrases.headline.format(subject="", verb=verb)) - len(count)
    return phrases.headline.format(subject=shorten(decision.subject, room), verb=verb) + count


def _count(vote: Vote | None, phrase: str) -> str:
    if vote is None or vote.in_favour is None or vote.against is None:
        return ""
    return phrase.format(ayes=vote.in_favour, noes=vote.against)
