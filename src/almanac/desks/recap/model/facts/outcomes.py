"""Whether a sentence about decisions agrees with what the sitting decided: results and counts, item by item."""

from collections.abc import Sequence

from almanac.desks.recap.model.record import HouseDecision, Outcome
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import NUMERAL_PATTERN, parse_kanji_number

# Words that say how something was decided; 否決すべきとの意見 and the like only mention it.
_REJECTED = lazy_regex(r"否決|不承認|不採択|廃案|退け(?:られ|まし|た)")
_CARRIED = lazy_regex(r"可決|成立|承認(?!を求める)|議決|採択|同意(?!を求める)")
_ONLY_MENTIONED = lazy_regex(
    r"(?:否決|可決|承認|成立|同意|採択)(?:すべき(?!ものと)|されれば|されるべき|を求め|を目指|しないよう|に反対|に賛成)"
)
_FOR = lazy_regex(rf"(?:賛成|白色?票)(?:者)?[\s　はが、]*({NUMERAL_PATTERN})")
_AGAINST = lazy_regex(rf"(?:反対|青色?票)(?:者)?[\s　はが、]*({NUMERAL_PATTERN})")
_CARRYING: frozenset[Outcome] = frozenset(
    {"passed", "amended", "approved", "consented", "adopted", "appointed", "permitted", "other"}
)


def contradicts_decisions(text: str, decisions: Sequence[HouseDecision]) -> bool:
    """Whether a text tells a result or a count that the sitting's decisions don't have.

    A text that names decided business is held against the decisions on it; one that names none, against all of them.
    """
    if _ONLY_MENTIONED.search(text):
        return False
    named = [each for each in decisions if each.subject and each.subject in text]
    held = named or list(decisions)
    outcomes = {each.outcome for each in held}
    if _REJECTED.search(text) and "rejected" not in outcomes and outcomes:
        return True
    if _CARRIED.search(text) and outcomes and not outcomes & _CARRYING:
        return True
    return _miscounts(text, held)


def _miscounts(text: str, held: Sequence[HouseDecision]) -> bool:
    counts = {(each.vote.in_favour, each.vote.against) for each in held if each.vote}
    stated_for, stated_against = _FOR.search(text), _AGAINST.search(text)
    if not counts or not stated_for or not stated_against:
        return False
    return (parse_kanji_number(stated_for[1]), parse_kanji_number(stated_against[1])) not in counts
