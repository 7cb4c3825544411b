"""English clauses with their words, and the source clause that a claim's clause is made from."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import SENTENCE_CACHE_SIZE, SentenceFacts
from almanac.verify.names.latin import LatinWord
from almanac.verify.words.content import content_words
from almanac.verify.words.model import ContentWord

_BREAK = lazy_regex(
    r"(?i)[;:()]|,? \b(?:while|whereas|whilst|but|although|though|because|after|before|unless|until|when|which|who)\b"
    r"|, (?:and|as|with|where|or|so|then|both|of which|the|an?|he|she|it|they)\b"
)


@dataclass(frozen=True, slots=True)
class WordedClause:
    """A part of a sentence: its offset and text, the words of it and those that say something."""

    start: int
    text: str
    words: tuple[LatinWord, ...]
    content: tuple[ContentWord, ...]

    @property
    def carries(self) -> frozenset[str]:
        """All keys that its words carry."""
        return frozenset[str]().union(*(word.carries for word in self.content))


@dataclass(frozen=True, slots=True)
class ParallelClauses:
    """A clause of a claim, the source clause closest to it, and the share of its words that this one carries."""

    claimed: WordedClause
    sourced: WordedClause
    share: float


@lru_cache(maxsize=2 * SENTENCE_CACHE_SIZE)
def stated_words(facts: SentenceFacts) -> tuple[ContentWord, ...]:
    """The words of an English sentence that a source must carry."""
    return tuple(word for word in content_words(facts.masked_text, "en") if word.keys)


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def read_clauses(facts: SentenceFacts) -> tuple[WordedClause, ...]:
    """The clauses of an English sentence that have content words, in order."""
    bare = facts.masked_text
    content = stated_words(facts)
    edges = [0, *(match.start() for match in _BREAK.finditer(bare)), len(bare)]
    clauses = (
        WordedClause(
            start,
            facts.text[start:end],
            tuple(word for word in facts.words if start <= word.start < end),
            tuple(word for word in content if start <= word.start < end),
        )
        for start, end in pairwise(edges)
    )
    return tuple(clause for clause in clauses if clause.content)


def find_parallels(facts: SentenceFacts, alignment: Alignment) -> list[ParallelClauses]:
    """For each clause of a claim, the clause of the aligned sentences that carries most of its words."""
    sourced = [clause for sentence in alignment.sentences for clause in read_clauses(sentence.facts)]
    return [_closest(clause, sourced) for clause in read_clauses(facts)] if sourced else []


def _closest(clause: WordedClause, sourced: Iterable[WordedClause]) -> ParallelClauses:
    rated = [(sum(bool(word.keys & other.carries) for word in clause.content), other) for other in sourced]
    count, other = max(rated, key=lambda each: each[0])
    return ParallelClauses(clause, other, count / len(clause.content))
