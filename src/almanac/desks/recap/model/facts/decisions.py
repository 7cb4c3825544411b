"""Decisions of the meeting, each bound to the business that the chair put to the vote, with the count of votes."""

import re
from collections.abc import Iterable, Iterator

from almanac.desks.recap.model.facts.procedure import Ruling
from almanac.desks.recap.model.facts.titles import bill_kind, is_business
from almanac.desks.recap.model.record import AgendaItem, HouseDecision, Outcome
from almanac.kit.lazy import lazy_regex

_OUTCOMES: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    ("rejected", lazy_regex(r"否決|不採択|承認しない|同意しない|同意を与えない")),
    ("amended", lazy_regex(r"修正議決|修正[^。]{0,12}可決すべき")),
    ("continued", lazy_regex(r"継続(?:審査|調査)|閉会中")),
    ("withdrawn", lazy_regex(r"撤回")),
    ("consented", lazy_regex(r"同意")),
    ("appointed", lazy_regex(r"指名|選任|当選|任命")),
    ("approved", lazy_regex(r"承認|承諾")),
    ("adopted", lazy_regex(r"採択|附帯決議|決議と(?:する|いた)|委員会提出の|決議すべし")),
    ("passed", lazy_regex(r"可決|議決")),
    ("permitted", lazy_regex(r"許可")),
)
_PERSON = lazy_regex(r"君(?:を|の任命|、|及び)")


def list_decisions(rulings: Iterable[Ruling]) -> Iterator[HouseDecision]:
    """Every decision in order, one for each item; without those about the conduct of the sitting.

    A decision without a subject is one whose subject the record doesn't let us tell.
    """
    for ruling in rulings:
        if ruling.is_formal:
            continue
        for item in ruling.items or (None,):
            yield HouseDecision(
                order=ruling.order,
                asked_at=ruling.asked_at,
                text=ruling.text,
                outcome=_outcome(ruling),
                subject=_subject(ruling, item),
                manner=ruling.manner,
                vote=ruling.vote,
                bill=_bill(ruling, item),
            )


def _outcome(ruling: Ruling) -> Outcome:
    """From the result; one that only says 「そのように決しました」 is what the question asked for."""
    if ruling.aspect == "指名":
        return "appointed"
    for text in (ruling.text, ruling.subject, ruling.question):
        for outcome, pattern in _OUTCOMES:
            if pattern.search(text):
                return outcome
    return "other"


def _bill(ruling: Ruling, item: AgendaItem | None) -> str | None:
    """The bill that is decided about; amendments and motions besides it aren't, nor is one nominee of many."""
    if item is None or "修正案" in ruling.aspect or ruling.aspect.endswith("動議") or _is_about_person(ruling, item):
        return None
    return item.bill


def _is_about_person(ruling: Ruling, item: AgendaItem) -> bool:
    return bill_kind(item.title) == "personnel" and bool(_PERSON.search(ruling.subject))


def _subject(ruling: Ruling, item: AgendaItem | None) -> str:
    if ruling.aspect == "附帯決議":
        return f"{item.title}に対する附帯決議" if item else "附帯決議"
    if "修正案" in ruling.aspect:
        return f"{item.title}に対する{ruling.aspect}" if item else ruling.aspect
    if item is not None and is_business(item.title) and not _is_about_person(ruling, item):
        return item.title
    return ruling.subject or (item.title if item else ruling.aspect)
