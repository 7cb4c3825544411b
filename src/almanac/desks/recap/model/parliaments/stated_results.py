"""Whether a sentence in English or German tells a result or a count that the sitting's decisions don't have."""

import re
from collections.abc import Sequence

from almanac.desks.recap.model.parliaments.languages import ALL_RULES, LanguageRules
from almanac.desks.recap.model.parliaments.parliament import any_of, first_match
from almanac.desks.recap.model.record import HouseDecision

_REJECTED = frozenset({"rejected", "withdrawn"})


def contradicts_results(text: str, decisions: Sequence[HouseDecision]) -> bool:
    """Held against the decisions whose subject the text names, or against all of them if it names none.

    A text that only mentions a result (“should be rejected”) tells none.
    """
    folded = text.casefold()
    named = [each for each in decisions if each.subject and _core(each.subject) in folded]
    held = named or [each for each in decisions if each.subject]
    return bool(held) and any(_contradicts(text, held, rules) for rules in ALL_RULES)


def _core(subject: str) -> str:
    """What a subject is about, without “Second Reading of the”: a headline may leave that out."""
    return subject.casefold().rpartition(" of the ")[2]


def _contradicts(text: str, held: Sequence[HouseDecision], rules: LanguageRules) -> bool:
    if any_of(rules.mentions).search(text):
        return False
    outcomes = {each.outcome for each in held}
    if any_of(rules.rejected).search(text) and not outcomes & _REJECTED:
        return True
    if any_of(rules.carried).search(text) and outcomes <= _REJECTED:
        return True
    counted = first_match(rules.counted, text)
    counts = {(each.vote.in_favour, each.vote.against) for each in held if each.vote}
    return bool(counted and counts) and _pair(counted) not in counts


def _pair(match: re.Match[str] | None) -> tuple[int, int]:
    assert match is not None
    ayes, noes = (int(re.sub(r"\D", "", match[name])) for name in ("ayes", "noes"))
    return ayes, noes
