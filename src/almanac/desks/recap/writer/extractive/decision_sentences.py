"""Decisions as sentences: what was decided, by which count or in which manner, with which result."""

from almanac.desks.recap.model.facts.titles import bill_kind
from almanac.desks.recap.model.record import HouseDecision, Outcome, Vote
from almanac.kit.lazy import lazy_regex

# What a committee recommends, and what a house decides.
_VERBS: dict[Outcome, tuple[str, str]] = {
    "passed": ("可決すべきものと", "可決されました"),
    "amended": ("修正議決すべきものと", "修正議決されました"),
    "approved": ("承認すべきものと", "承認されました"),
    "rejected": ("否決すべきものと", "否決されました"),
    "consented": ("同意すべきものと", "同意することに決しました"),
    "adopted": ("採択すべきものと", "採択されました"),
    "permitted": ("許可すべきものと", "許可されました"),
    "appointed": ("選任すべきものと", "選任されました"),
}
_RECOMMENDS, _OWN_BILL, _NAMED = "すべきもの", "委員会提出の", "指名"
# How a record says that it was decided.
_DECIDED = lazy_regex(r"(?:決し|決定し|決まり|議決し)ました")
_CLAUSE = lazy_regex(r"(?:する|与える)(?P<noun>こと)?\Z|こと\Z")
# Everyday words for the manner of a vote, as far as the record has them too.
_PLAIN_MANNERS = {
    "起立総員": "総員の賛成で",
    "挙手総員": "総員の賛成で",
    "起立多数": "賛成多数で",
    "挙手多数": "賛成多数で",
    "多数": "賛成多数で",
}
_PLAIN_VERBS = {"修正議決": "修正して議決", "すべきものと": "すべきだと", "付することに": "付けることに"}
_BY_MANNER = {"異議なし": "異議なしで", "": ""}


def decision_sentences(decision: HouseDecision) -> tuple[str, ...]:
    """The sentence with its count or manner, and without; none if the record doesn't tell the subject."""
    if not decision.subject:
        return ()
    ways = dict.fromkeys(way for way in (_count(decision.vote), _manner(decision)) if way)
    return tuple(_sentence(decision, how) for how in (*ways, ""))


def plain_decision_sentence(decision: HouseDecision) -> str:
    """The sentence in plainer words: who agreed, and what came of it; empty if the record doesn't tell the subject."""
    if not decision.subject:
        return ""
    how = _count(decision.vote) or _PLAIN_MANNERS.get(decision.manner, _manner(decision))
    text = _sentence(decision, how)
    for officialese, everyday in _PLAIN_VERBS.items():
        text = text.replace(officialese, everyday)
    return text


def is_own_draft(decision: HouseDecision) -> bool:
    """Whether a committee decided to introduce the bill itself; it adopts no other bills."""
    return _OWN_BILL in decision.text or (decision.outcome == "adopted" and bill_kind(decision.subject) == "bill")


def _sentence(decision: HouseDecision, how: str) -> str:
    subject = decision.subject
    in_record = _DECIDED.search(decision.text.replace("いたしました", "しました"))
    decided = in_record[0] if in_record else "決しました"
    if subject.endswith("附帯決議"):
        return f"{subject}を{how}付することに{decided}。"
    if _CLAUSE.search(subject):
        clause = subject if subject.endswith("こと") else f"{subject}こと"
        return f"{how}{'、' if how else ''}{clause}に{decided}。"
    if subject.endswith(_RECOMMENDS):
        return f"{how}{'、' if how else ''}{subject}と{decided}。"
    if is_own_draft(decision):
        return f"{subject}を{how}委員会提出とすることに{decided}。"
    return f"{subject}{_ending(decision, how, decided)}。"


def _ending(decision: HouseDecision, how: str, decided: str) -> str:
    verbs = _VERBS.get(decision.outcome)
    if verbs is None:
        return f"が{how}決まりました"
    if decision.outcome in ("permitted", "appointed"):
        return f"が{how}{'指名されました' if _NAMED in decision.text else verbs[1]}"
    return f"は、{how}{verbs[0]}{decided}" if _RECOMMENDS in decision.text else f"は、{how}{verbs[1]}"


def _manner(decision: HouseDecision) -> str:
    return _BY_MANNER.get(decision.manner, f"{decision.manner}で")


def _count(vote: Vote | None) -> str:
    if vote is None or vote.in_favour is None or vote.against is None:
        return ""
    return f"賛成{vote.in_favour}、反対{vote.against}で"
