"""Compares what a translation says with its source, by a dictionary of the common words of news and parliament."""

from collections.abc import Collection, Mapping, Sequence

from almanac.verify.alignment import Alignment, has_fact
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import opposite_meaning, uncertain_difference, uncovered_words
from almanac.verify.sources import SourceSentence
from almanac.verify.statements.negation import may_be_negative
from almanac.verify.word_lists import read_words
from almanac.verify.words.concepts import concepts, opposite_concepts
from almanac.verify.words.content import content_words

_MAX_SENTENCES = 3
_MAX_MISSING = 0.34
# Reporting verbs, and words that also stand for other things.
_NEEDS_NO_COVER = frozenset("announce cause day first last million month next none percent right year".split())


def check_translated_meaning(facts: SentenceFacts, alignment: Alignment, language: str) -> list[ClaimFinding]:
    """An opposite of what the source says, or the words that nothing in the closest source sentences translates."""
    claimed = {
        name: word for name, word in concepts(facts.masked_text, language).items() if name not in _NEEDS_NO_COVER
    }
    homes = _closest_sentences(facts, alignment, frozenset(claimed))
    sourced = {name: word for home in homes for name, word in _concepts_of(home).items()}
    missing = {name: word for name, word in claimed.items() if name not in sourced}
    carried_words = {word for name, word in claimed.items() if name in sourced}
    missing = {name: word for name, word in missing.items() if word not in carried_words}
    opposite = _find_opposite(claimed, homes[0]) if homes else None
    if opposite is not None:
        doubtful = (
            opposite[0] not in missing.values() or may_be_negative(facts.text) or may_be_negative(homes[0].facts.text)
        )
        return [uncertain_difference(*opposite) if doubtful else opposite_meaning(*opposite)]
    uncovered = [word for word in dict.fromkeys(missing.values()) if not _is_lone_character(word)]
    if uncovered and not _is_tolerable(missing, uncovered, carried_words, facts, homes):
        return [uncovered_words(uncovered)]
    return [] if carried_words or facts.measured else _check_unlisted(facts, language)


def _is_tolerable(
    missing: Mapping[str, str],
    uncovered: Sequence[str],
    carried: Collection[str],
    facts: SentenceFacts,
    homes: Sequence[SourceSentence],
) -> bool:
    """Whether a claim with a figure or date of the source misses few words, none of which is weighty."""
    is_tied = any(has_fact(home, fact) for home in homes for fact in facts.measured)
    few = len(uncovered) <= _MAX_MISSING * (len(carried) + len(uncovered))
    return is_tied and few and not any(_is_weighty(name) for name in missing)


def _is_weighty(concept: str) -> bool:
    """Whether a concept changes what is said wherever it is added: it has an opposite, or is a grave word."""
    return concept in opposite_concepts() or concept in read_words("weighty_en.txt")


def _find_opposite(claimed: Mapping[str, str], home: SourceSentence) -> tuple[str, str] | None:
    """A word of the claim whose opposite the closest source sentence has instead, and that word of the source."""
    sourced = _concepts_of(home)
    for name, word in claimed.items():
        if name in sourced:
            continue
        for opposite in sorted(opposite_concepts().get(name, frozenset()) & sourced.keys() - claimed.keys()):
            return word, sourced[opposite]
    return None


def _is_lone_character(word: str) -> bool:
    """One Chinese character may be part of a word that isn't listed."""
    return len(word) == 1


def _check_unlisted(facts: SentenceFacts, language: str) -> list[ClaimFinding]:
    """A claim without any listed word or figure can't be confirmed."""
    words = [word.text for word in content_words(facts.masked_text, language) if word.keys]
    return [uncovered_words(words)] if words else []


def _closest_sentences(facts: SentenceFacts, alignment: Alignment, claimed: frozenset[str]) -> Sequence[SourceSentence]:
    """The sentences that share most with the claim, figures and dates counting double."""
    shared = {
        sentence: len(claimed & _concepts_of(sentence).keys())
        + 2 * sum(has_fact(sentence, fact) for fact in facts.measured)
        for sentence in alignment.sentences
    }
    return sorted(alignment.sentences, key=lambda sentence: (-shared[sentence], sentence.number))[:_MAX_SENTENCES]


def _concepts_of(sentence: SourceSentence) -> dict[str, str]:
    return concepts(sentence.facts.masked_text, sentence.language)
