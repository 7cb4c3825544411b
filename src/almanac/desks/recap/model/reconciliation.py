"""Whether the votes and the subjects of a sitting reconcile; what doesn't is for a person to look at.

A record that only doesn't let us tell a routine subject reconciles: the article says so. What is held is a count that
doesn't add up, a result against its own count, a count without a subject or a question, results that exclude each
other, and a title or description that says otherwise than the procedure.
"""

from collections.abc import Iterator, Sequence

from almanac.desks.recap.model.editorial import FindingKind, ReconciliationFinding
from almanac.desks.recap.model.facts.outcomes import contradicts_decisions
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.model.record import HouseDecision
from almanac.kit.lazy import lazy_regex

_CARRIED = frozenset({"passed", "amended", "approved", "consented", "adopted", "permitted", "agreed", "introduced"})
_FINAL = _CARRIED | {"rejected"}
# A vote on names has blank and invalid ballots, so its counts needn't add up.
_BALLOTS = frozenset({"appointed", "designated"})
_INVALID = lazy_regex(r"無効|白票|棄権")
_ONE_OF_SEVERAL = lazy_regex(r"修正案|動議|附帯決議|請願|(?i:amendment|motion)")
_SENTENCE = lazy_regex(r"[^。]+。?")
_TWO_THIRDS = lazy_regex(r"三分の二|３分の２|特別多数|総議員の過半数")


def find_contradictions(recap: Recap) -> tuple[ReconciliationFinding, ...]:
    """Everything in a sitting that doesn't reconcile; empty for almost every record."""
    decisions = recap.facts.decisions
    return tuple(
        dict.fromkeys(
            (
                *_miscounted(decisions),
                *_against_their_count(decisions),
                *_counted_without_subject(decisions),
                *_unasked(decisions),
                *_both_ways(decisions),
                *_written_otherwise(recap),
            )
        )
    )


def _miscounted(decisions: Sequence[HouseDecision]) -> Iterator[ReconciliationFinding]:
    for decision in decisions:
        vote = decision.vote
        if vote is None or None in (vote.total, vote.in_favour, vote.against) or decision.outcome in _BALLOTS:
            continue
        total, cast = vote.total or 0, (vote.in_favour or 0) + (vote.against or 0)
        # Where invalid ballots or abstentions are announced too, the total is larger; it is never smaller.
        if total < cast or (total > cast and not _INVALID.search(decision.text)):
            yield _finding("sum", decision, f"{total} ≠ {vote.in_favour} + {vote.against}")


def _against_their_count(decisions: Sequence[HouseDecision]) -> Iterator[ReconciliationFinding]:
    for decision in decisions:
        vote = decision.vote
        if vote is None or vote.in_favour is None or vote.against is None or _TWO_THIRDS.search(decision.text):
            continue
        lost = decision.outcome in _CARRIED and vote.in_favour < vote.against
        won = decision.outcome == "rejected" and vote.in_favour > vote.against
        if lost or won:
            yield _finding("majority", decision, f"{vote.in_favour} : {vote.against}")


def _counted_without_subject(decisions: Sequence[HouseDecision]) -> Iterator[ReconciliationFinding]:
    for decision in decisions:
        if decision.vote is not None and decision.vote.in_favour is not None and not decision.subject:
            yield _finding("untold", decision, decision.text)


def _unasked(decisions: Sequence[HouseDecision]) -> Iterator[ReconciliationFinding]:
    """Counted results without a question, in a record whose questions could be followed."""
    if not any(decision.asked_at is not None for decision in decisions):
        return
    for decision in decisions:
        if decision.vote is not None and decision.asked_at is None and decision.outcome in _FINAL:
            yield _finding("unasked", decision, decision.text)


def _both_ways(decisions: Sequence[HouseDecision]) -> Iterator[ReconciliationFinding]:
    """Business that was both carried and rejected; of two amendments or motions one may well be rejected."""
    by_subject: dict[str, list[HouseDecision]] = {}
    for decision in decisions:
        if decision.subject and decision.outcome in _FINAL and not _ONE_OF_SEVERAL.search(decision.subject):
            by_subject.setdefault(decision.subject, []).append(decision)
    for subject, final in by_subject.items():
        if len({decision.outcome == "rejected" for decision in final}) > 1:
            orders = tuple(dict.fromkeys(decision.order for decision in final))
            text = " / ".join(decision.text for decision in final)
            yield ReconciliationFinding(kind="contradiction", subject=subject, text=text, orders=orders)


def _written_otherwise(recap: Recap) -> Iterator[ReconciliationFinding]:
    for text in (recap.title, *_SENTENCE.findall(recap.description)):
        held = _decisions_meant(text, recap.facts.decisions)
        if contradicts_decisions(text, held):
            orders = tuple(dict.fromkeys(decision.order for decision in held))
            yield ReconciliationFinding(kind="text", text=text, orders=orders[:20])


def _decisions_meant(text: str, decisions: Sequence[HouseDecision]) -> Sequence[HouseDecision]:
    """What a sentence can be about: one about an amendment or a motion names its bill too, and isn't about that."""
    beside = _ONE_OF_SEVERAL.search(text)
    return [decision for decision in decisions if beside is None or beside[0] in decision.subject]


def _finding(kind: FindingKind, decision: HouseDecision, text: str) -> ReconciliationFinding:
    orders = tuple(dict.fromkeys(order for order in (decision.asked_at, decision.order) if order is not None))
    return ReconciliationFinding(kind=kind, subject=decision.subject, text=text, orders=orders)
