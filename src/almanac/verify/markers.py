"""Parses reference markers: `[@id]` right after the sentence it supports, `[@a][@b]` or `[@a; @b]` for several.

Markers are masked, not cut, so that offsets stay those of the given text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from almanac.kit.lazy import lazy_regex
from almanac.language.segmentation import TextSentence, split_sentences
from almanac.verify.model import CitedClaim

_MARKER = lazy_regex(r"\[@[^\]\[]*\]")
_ID = lazy_regex(r"@([^;,\s\]@]+)")
_HEADING = lazy_regex(r"\s*(?:#{1,6}\s.*|[-*_=]{3,}|\|?[\s:|-]+\|?)")
_BULLET = lazy_regex(r"^\s*(?:[-*+•・]|\d{1,2}[.)])\s+(?=\S)")
_UNDERLINED = lazy_regex(r"(?m)^[^\n]+\n(?:={3,}|-{3,})[ \t]*$")
_ATX = lazy_regex(r"(?m)^ {0,3}#{1,6}[ \t][^\n]*$")
_GREETING = lazy_regex(
    r"(?i)(?:dear|hello|hi|welcome|good (?:morning|afternoon|evening)|thank you|thanks|regards|kind regards"
    r"|yours|sincerely|best wishes|salam|selamat|terima kasih|yang benar|assalamualaikum"
    r"|こんにちは|拝啓|敬具|お世話|よろしく|ありがとう|皆様|各位|您好|你好|尊敬的|亲爱的|此致|敬礼|谢谢|大家好|各位)"
)
_STOPPED = lazy_regex(r"[.!?。！？…][\"'”’)\]」』）]*\s*$")
_FACTUAL = lazy_regex(r"[\d0-9“”\"「」『』]")
_LONGEST_GREETING = 60


@dataclass(frozen=True, slots=True)
class PlacedClaim:
    """A claim and its offsets in the text."""

    claim: CitedClaim
    start: int
    end: int


def read_claims(text: str) -> list[PlacedClaim]:
    """Split a text into sentences, each with the references that follow it."""
    marks = [(match.start(), tuple(_ID.findall(match[0]))) for match in _MARKER.finditer(text)]
    blank = _MARKER.sub(lambda match: " " * len(match[0]), text)
    headings = [match.span() for pattern in (_ATX, _UNDERLINED) for match in pattern.finditer(blank)]
    places = [position for position, _ in marks]
    parts = [part for sentence in split_sentences(blank) for part in _ended_by_markers(sentence, places)]
    references: list[list[str]] = [[] for _ in parts]
    for position, ids in marks:
        owners = [number for number, sentence in enumerate(parts) if sentence.start < position]
        if owners:
            references[owners[-1]].extend(ids)
    return [_placed(sentence, ids, headings) for sentence, ids in zip(parts, references, strict=True)]


def _ended_by_markers(sentence: TextSentence, markers: Sequence[int]) -> Iterator[TextSentence]:
    """Split a sentence where a marker follows a full stop, even after an apparent abbreviation."""
    start, text = sentence.start, sentence.text
    for position in (*markers, sentence.end):
        goes_on = text[position - sentence.start :].lstrip()[:1].islower()
        if goes_on or not start < position <= sentence.end:
            continue
        piece = text[start - sentence.start : position - sentence.start]
        if position == sentence.end or _STOPPED.search(piece):
            lead = len(piece) - len(piece.lstrip())
            if stripped := piece.strip():
                yield TextSentence(stripped, start + lead, start + lead + len(stripped), sentence.paragraph)
            start = position


def _placed(sentence: TextSentence, ids: list[str], headings: list[tuple[int, int]]) -> PlacedClaim:
    stated = " ".join(_BULLET.sub("", sentence.text).split())
    within = any(start <= sentence.start < end for start, end in headings) or bool(_HEADING.fullmatch(sentence.text))
    needs = bool(ids) or not (within or is_greeting(stated))
    return PlacedClaim(CitedClaim(stated, tuple(dict.fromkeys(ids)), needs), sentence.start, sentence.end)


def is_greeting(sentence: str) -> bool:
    """Whether it is a short greeting or closing without figures or quotations, which needs no source."""
    return len(sentence) <= _LONGEST_GREETING and bool(_GREETING.match(sentence)) and not _FACTUAL.search(sentence)
