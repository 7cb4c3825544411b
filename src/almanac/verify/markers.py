"""Parses reference markers: `[@id]` right after the sentence it supports, `[@a][@b]` or `[@a; @b]` for several.

`[@own]` marks a sentence as the editor's own, which needs no source. A table or an image takes one marker for the
whole. Markers are masked, not cut, so that offsets stay those of the given text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.segmentation import TextSentence, split_sentences
from almanac.verify.figures_and_tables import MarkdownTable, find_images, find_tables, plain_words
from almanac.verify.model import CitedClaim, ClaimKind

OWN = "own"
_MARKER = lazy_regex(r"\[@[^\]\[]*\]")
_ID = lazy_regex(r"@([^;,\s\]@]+)")
_HEADING = lazy_regex(r"\s*(?:#{1,6}\s.*|[-*_=]{3,}|\|?[\s:|-]+\|?)")
_UNDERLINED = lazy_regex(r"(?m)^[^\n]+\n(?:={3,}|-{3,})[ \t]*$")
_ATX = lazy_regex(r"(?m)^ {0,3}#{1,6}[ \t][^\n]*$")
# A lower-case word that isn't a brand such as iDeal.
_GOES_ON = lazy_regex(r"\s*[a-z\u00df-\u00ff](?![A-Z])")
_STOPPED = lazy_regex(r"[.!?。！？…][\"'”’)\]」』）]*\s*$")


@dataclass(frozen=True, slots=True)
class PlacedClaim:
    """A claim and its offsets in the text; `markers` are the offsets of the markers that belong to it."""

    claim: CitedClaim
    start: int
    end: int
    markers: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class _Part:
    """A stretch of the text that becomes a claim, with the markers that belong to it."""

    text: str
    start: int
    end: int
    kind: ClaimKind = ClaimKind.SENTENCE
    ids: list[str] = field(default_factory=list)
    markers: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Marker:
    start: int
    end: int
    ids: tuple[str, ...]


@lru_cache(maxsize=64)
def read_claims(text: str) -> tuple[PlacedClaim, ...]:
    """Split a text into sentences, table rows and images, each with the references that belong to it.

    The last ones are cached: every view of a draft splits the same sections.
    """
    marks = [_Marker(match.start(), match.end(), tuple(_ID.findall(match[0]))) for match in _MARKER.finditer(text)]
    blank = _MARKER.sub(lambda match: " " * len(match[0]), text)
    headings = [match.span() for pattern in (_ATX, _UNDERLINED) for match in pattern.finditer(blank)]
    tables, images = find_tables(blank), find_images(blank)
    table_parts = [part for table in tables for part in _table_parts(table, marks)]
    image_parts = [_Part(words, start, end, ClaimKind.CAPTION) for words, start, end in images]
    taken = _give_to_images(image_parts, marks, blank)
    for start, end in [(table.start, table.end) for table in tables] + [(start, end) for _, start, end in images]:
        blank = blank[:start] + "".join(c if c == "\n" else " " for c in blank[start:end]) + blank[end:]
    free = [
        mark
        for mark in marks
        if mark not in taken and not any(table.start <= mark.start < table.reference_end for table in tables)
    ]
    places = [mark.start for mark in free]
    parts = [_sentence_part(piece, headings) for each in split_sentences(blank) for piece in _split_at(each, places)]
    _give_to_sentences(parts, free)
    whole = sorted([*parts, *table_parts, *image_parts], key=lambda part: part.start)
    return tuple(_with_context([_placed(part) for part in whole]))


def plain_positions(raw: str) -> tuple[str, list[int]]:
    """A sentence as it is checked, without markers and Markdown, and the offset in `raw` of each of its characters."""
    return plain_words(_MARKER.sub(lambda match: " " * len(match[0]), raw))


def _split_at(sentence: TextSentence, markers: Sequence[int]) -> Iterator[TextSentence]:
    """Split a sentence where a marker follows a full stop, even after an apparent abbreviation."""
    start, text = sentence.start, sentence.text
    for position in (*markers, sentence.end):
        goes_on = bool(_GOES_ON.match(text, max(0, position - sentence.start)))
        if goes_on or not start < position <= sentence.end:
            continue
        piece = text[start - sentence.start : position - sentence.start]
        if position == sentence.end or _STOPPED.search(piece):
            lead = len(piece) - len(piece.lstrip())
            if stripped := piece.strip():
                yield TextSentence(stripped, start + lead, start + lead + len(stripped), sentence.paragraph)
            start = position


def _sentence_part(sentence: TextSentence, headings: Sequence[tuple[int, int]]) -> _Part:
    is_heading = any(start <= sentence.start < end for start, end in headings) or _HEADING.fullmatch(sentence.text)
    kind = ClaimKind.HEADING if is_heading else ClaimKind.SENTENCE
    return _Part(plain_words(sentence.text)[0], sentence.start, sentence.end, kind)


def _give_to_sentences(parts: Sequence[_Part], marks: Sequence[_Marker]) -> None:
    """A marker belongs to the sentence before it."""
    for mark in marks:
        owner = next((part for part in reversed(parts) if part.start < mark.start), None)
        if owner is not None:
            _give(owner, mark)


def _give_to_images(images: Sequence[_Part], marks: Sequence[_Marker], blank: str) -> list[_Marker]:
    """Markers right behind an image belong to it alone; further on in its line they also belong to the sentence."""
    taken = []
    for image in images:
        line_end = blank.find("\n", image.end)
        line_end = len(blank) if line_end < 0 else line_end
        following = [mark for mark in marks if image.end <= mark.start < line_end]
        direct = [mark for mark in following if not blank[image.end : mark.start].strip()]
        for mark in direct or following[:1]:
            _give(image, mark)
        taken += direct
    return taken


def _table_parts(table: MarkdownTable, marks: Sequence[_Marker]) -> Iterator[_Part]:
    """The header, and each row with its own references or those of the whole table."""
    header = _Part(*table.header, ClaimKind.HEADING)
    rows = [_Part(*row, ClaimKind.ROW) for row in table.rows]
    shared: list[_Marker] = []
    for mark in marks:
        if not table.start <= mark.start < table.reference_end:
            continue
        owner = next((row for row in rows if row.start <= mark.start < row.end), None)
        if owner is None:
            shared.append(mark)
        else:
            _give(owner, mark)
    if not shared and len(rows) > 1 and rows[-1].ids and not any(row.ids for row in rows[:-1]):
        shared = [mark for mark in marks if (mark.start, mark.end) in rows[-1].markers]
    for row in rows:
        if not row.ids:
            row.ids = [name for mark in shared for name in mark.ids]
    yield header
    yield from rows
    if table.caption is not None:
        caption = _Part(*table.caption, ClaimKind.CAPTION)
        for mark in shared:
            _give(caption, mark)
        yield caption


def _give(part: _Part, mark: _Marker) -> None:
    part.ids.extend(mark.ids)
    part.markers.append((mark.start, mark.end))


def _placed(part: _Part) -> PlacedClaim:
    ids = tuple(dict.fromkeys(name for name in part.ids if name != OWN))
    is_own = OWN in part.ids and not ids and part.kind is not ClaimKind.HEADING
    kind = ClaimKind.OWN if is_own else ClaimKind.SENTENCE if part.kind is ClaimKind.HEADING and ids else part.kind
    needs_source = kind not in {ClaimKind.HEADING, ClaimKind.OWN}
    return PlacedClaim(CitedClaim(part.text, ids, needs_source, kind), part.start, part.end, tuple(part.markers))


def _with_context(placed: Sequence[PlacedClaim]) -> Iterator[PlacedClaim]:
    """Each heading with the references of what stands under it, up to the next heading."""
    for number, each in enumerate(placed):
        if each.claim.kind is not ClaimKind.HEADING:
            yield each
            continue
        below: list[str] = []
        for other in placed[number + 1 :]:
            if other.claim.kind is ClaimKind.HEADING and below:
                break
            below += other.claim.references
        yield replace(each, claim=replace(each.claim, context=tuple(dict.fromkeys(below))))
