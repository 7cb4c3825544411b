"""Finds a word in the place of another: the source says this of the other one."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.statements.marked_sentences import MarkedSentence
from almanac.verify.words.model import ContentWord

_MIN_SHARED = 0.7
_FEWEST_SHARED, _FEWEST_OF_FEW = 3, 2
_FEW = 3
_LONGEST, _LONGEST_IN_SOURCE = 2, 3
_QUOTES = frozenset("\"'“”「」《》")

_Words = Sequence[ContentWord]


def check_replaced_words(claim: MarkedSentence, sentences: Sequence[MarkedSentence]) -> list[ClaimFinding]:
    """The first words of the claim that stand where a clause of the source has others, and belong elsewhere in it."""
    everywhere = [word for sentence in sentences for word in sentence.words]
    for sentence in sentences:
        for clause in sentence.clauses:
            for mine, theirs in _find_replacements(claim.words, clause.words):
                absent = not any(word.carries & claim.keys for word in theirs)
                elsewhere = any(
                    _find_place(word, everywhere) >= 0 > _find_place(word, clause.words)
                    for word in mine
                    if not word.is_light
                )
                quoted = claim.text[max(0, mine[0].start - 1)] in _QUOTES
                closes = mine[-1] == claim.words[-1]
                is_moved = _is_next_to(mine, theirs, sentence.words, closes=closes)
                if absent and elsewhere and not quoted and not is_moved:
                    claimed = " ".join(word.text for word in mine)
                    return [uncertain_difference(claimed, sentence.text[theirs[0].start : theirs[-1].end])]
    return []


def _find_replacements(claimed: _Words, sourced: _Words) -> Iterator[tuple[_Words, _Words]]:
    """Short runs of words that differ between a claim and a clause which are otherwise the same."""
    labels = [_find_place(word, sourced) for word in claimed]
    blocks = SequenceMatcher(None, labels, list(range(len(sourced))), autojunk=False).get_opcodes()
    equal = sum(_weight(claimed[start:end]) for tag, start, end, _, _ in blocks if tag == "equal")
    for tag, start, end, begin, stop in blocks:
        few = start == 0 or len(claimed) <= _FEW
        fewest = _FEWEST_OF_FEW if few else _FEWEST_SHARED
        is_short = _weight(claimed[start:end]) <= _LONGEST and _weight(sourced[begin:stop]) <= _LONGEST_IN_SOURCE
        if tag == "replace" and is_short and equal >= max(fewest, _MIN_SHARED * _weight(claimed)):
            yield claimed[start:end], sourced[begin:stop]


def _weight(words: _Words) -> float:
    """The number of words; a single Han character, such as one of a name, is half a word."""
    return sum(0.5 if len(word.text) == 1 else 1 for word in words)


def _find_place(word: ContentWord, sourced: _Words) -> int:
    """The position of the first word that carries this one; -1 without one."""
    return next((at for at, each in enumerate(sourced) if word.keys & each.carries), -1)


def _is_next_to(mine: _Words, theirs: _Words, words: _Words, *, closes: bool) -> bool:
    """Whether the source has the claim's words right before or after the ones that they stand for.

    Those that close a claim may come from any later place: what is between was left out.
    """
    places = [_find_place(word, words) for word in mine]
    first, last = words.index(theirs[0]), words.index(theirs[-1])
    if min(places) < 0:
        return False
    return max(places) == first - 1 or min(places) == last + 1 or (closes and min(places) > last)
