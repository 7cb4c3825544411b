"""Finds what a claim turns round: a rise for a fall, passed for rejected, the giver for the receiver, figures of a list
in another order, a price per tonne for one per kilogram, or the work of somebody else.
"""

import re
from collections.abc import Sequence

from almanac.kit.lazy import lazy_regex
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.quantities.quantity import Quantity, quantities_match
from almanac.verify.reasons import uncertain_difference
from almanac.verify.sources import SourceSentence
from almanac.verify.statements.marked_sentences import MarkedClause, MarkedSentence, Marker
from almanac.verify.words.model import ContentWord

_OPPOSED = (
    ("direction-up", "direction-down"),
    ("direction-down", "direction-up"),
    ("accepted", "rejected"),
)
_FIGURE = lazy_regex(r"[0-9][0-9.,]*")
_RESPECTIVELY = lazy_regex("分别|各为|masing-masing")
_PER = lazy_regex(
    "每(公斤|千克|斤|吨|克|升|桶|平方米|亩|公顷|人|户|小时|天|日|月|周|年|季度?|股|台|辆|箱|件|份|次|公里|度)[^,。;]{0,2}$"
)
_WORK = lazy_regex("《([^》]+)》")
_AUTHOR = lazy_regex("([一-鿿]{2})[凭以因]《")
_SAME_UNIT = {"千克": "公斤", "天": "日", "季度": "季"}


