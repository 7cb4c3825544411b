"""Which words of a claim are carried by nothing in the source sentences that it is made from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.names.latin import is_acronym_of, is_title_case, matches_word
from almanac.verify.normalization import mask_spans
from almanac.verify.sources import CJK_LANGUAGES, SourceSentence, SourceText, sentence_terms
from almanac.verify.statements.direction import is_confirmed_by_figures
from almanac.verify.word_lists import read_words
from almanac.verify.words.content import carried_keys, content_words
from almanac.verify.words.model import ContentWord

_CARRIED_PER_LIGHT = 2
# The share of words that may be missing, by the number of facts that the claim shares with its source sentence.
_TOLERANCE = (0.0, 0.2, 0.34)
_FEWEST_CARRIED = 3
_SHORT_CLAIM = 3
_OUTER = " .。!！?？\"'「」『』“”‘’()（）*-•"


@dataclass(frozen=True, slots=True)
class ClaimCoverage:
    """The words of a claim that nothing in its sources carries, in order, and how many words it has."""

    missing: Sequence[ContentWord] = ()
    words: int = 0
    shared_facts: int = 0

    @property
    def share(self) -> float:
        """The share of the words that are carried."""
        return 1 - len(self.missing) / self.words if self.words else 1.0

    @property
    def is_enough(self) -> bool:
        """Whether so few words are missing that they are only another wording, which no list of synonyms has.

        The more figures, dates and names tie the claim to one source sentence, the more words it may have of its own,
        but never one such as "bankrupt", that changes what is said wherever it is added.
        """
        tolerance = _TOLERANCE[min(self.shared_facts, len(_TOLERANCE) - 1)]
        is_long = self.words - len(self.missing) >= _FEWEST_CARRIED
        is_wording = is_long and 1 - self.share <= tolerance and all(word.spared_beside for word in self.missing)
        return not self.missing or is_wording


def measure_coverage(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText], language: str
) -> ClaimCoverage:
    """The claim's words that neither an aligned sentence nor one linked with the claim carries, in order.

    A source's first sentence has its title or the name of its speaker, and so carries its words for all others. A name
    may be anywhere in the sources: a source that goes on with "he" or "the company" carries it.
    """
    if is_part_of_sentence(facts, alignment):
        return ClaimCoverage()
    masked = mask_spans(facts.content_text, _name_spans(facts, sources, language))
    words = [word for word in content_words(masked, language) if word.keys]
    homes = [*alignment.sentences, *(source.sentences[0] for source in sources if source.sentences)]
    carried = carried_keys((sentence.facts.masked_text for sentence in homes), language)
    covered = [word for word in words if word.keys & carried]
    missing = [
        word
        for word in words
        if not word.keys & carried
        and not _is_name(word, facts, sources)
        and not (language in CJK_LANGUAGES and _is_written(word, alignment))
        and not (language == "en" and is_confirmed_by_figures(word.text, facts, alignment))
    ]
    if len(words) <= _SHORT_CLAIM and not missing and not facts.measured and language not in CJK_LANGUAGES:
        missing = _uncovered_by_one(words, alignment, sources, facts, language)
    elif missing and covered:
        for sentence in _linked_sentences(facts, alignment, sources):
            keys = carried_keys([sentence.facts.masked_text], language)
            if any(word.keys & keys for word in covered):
                missing = [word for word in missing if not word.keys & keys or _needs_home(word, language)]
    if missing and not covered and _is_said_of_name(missing, facts, sources, language):
        missing = []
    missing = [] if _is_spared(missing, facts, len(covered)) else missing
    return ClaimCoverage(missing, len(words), alignment.shared_facts)


def _needs_home(word: ContentWord, language: str) -> bool:
    """Whether a grave word must be in an aligned sentence. A Japanese record names a bill and passes it in another."""
    return not word.spared_beside and language not in CJK_LANGUAGES


def _uncovered_by_one(
    words: Sequence[ContentWord],
    alignment: Alignment,
    sources: Sequence[SourceText],
    facts: SentenceFacts,
    language: str,
) -> list[ContentWord]:
    """What the best single sentence leaves: a few words of several sentences make up almost any short statement."""
    needed = [word for word in words if not _is_name(word, facts, sources)]
    names = [name for name in facts.latin_names if name.is_certain]
    pool = [each for source in sources for each in source.sentences]
    homes = [each for each in pool if len(names) > 1 and all(name.keys <= each.words for name in names)]
    carried = [carried_keys([each.facts.masked_text], language) for each in homes or alignment.sentences]
    return min(([word for word in needed if not word.keys & keys] for keys in carried), key=len, default=[])


def _is_spared(missing: Sequence[ContentWord], facts: SentenceFacts, covered: int) -> bool:
    """Whether so much of the claim is carried that these words need no cover."""
    if all(word.is_light for word in missing) and _CARRIED_PER_LIGHT * len(missing) <= covered:
        return True
    anchors = covered + len(facts.measured) + sum(name.is_certain for name in facts.latin_names)
    return all(word.spared_beside for word in missing) and sum(word.spared_beside for word in missing) <= anchors


def _is_said_of_name(
    missing: Sequence[ContentWord], facts: SentenceFacts, sources: Sequence[SourceText], language: str
) -> bool:
    """Whether a sentence that has a name of the claim carries all its words, though others share more of its terms."""
    for sentence in (sentence for source in sources for sentence in source.sentences):
        if any(name.keys <= sentence.words for name in facts.latin_names if name.is_certain):
            keys = carried_keys([sentence.facts.masked_text], language)
            if all(word.keys & keys for word in missing):
                return True
    return False


def _name_spans(facts: SentenceFacts, sources: Sequence[SourceText], language: str) -> Iterator[tuple[int, int]]:
    """Names have been checked as such, in all their forms, so their words need no cover."""
    if not is_title_case(facts.masked_text):  # in a headline, capitals don't show names
        for name in (name for name in facts.latin_names if name.is_certain):
            if any(is_acronym_of(name, source.acronyms) for source in sources):
                yield name.start, name.end
            checked = name.keys | read_words("titles.txt")
            yield from ((word.start, word.end) for word in name.words if word.key in checked)
    if language in CJK_LANGUAGES:
        yield from ((name.start, name.end) for name in facts.han_names(language) if name.is_certain)


def _is_written(word: ContentWord, alignment: Alignment) -> bool:
    """Whether a word of several characters stands in an aligned sentence, where it may be split otherwise."""
    return len(word.text) > 1 and any(word.text in sentence.facts.masked_text for sentence in alignment.sentences)


def is_part_of_sentence(facts: SentenceFacts, alignment: Alignment) -> bool:
    """Whether the claim is written in an aligned sentence letter by letter, however its words are split."""
    claimed = facts.text.strip(_OUTER)
    return any(claimed in sentence.facts.text for sentence in alignment.sentences)


def is_whole_sentence(facts: SentenceFacts, alignment: Alignment) -> bool:
    """Whether the claim is a sentence of the source, word for word: nothing before or after it was left out."""
    claimed = facts.text.strip(_OUTER)
    return any(claimed == sentence.facts.text.strip(_OUTER) for sentence in alignment.sentences)


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
