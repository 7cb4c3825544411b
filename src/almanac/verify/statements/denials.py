"""Finds words that one side denies and the other affirms, clause by clause.

`negation` reports nearly equal sentences as changes; what is found here must be read.
"""

from collections.abc import Iterator, Sequence

from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.statements.marked_sentences import MarkedClause, MarkedSentence
from almanac.verify.words.model import ContentWord

_DENIED = 2


def check_denials(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """The first word that the claim denies and its clause of the source affirms, or the other way round."""
    denied = [
        word
        for words in _list_denials(claim)
        if not any(_is_denied(word, sentences) for word in words)
        for word in words
    ]
    for clause in claim.clauses:
        home = _find_home(clause, sentences)
        if home is None:
            continue
        sentence, source_clause = home
        sourced = [word for word in _denied_words(sentence) if source_clause.contains(word.start)]
        mine = [word for word in denied if clause.contains(word.start)]
        difference = _find_denied(mine, source_clause.words, sourced, sentence, source_clause) or _find_denied(
            sourced, clause.words, mine, claim, clause
        )
        if difference:
            return [uncertain_difference(claim.text[clause.start : clause.end].strip(), sentence.text)]
    return _check_always_denied(claim, sentences)


def _check_always_denied(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """A word that the source only has denied, in a claim that has nothing negative."""
    if claim.has("negation", "negative"):
        return []
    for sentence in sentences:
        for denied in _denied_words(sentence):
            affirmed = (each for other in sentences for each in other.words if each not in {*_denied_words(other)})
            word = next((each for each in claim.words if each.keys & denied.carries), None)
            if word and not any(each.carries & denied.keys for each in affirmed):
                return [uncertain_difference(word.text, sentence.text)]
    return []


def _denied_words(sentence: MarkedSentence) -> Iterator[ContentWord]:
    yield from (word for words in _list_denials(sentence) for word in words)


def _list_denials(sentence: MarkedSentence) -> Iterator[list[ContentWord]]:
    """The next words after each negation in its clause."""
    for marker in sentence.markers("negation"):
        clause = sentence.clause_of(marker.start)
        yield [word for word in sentence.words_after(marker, _DENIED) if clause and clause.contains(word.start)]


def _is_denied(word: ContentWord, sentences: Sequence[MarkedSentence]) -> bool:
    return any(word.keys & each.carries for sentence in sentences for each in _denied_words(sentence))


def _find_denied(
    denied: Sequence[ContentWord],
    others: Sequence[ContentWord],
    also_denied: Sequence[ContentWord],
    other: MarkedSentence,
    clause: MarkedClause,
) -> bool:
    """Whether the other side has a denied word, in a clause that has nothing negative at all."""
    if also_denied or any(
        clause.contains(marker.start) for marker in (*other.markers("negative"), *other.markers("negation"))
    ):
        return False
    return any(word.keys & each.carries for word in denied for each in others)


def _find_home(clause: MarkedClause, sentences: Sequence[MarkedSentence]) -> tuple[MarkedSentence, MarkedClause] | None:
    """The source's clause with most words of a claim's clause, the first word counting most; None without any."""
    rated = [
        (_count_shared(clause, each), -number, -position, sentence, each)
        for number, sentence in enumerate(sentences)
        for position, each in enumerate(sentence.clauses)
    ]
    best = max(rated, key=lambda row: row[:3], default=None)
    return None if best is None or best[0] <= 0 else (best[3], best[4])


def _count_shared(clause: MarkedClause, other: MarkedClause) -> float:
    carried = frozenset[str]().union(*(word.carries for word in other.words))
    shared = sum(bool(word.keys & carried) for word in clause.words)
    return shared + (0.5 if clause.words[0].keys & carried else 0)
