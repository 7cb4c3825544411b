"""Finds English statements put into the mouth of somebody else, and names in the place of others."""

from collections.abc import Sequence

from almanac.kit.lazy import lazy_regex
from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.names.latin import LatinName
from almanac.verify.reasons import uncertain_difference
from almanac.verify.sources import SourceSentence
from almanac.verify.statements.english_words import english_pattern
from almanac.verify.statements.parallels import WordedClause, read_clauses, stated_words
from almanac.verify.words.content import carried_keys
from almanac.verify.words.model import ContentWord

_NEAR_COPY = 0.6
_FEWEST = 3
_PRONOUN = lazy_regex(r"(?i)\b(?:he|she|they|it|who|which|we|i)\b")
_BREAK = lazy_regex(r"[,;:.\"]|\b(?:and|but|while|that)\b")


def check_speakers(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """The speaker of a statement that the source has from somebody else with a name."""
    claimed, reported = _read_statement(facts)
    if not claimed or len(reported) + len(facts.measured) < _FEWEST:
        return []
    home = max(alignment.sentences, key=lambda sentence: _count_carried(reported, sentence))
    sourced, _ = _read_statement(home.facts)
    named = any(name.start <= word.start < name.end for word in sourced for name in home.facts.latin_names)
    if not named or _count_carried(reported, home) < _NEAR_COPY * len(reported):
        return []
    if any(word.keys & carried_keys([home.facts.masked_text], "en") for word in claimed):
        return []
    return [uncertain_difference(" ".join(word.text for word in claimed), " ".join(word.text for word in sourced))]


def _read_statement(facts: SentenceFacts) -> tuple[Sequence[ContentWord], Sequence[ContentWord]]:
    """The words of the speaker before the first verb of speech, and those of what is said; empty for a pronoun."""
    text = facts.masked_text
    match = english_pattern("speech").search(text)
    if match is None:
        return (), ()
    breaks = [each.end() for each in _BREAK.finditer(text, 0, match.start())]
    start = breaks[-1] if breaks else 0
    words = stated_words(facts)
    if _PRONOUN.search(text, start, match.start()):
        return (), ()
    speaker = [word for word in words if start <= word.start < match.start()]
    return speaker, [word for word in words if word.start >= match.end()]


def _count_carried(words: Sequence[ContentWord], sentence: SourceSentence) -> int:
    carried = carried_keys([sentence.facts.masked_text], "en")
    return sum(bool(word.keys & carried) for word in words)


def check_displaced_names(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """A name where the same clause of the source has another one, and this one stands in another clause."""
    source_facts = alignment.best.facts
    sourced = read_clauses(source_facts)
    for clause in read_clauses(facts):
        names = _names_in(facts, clause)
        if len(names) != 1 or len(sourced) < 2:
            continue
        words = [word for word in clause.content if not names[0].start <= word.start < names[0].end]
        rated = [sum(bool(word.keys & other.carries) for word in words) for other in sourced]
        home = sourced[rated.index(max(rated))]
        others = _names_in(source_facts, home)
        elsewhere = any(
            names[0].keys & name.keys for each in sourced if each != home for name in _names_in(source_facts, each)
        )
        if (
            max(rated) >= max(2, _NEAR_COPY * len(words))
            and rated.count(max(rated)) == 1
            and elsewhere
            and others
            and not any(names[0].keys & name.keys or name.keys <= facts.word_keys for name in others)
        ):
            return [uncertain_difference(names[0].written(facts.text), others[0].written(source_facts.text))]
    return []


def _names_in(facts: SentenceFacts, clause: WordedClause) -> list[LatinName]:
    return [name for name in facts.latin_names if clause.start <= name.start < clause.start + len(clause.text)]
