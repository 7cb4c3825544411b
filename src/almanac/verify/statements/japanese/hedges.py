"""Finds what the source leaves open and the claim states: planned, possible, suspected or only asked for."""

from collections.abc import Sequence

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment, has_fact
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.reasons import overstated_certainty, uncertain_difference
from almanac.verify.statements.japanese.predicates import Predicate

_CLOSE_COPY = 0.7
# An estimate or a demand stays what it is where the claim says whose it is.
_ATTRIBUTED = lazy_regex("によると|によれば|という|として|との")
_SPEAKERS_OWN = frozenset(
    {"試算", "推計", "推定", "見積もり", "見積もる", "主張", "訴え", "見方", "み", "見", "として", "べき"}
)
_BOUND_BEFORE = lazy_regex("(?:最大|最高|上限|最長|最多|最低|少なくとも|最低でも)[でははに]{0,2}$")
_BOUND_AFTER = lazy_regex(
    "(?:[円人名件社日年月間%割]|カ月|か月|ヶ月|週間|時間|ポイント){0,2}(?:以内|以下|未満|以上|が上限|を上限|超|を超え|弱|強)"
)
_ANY_BOUND = lazy_regex(
    "最大|最高|上限|最長|最多|最低|少なくとも|以内|以下|未満|以上|まで|超|限度|弱|強|上回|下回|満たな|近く"
)
_ESTIMATE_AFTER = lazy_regex(
    "(?:[をにがとはでの]|程度|ほど|上る|達する|なる|のぼる|増える|減る){0,4}(?:見込|見通し|予想|予測|想定|目標|目指|計画|予定|方針|推計|試算|見積|とみられ|とみて|可能性|おそれ|恐れ|要求|求め|検討)"
)
_OPEN = lazy_regex(
    "見込|見通し|予想|予測|想定|目標|目指|計画|予定|方針|推計|試算|見積|みられ|みて|見て|可能性|おそれ|恐れ|要求|求め|検討|だろう|意向|考え"
    "|べき|必要|かもしれ|案|場合|提案|要望|訴え"
)


def check_hedges(
    text: str, claimed: Sequence[Predicate], sourced: Sequence[Predicate], alignment: Alignment
) -> list[ClaimFinding]:
    """Report the first event that every counterpart in the source leaves open."""
    for predicate in claimed:
        if not predicate.is_asserted or predicate.hedge or predicate.is_negated or predicate.is_adnominal:
            continue
        same = [each for each in sourced if each.forms & predicate.forms and not each.is_negated]
        if same and predicate.is_done and all(each.is_future and not each.hedge for each in same):
            return [uncertain_difference(predicate.text, same[0].text)]
        if not same or not all(each.hedge for each in same):
            continue
        if _ATTRIBUTED.search(text) and any(each.hedge in _SPEAKERS_OWN for each in same):
            continue
        if predicate.is_done and not any(each.is_done for each in same) and alignment.best_coverage >= _CLOSE_COPY:
            return [overstated_certainty(predicate.text, f"{same[0].text}{same[0].hedge}")]
        return [uncertain_difference(predicate.text, f"{same[0].text}…{same[0].hedge}")]
    return []


def check_bounds(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report a figure that the source only gives as a limit or as expected."""
    for claimed in facts.quantities:
        homes = [
            (sentence.facts, sourced)
            for sentence in alignment.sentences
            if has_fact(sentence, claimed)
            for sourced in sentence.facts.quantities
            if quantities_match(claimed, sourced)
        ]
        if not homes:
            continue
        if all(_is_bounded(home, figure) for home, figure in homes) and not _ANY_BOUND.search(facts.text):
            home, figure = homes[0]
            return [uncertain_difference(claimed.text, home.text[max(0, figure.start - 5) : figure.end + 4])]
        if all(_is_expected(home, figure) for home, figure in homes) and not _OPEN.search(facts.text):
            home, figure = homes[0]
            return [uncertain_difference(claimed.text, home.text[figure.start : figure.end + 12])]
    return []


def _is_bounded(facts: SentenceFacts, figure: Quantity) -> bool:
    before = facts.text[max(0, figure.start - 8) : figure.start]
    return bool(_BOUND_BEFORE.search(before) or _BOUND_AFTER.match(facts.text, figure.end))


def _is_expected(facts: SentenceFacts, figure: Quantity) -> bool:
    return bool(_ESTIMATE_AFTER.match(facts.text, figure.end))