def check_contrasts(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """The first word of the claim whose opposite the source says of the same subject, or a receiver that gives."""
    for mine, theirs in _OPPOSED:
        for marker in claim.markers(mine):
            sourced = _find_opposite(claim, marker, sentences, mine, theirs)
            if sourced is not None:
                return [uncertain_difference(marker.text, sourced)]
    return _check_turned_cause(claim, sentences) or _check_giver(claim, sentences) or _check_object(claim, sentences)


def _find_opposite(
    claim: MarkedSentence, marker: Marker, sentences: Sequence[MarkedSentence], mine: str, theirs: str
) -> str | None:
    """The clause that has the word before the marker with the opposite; None where any has it with the same class."""
    own = claim.clause_of(marker.start)
    if own is None or any(_lies_in(each, own) for each in (*claim.markers(theirs), *claim.markers("negation"))):
        return None
    subject = [word for word in own.words if word.end <= marker.start][-2:]
    figures = set(_FIGURE.findall(claim.text, own.start, own.end))
    homes = [
        (sentence, clause)
        for sentence in sentences
        for clause in sentence.clauses
        if subject
        and _has(subject[-1], clause.words)
        and (
            mine == "accepted"
            or all(_has(word, clause.words) for word in subject)
            or figures & set(_FIGURE.findall(sentence.text, clause.start, clause.end))
        )
    ]
    if any(_lies_in(each, clause) for sentence, clause in homes for each in sentence.markers(mine)):
        return None
    for sentence, clause in homes:
        is_denied = any(_lies_in(each, clause) for each in sentence.markers("negation"))
        if not is_denied and any(_lies_in(each, clause) for each in sentence.markers(theirs)):
            return sentence.text[clause.start : clause.end]
    return None


def _check_turned_cause(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """A fall explained by what the source gives as the cause of a rise, or the reverse."""
    for marker in claim.markers("cause"):
        cause = claim.words_after(marker, 3)
        for sentence in sentences:
            if len(cause) < 2 or not all(_has(word, sentence.words) for word in cause):
                continue
            for mine, theirs in _OPPOSED[:2]:
                if claim.has(mine) and not claim.has(theirs) and sentence.has(theirs) and not sentence.has(mine):
                    return [uncertain_difference(claim.markers(mine)[0].text, sentence.text)]
    return []


def _lies_in(marker: Marker, clause: MarkedClause) -> bool:
    return clause.contains(marker.start)


def _check_giver(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """`B gave it to A` where the source has `gave it to B`."""
    for marker in claim.markers("receiver"):
        subject, receiver = claim.words[:1], claim.words_after(marker, 2)
        for sentence in sentences:
            for sourced in sentence.markers("receiver"):
                taker = sentence.words_after(sourced, 2)
                given = [word for word in sentence.words if word.end <= sourced.start]
                is_same_deed = any(_has(word, given[-2:]) for word in claim.words[1:] if word.end <= marker.start)
                is_taker = any(_has(word, taker[:1]) and not _has(word, given) for word in subject)
                if is_same_deed and is_taker and not any(_has(word, taker) for word in receiver):
                    return [uncertain_difference(subject[0].text, sentence.text)]
    return []


def _check_object(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """`B asked A to pay` where the source has somebody ask B, with the same verb."""
    for marker in claim.markers("transitive"):
        subject = [word for word in claim.words if word.end <= marker.start][-1:]
        target = claim.words_after(marker, 1)
        for sentence in sentences:
            for sourced in (each for each in sentence.markers("transitive") if each.text == marker.text):
                clause = sentence.clause_of(sourced.start)
                before = [word for word in clause.words if word.end <= sourced.start] if clause else []
                after = sentence.words_after(sourced, 1)
                is_object = any(_has(word, after) and not _has(word, before) for word in subject)
                if is_object and target and not _has(target[0], after):
                    return [uncertain_difference(subject[0].text, sentence.text)]
    return []


def _has(word: ContentWord, words: Sequence[ContentWord]) -> bool:
    return any(word.keys & each.carries for each in words)


def check_lists(facts: SentenceFacts, sentences: Sequence[SourceSentence]) -> list[ClaimFinding]:
    """`A and B rose by 9% and 14% respectively` where the source has the same list with 14% and 9%."""
    match = _RESPECTIVELY.search(facts.text)
    if match is None:
        return []
    mine = [each for each in facts.quantities if each.start >= match.end()]
    for sentence in sentences:
        other = _RESPECTIVELY.search(sentence.facts.text)
        if other is None or len(mine) < 2:
            continue
        theirs = [each for each in sentence.facts.quantities if each.start >= other.end()][: len(mine)]
        is_turned = _match_all(mine, theirs[::-1]) and not _match_all(mine, theirs)
        head = facts.text[: match.start()]
        if is_turned and _items(head) == _items(sentence.facts.text[: other.start()]):
            return [uncertain_difference(facts.text[match.start() :], sentence.facts.text[other.start() :])]
    return []


def _match_all(mine: Sequence[Quantity], theirs: Sequence[Quantity]) -> bool:
    return len(mine) == len(theirs) and all(map(quantities_match, mine, theirs))


def _items(head: str) -> str:
    """The end of the first item of a list, right before its conjunction."""
    first = re.split("和|与|及|、| dan ", head.rsplit(",", 1)[-1])[0]
    return first[-2:]


def check_rates(facts: SentenceFacts, sentences: Sequence[SourceSentence]) -> list[ClaimFinding]:
    """每吨96元 where the source has 每公斤96元."""
    for claimed in facts.quantities:
        mine = _PER.search(facts.text[: claimed.start])
        if mine is None:
            continue
        rates = {
            rate[1]
            for sentence in sentences
            for sourced in sentence.facts.quantities
            if quantities_match(claimed, sourced) and (rate := _PER.search(sentence.facts.text[: sourced.start]))
        }
        if rates and _SAME_UNIT.get(mine[1], mine[1]) not in {_SAME_UNIT.get(rate, rate) for rate in rates}:
            return [uncertain_difference(f"每{mine[1]}", f"每{min(rates)}")]
    return []


def check_works(facts: SentenceFacts, sentences: Sequence[SourceSentence]) -> list[ClaimFinding]:
    """The title of a work beside a person whom the source names with another work."""
    titles = set(_WORK.findall(facts.text))
    names = [name.core for name in facts.han_names("zh") if name.is_certain]
    for name in (*names, *_AUTHOR.findall(facts.text)):
        own = [set(_WORK.findall(each.facts.text)) for each in sentences if name in each.facts.text]
        theirs = set[str]().union(*own)
        if titles and theirs and not titles & theirs:
            return [uncertain_difference(min(titles), min(theirs))]
    return []
