"""Finds a deed or a statement that the claim gives to somebody else than the source."""

from collections.abc import Sequence

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.sources import SourceSentence
from almanac.verify.statements.japanese.phrases import NounPhrase
from almanac.verify.statements.japanese.predicates import Predicate, read_predicates
from almanac.verify.word_lists import read_words
from almanac.verify.words.content import carried_keys, content_words

_ENOUGH = 2


def check_roles(claimed: Sequence[Predicate], sourced: Sequence[Predicate]) -> list[ClaimFinding]:
    """Report a deed whose subject is another than in every counterpart of the source."""
    for predicate in claimed:
        doer = _doer(predicate)
        if doer is None or predicate.is_quoted or predicate.is_adnominal or not predicate.is_asserted:
            continue
        same = [each for each in sourced if each.forms & predicate.forms and each.is_asserted]
        doers = [other for other in map(_doer, same) if other is not None]
        if not doers or len(doers) < len(same) or not doer.head_keys:
            continue
        named = [*doers, *(topic for each in same for topic in each.topics)]
        # The nearest topic may belong to a clause within: 町長は、工事はできないとの考えを示した.
        if not any(mine.may_be(other) for mine in (doer, *predicate.topics[:1]) for other in named):
            return [uncertain_difference(f"{doer.text} … {predicate.text}", f"{doers[0].text} … {same[0].text}")]
    return []


def _doer(predicate: Predicate) -> NounPhrase | None:
    """Who does it; of a passive, the phrase before に or から."""
    return predicate.agent if predicate.is_passive else predicate.subject


def check_speakers(facts: SentenceFacts, claimed: Sequence[Predicate], alignment: Alignment) -> list[ClaimFinding]:
    """Report a speaker whom the sentence that carries the statement doesn't name, though it names another."""
    spoken = next((each for each in reversed(claimed) if _is_reporting(each) and not each.is_passive), None)
    mine = spoken.topics[0] if spoken is not None and spoken.topics else None
    home = _find_home(facts, spoken, mine, alignment) if spoken is not None and mine is not None else None
    if spoken is None or mine is None or home is None:
        return []
    others = [other for each in read_predicates(home.facts.masked_text) for other in _speakers(each)]
    if mine.text in home.facts.text or any(mine.may_be(other) for other in others):
        return []
    if others and any(mine.text in each.facts.text or _shares_person(mine, each) for each in alignment.sentences):
        return [uncertain_difference(f"{mine.text} … {spoken.text}", f"{others[0].text} …")]
    return []


def _is_reporting(predicate: Predicate) -> bool:
    return bool(predicate.forms & read_words("reporting_ja.txt")) and predicate.is_asserted


def _speakers(predicate: Predicate) -> list[NounPhrase]:
    """Who may have said what a source's verb of saying tells."""
    if not predicate.forms & read_words("reporting_ja.txt"):
        return []
    return [*predicate.topics, *([predicate.agent] if predicate.agent else [])]


def _shares_person(phrase: NounPhrase, sentence: SourceSentence) -> bool:
    return any(
        each.subject is not None and bool(each.subject.head_keys & phrase.head_keys)
        for each in read_predicates(sentence.facts.masked_text)
    )


def _find_home(
    facts: SentenceFacts, spoken: Predicate, speaker: NounPhrase, alignment: Alignment
) -> SourceSentence | None:
    """The aligned sentence that carries most of what is said; None where it carries hardly anything."""
    words = [
        word
        for word in content_words(facts.masked_text, "ja")
        if word.keys and speaker.end <= word.start < spoken.start
    ]
    rated = [
        (sum(bool(word.keys & carried_keys([each.facts.masked_text], "ja")) for word in words), -number, each)
        for number, each in enumerate(alignment.sentences)
    ]
    best = max(rated, key=lambda each: each[:2])
    return best[2] if best[0] >= min(_ENOUGH, len(words)) and words else None
