"""Whether a sentence in English or German tells a result or a count that the sitting's decisions don't have."""

import re
from collections.abc import Sequence

from almanac.desks.recap.model.parliaments.languages import ALL_RULES, LanguageRules
from almanac.desks.recap.model.parliaments.parliament import any_of, first_match
from almanac.desks.recap.model.record import HouseDecision

_REJECTED = frozenset({"rejected", "withdrawn"})
_STAGE = re.compile(r"(?i)\b(?:first|second|third) reading\b|\b(?:erste|zweite|dritte) (?:lesung|beratung)\b")
_PASSES = re.compile(r"(?i)\b(?:passe[sd]|approve[sd]|agree[sd]?(?: to)?|carrie[sd]|adopt(?:s|ed)|becomes? law)\b")


def contradicts_results(text: str, decisions: Sequence[HouseDecision]) -> bool:
    """Held against the decisions whose subject the text names, or against all of them if it names none.

    A text that only mentions a result (“should be rejected”) tells none.
    """
    folded = text.casefold()
    named = [each for each in decisions if each.subject and _core(each.subject) in folded]
    held = named or [each for each in decisions if each.subject]
    return bool(held) and any(_contradicts(text, held, rules) for rules in ALL_RULES)


def find_unnamed_stage(text: str, decisions: Sequence[HouseDecision]) -> str:
    """The stage, such as Second Reading, that a text leaves out which tells that a bill was agreed to; else empty.

    Only the Third Reading passes a bill, so that one need not be named.
    """
    folded = text.casefold()
    named = [each for each in decisions if each.subject and _core(each.subject) in folded]
    if _STAGE.search(text) or not _PASSES.search(text) or any(each.outcome == "passed" for each in named):
        return ""
    stages = [_STAGE.search(each.subject) for each in named]
    if not all(stages):
        return ""
    return next((stage[0] for stage in stages if stage), "")


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
