"""Finds a word put in the place of another in a sentence that otherwise repeats its source: guests for cooks."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SENTENCE_CACHE_SIZE, SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import opposite_meaning, uncertain_difference
from almanac.verify.sources import SourceSentence, stem_word
from almanac.verify.statements.antonym_words import are_listed_antonyms
from almanac.verify.statements.negation import NEGATION_WORDS
from almanac.verify.statements.parallels import stated_words
from almanac.verify.words.content import carried_keys
from almanac.verify.words.model import ContentWord
from almanac.verify.words.wordnet import are_sister_terms, opposite_synsets, synsets

_NEAR_COPY = 0.6
_MIN_WORDS = 2
_LONGEST = 3
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "mis")


def check_edits(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """The first word that takes the place of another one: its opposite, or a word from elsewhere in the source."""
    for sentence in alignment.sentences:
        if _share(facts, sentence) < _NEAR_COPY:
            continue
        carried = carried_keys([sentence.facts.masked_text], "en")
        for claimed, sourced in _replaced_words(facts, sentence.facts):
            if claimed.keys & carried:
                continue
            if are_opposite(claimed, sourced) and _count_negations(facts) == _count_negations(sentence.facts):
                return [opposite_meaning(claimed.text, sourced.text)]
            if sentence is alignment.best and are_sister_terms(claimed.text.casefold(), sourced.text.casefold()):
                return [uncertain_difference(claimed.text, sourced.text)]
    return []


def _share(facts: SentenceFacts, sentence: SourceSentence) -> float:
    words = stated_words(facts)
    carried = carried_keys([sentence.facts.masked_text], "en")
    shared = sum(bool(word.keys & carried) for word in words)
    return shared / len(words) if len(words) > _MIN_WORDS else 0.0


def _replaced_words(facts: SentenceFacts, source_facts: SentenceFacts) -> Iterator[tuple[ContentWord, ContentWord]]:
    """Pairs of single content words in the same place; names and words that mean the same are left out."""
    claimed, sourced = _stems(facts), _stems(source_facts)
    matcher = SequenceMatcher(None, claimed, sourced, autojunk=False)
    for tag, start, end, begin, stop in matcher.get_opcodes():
        if tag != "replace" or max(end - start, stop - begin) > _LONGEST:
            continue
        put, gone = _content_between(facts, start, end), _content_between(source_facts, begin, stop)
        if len(put) != 1 or len(gone) != 1 or _mean_the_same(put[0], gone[0]):
            continue
        if not _is_named(facts, put[0]) and not _is_named(source_facts, gone[0]):
            yield put[0], gone[0]


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def _stems(facts: SentenceFacts) -> list[str]:
    return [stem_word(word.key) for word in facts.words]


def _content_between(facts: SentenceFacts, start: int, end: int) -> Sequence[ContentWord]:
    words = facts.words[start:end]
    content = stated_words(facts)
    return [word for word in content if words[0].start <= word.start < words[-1].end]


def _count_negations(facts: SentenceFacts) -> int:
    return sum(word.key in NEGATION_WORDS or word.key.endswith("n't") for word in facts.words)


def _mean_the_same(claimed: ContentWord, sourced: ContentWord) -> bool:
    return bool(claimed.keys & sourced.carries or sourced.keys & claimed.carries)


def _is_named(facts: SentenceFacts, word: ContentWord) -> bool:
    return any(name.start <= word.start < name.end for name in facts.latin_names)


def are_opposite(claimed: ContentWord, sourced: ContentWord) -> bool:
    """Whether one word is the other's antonym, by our list, by WordNet or by a negating prefix."""
    first, second = claimed.text.casefold(), sourced.text.casefold()
    if first in NEGATION_WORDS or second in NEGATION_WORDS:
        return False
    return (
        are_listed_antonyms(first, second)
        or bool(synsets(first) & opposite_synsets(second))
        or _differ_by_prefix(stem_word(first), stem_word(second))
    )


def _differ_by_prefix(first: str, second: str) -> bool:
    longer, shorter = sorted((first, second), key=len, reverse=True)
    return len(shorter) > len("nn") and any(longer == prefix + shorter for prefix in _PREFIXES)
