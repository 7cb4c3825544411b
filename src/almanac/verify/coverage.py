"""Which words of a claim are carried by nothing in the source sentences that it is made from."""

from collections.abc import Iterator, Sequence

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.names.latin import matches_word
from almanac.verify.sources import SourceSentence, SourceText, sentence_terms
from almanac.verify.words.content import carried_keys, content_words
from almanac.verify.words.model import ContentWord


def find_uncovered_words(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText], language: str
) -> list[ContentWord]:
    """The claim's words that neither an aligned sentence nor one linked with the claim carries, in order.

    A name may be anywhere in the sources: a source that goes on with "he" or "the company" carries it.
    """
    words = content_words(facts.masked_text, language)
    carried = carried_keys((sentence.facts.masked_text for sentence in alignment.sentences), language)
    covered = [word for word in words if word.keys & carried]
    missing = [word for word in words if not word.keys & carried and not _is_name(word, facts, sources)]
    if missing and covered:
        for sentence in _linked_sentences(facts, alignment, sources):
            keys = carried_keys([sentence.facts.masked_text], language)
            if any(word.keys & keys for word in covered):
                missing = [word for word in missing if not word.keys & keys]
    return missing


def _is_name(word: ContentWord, facts: SentenceFacts, sources: Sequence[SourceText]) -> bool:
    """Whether a word is part of a name that the sources have; where it may stand is checked with the names."""
    named = any(name.start <= word.start < name.end for name in facts.latin_names)
    return named and any(matches_word(word.text.casefold().removesuffix("'s"), source.words) for source in sources)


def _linked_sentences(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText]
) -> Iterator[SourceSentence]:
    """Other sentences of the sources that share a term with the claim."""
    terms = sentence_terms(facts.masked_text)
    for source in sources:
        yield from (each for each in source.sentences if each not in alignment.sentences and terms & each.terms)
