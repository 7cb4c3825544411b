"""Who presides over a sitting, and the sentences of its procedure: the chair's, and the notes of the record."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.parliaments.parliament import Parliament, ProcedureGrammar, any_of, first_match
from almanac.kit.lazy import lazy_regex
from almanac.language.segmentation import split_sentences

_OPENING = 2
_GOES_ON = lazy_regex(r"(?<=[,:])\s*\n+\s*(?=[A-Za-zÄÖÜäöü])")


@dataclass(frozen=True, slots=True)
class ProcedureSentence:
    """A sentence of the chair or of the record, or a member's motion."""

    speech: Speech
    text: str
    is_motion: bool = False


def speech_sentences(speech: Speech, language: str) -> list[str]:
    """The sentences of a speech in order."""
    return [text for _, text in numbered_sentences(speech.text, language)]


@lru_cache(maxsize=2048)
def numbered_sentences(text: str, language: str) -> tuple[tuple[int, str], ...]:
    """The sentences of a text with the numbers of their paragraphs. A line that ends in a comma goes on in the next."""
    lines = _GOES_ON.sub(" ", text.replace("\r", "\n")).split("\n")
    return tuple(
        (number, sentence.text)
        for number, line in enumerate(line.strip() for line in lines if line.strip())
        for sentence in split_sentences(line, language)
    )


def is_chair(speech: Speech, presiding: frozenset[str], grammar: ProcedureGrammar) -> bool:
    """Whether the speaker presides, by office or by name."""
    label = " ".join(filter(None, (speech.speaker, speech.position, speech.role)))
    return bool(any_of(grammar.chair).search(label)) or speech.speaker in presiding


@lru_cache(maxsize=4)
def presiding_names(meeting: Meeting, parliament: Parliament) -> frozenset[str]:
    """Those who preside by name: known to do so on that day, or who say what only a chair says."""
    grammar = parliament.procedure
    if grammar is None:
        return frozenset()
    day = meeting.date
    listed = {who.name for who in grammar.presiding if who.since <= day and (who.until is None or day < who.until)}
    words = any_of(grammar.chair_words)
    by_words = {
        speech.speaker
        for speech in meeting.spoken
        if speech.is_spoken
        and speech.speaker
        and any(words.match(text) for text in speech_sentences(speech, parliament.language)[:_OPENING])
    }
    return frozenset(listed | by_words)


def procedure_sentences(meeting: Meeting, parliament: Parliament) -> Iterator[ProcedureSentence]:
    """What the chair and the record say about the procedure, and the motions of members, in order.

    Every speech gives at least one, so that headings are followed; an empty text says nothing.
    """
    grammar = parliament.procedure
    assert grammar is not None
    presiding = presiding_names(meeting, parliament)
    for speech in meeting.spoken:
        sentences = speech_sentences(speech, parliament.language)
        if not speech.is_spoken or is_chair(speech, presiding, grammar):
            kept = [ProcedureSentence(speech, text) for text in sentences]
        else:
            kept = [
                ProcedureSentence(speech, text, is_motion=True)
                for text in sentences
                if first_match(grammar.moves, text)
            ]
        yield from kept or [ProcedureSentence(speech, "")]
