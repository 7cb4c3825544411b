"""Decisions of the meeting, each bound to the business that the chair put to the vote, with the count of votes."""

import re
from collections.abc import Iterable, Iterator
from itertools import count

import msgspec

from almanac.desks.recap.model.facts.floor import Ruling
from almanac.desks.recap.model.facts.titles import bill_kind, is_business
from almanac.desks.recap.model.facts.weights import PREMIER
from almanac.desks.recap.model.record import AgendaItem, HouseDecision, Outcome
from almanac.kit.lazy import lazy_regex

_OUTCOMES: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    ("rejected", lazy_regex(r"否決|不採択|承認しない|同意しない|同意を与えない|不承認")),
    ("amended", lazy_regex(r"修正議決|修正[^。]{0,12}可決すべき|修正部分を除[^。]{0,12}原案[^。]{0,12}可決")),
    ("continued", lazy_regex(r"継続(?:審査|調査)|閉会中")),
    ("withdrawn", lazy_regex(r"撤回")),
    ("consented", lazy_regex(r"同意")),
    ("permitted", lazy_regex(r"辞[任職]を許可|許諾")),
    ("designated", lazy_regex(r"内閣総理大臣に指名")),
    ("appointed", lazy_regex(r"指名|選任|当選|任命|係に[^、。]{2,14}君")),
    ("approved", lazy_regex(r"承認|承諾|是認")),
    ("introduced", lazy_regex(r"委員会提出の(?:法律案|法案|規則案|規程案)")),
    ("adopted", lazy_regex(r"採択|附帯決議|決議と(?:する|いた)|委員会提出の|決議すべし|内閣に送付するを要する")),
    ("passed", lazy_regex(r"可決|議決")),
    ("permitted", lazy_regex(r"許可")),
)
_REPORTED: dict[str, Outcome] = {
    "可決": "passed",
    "修正": "amended",
    "否決": "rejected",
    "不承認": "rejected",
    "承認": "approved",
    "承諾": "approved",
    "是認": "approved",
    "採択": "adopted",
}
_AS_REPORTED = lazy_regex(r"報告の?[とど]おり(?:議決|決)")
_TOLD = lazy_regex(r"そのように|そのとおり|さよう|以上のとおり")
_PERSON = lazy_regex(r"君(?:を|の任命|、|及び)")


def list_decisions(rulings: Iterable[Ruling]) -> Iterator[HouseDecision]:
    """Every decision in order, one for each item; without those about the conduct of the sitting.

    A decision without a subject is one whose subject the record doesn't let us tell. What one speech announces in
    steps (修正部分を除いた原案は可決, then 本案は修正議決) is one decision.
    """
    decisions: dict[tuple[int, str], HouseDecision] = {}
    unbound: Iterator[int] = count()
    for ruling in rulings:
        for item in () if ruling.is_formal else ruling.items or (None,):
            decision = _decision(ruling, item)
            key = (ruling.order, decision.subject or f"{next(unbound)}")
            summed_up = decisions.get(key)
            if summed_up and decision.vote is None:
                decision = msgspec.structs.replace(decision, vote=summed_up.vote, asked_at=summed_up.asked_at)
            decisions[key] = decision
    yield from decisions.values()


def _decision(ruling: Ruling, item: AgendaItem | None) -> HouseDecision:
    return HouseDecision(
        order=ruling.order,
        asked_at=ruling.asked_at,
        text=ruling.text,
        outcome=_outcome(ruling, item),
        subject=_subject(ruling, item),
        manner=ruling.manner,
        method=ruling.method,
        vote=ruling.vote,
        bill=_bill(ruling, item),
    )


def _outcome(ruling: Ruling, item: AgendaItem | None) -> Outcome:
    """From the result; one that only says 「そのように決しました」 is what the question asked for."""
    if ruling.aspect == "指名":
        return "appointed"
    reported = _REPORTED.get(ruling.reported.get(item.title, "")) if item else None
    if reported and _AS_REPORTED.search(ruling.text):
        return reported
    before = ruling.before if _TOLD.search(ruling.text) or _TOLD.search(ruling.question) else ""
    for text in (ruling.text, ruling.subject, ruling.question, before):
        for outcome, pattern in _OUTCOMES:
            if pattern.search(text):
                return "withdrawn" if outcome == "permitted" and ruling.subject.endswith("撤回") else outcome
    return "other"


def _bill(ruling: Ruling, item: AgendaItem | None) -> str | None:
    """The bill that is decided about; amendments and motions besides it aren't, nor is one nominee of many."""
    if item is not None and PREMIER.search(ruling.subject):
        return item.bill
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
    if ruling.aspect.endswith("動議"):
        return ruling.subject or ruling.aspect
    if item is not None and is_business(item.title) and not _is_about_person(ruling, item):
        return item.title
    return ruling.subject or (item.title if item else ruling.aspect)
