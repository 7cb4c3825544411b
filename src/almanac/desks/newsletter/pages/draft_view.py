"""The draft as pages show it: blocks, sentences with their verdicts, and references by number."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.verification import CheckedSection
from almanac.verify import CheckedClaim, ClaimKind, Verdict
from almanac.verify.markers import OWN, plain_positions

_WHOLE_MARKER = re.compile(r"\[@[^\]\[]*\]")
_MARKED_ID = re.compile(r"@([^;,\s\]@]+)")
_MARKER = re.compile(r"\[@([^\]\[]*)\]")
_MARKERS = re.compile(r"(?:\s*\[@[^\]\[]*\])+")
_ID = re.compile(r"@?([^;,\s\]@]+)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_INLINE = re.compile(
    r"\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*\s][^*]*)\*|\[(?P<words>[^\]]+)\]\((?P<link>https?://[^)\s]+)\)"
)
_WORDS = {Verdict.UNCONFIRMED: "Read this", Verdict.CHANGED: "Changed", Verdict.UNSUPPORTED: "Not supported"}


@dataclass(frozen=True, slots=True)
class ReferenceNumbering:
    """Chunk ids, numbered from 1 in this order; people read and write numbers instead of ids."""

    ids: tuple[str, ...]

    def shown(self, text: str) -> str:
        """The text with `[@3]` in place of `[@chunk-id]`; a reference that leads nowhere stays as it is."""
        numbers = {chunk: str(number) for number, chunk in enumerate(self.ids, 1)}
        return _replace_in_markers(text, lambda name: numbers.get(name, name))

    def stored(self, text: str) -> str:
        """The text with `[@chunk-id]` in place of `[@3]`."""
        names = {str(number): chunk for number, chunk in enumerate(self.ids, 1)}
        return _replace_in_markers(text, lambda name: names.get(name, name))


def number_references(full: FullNewsletter) -> ReferenceNumbering:
    """Cited chunks first, in the order of the text, then every other chunk that may be cited."""
    texts = (section.text for section in full.draft.draft.sections)
    cited = [name for text in texts for marker in _WHOLE_MARKER.findall(text) for name in _MARKED_ID.findall(marker)]
    sources = full.sources
    return ReferenceNumbering(
        tuple(dict.fromkeys(name for name in (*cited, *full.topics.included_ids) if name in sources))
    )


def shorten_diff(lines: Sequence[tuple[str, str]], numbering: ReferenceNumbering) -> list[tuple[str, str]]:
    """The lines of a diff with short references; long unchanged parts are cut to their edges."""
    near_changes = {at + offset for at, (sign, _) in enumerate(lines) if sign != " " for offset in (-1, 0, 1)}
    shown: list[tuple[str, str]] = []
    for at, (sign, text) in enumerate(lines):
        if at in near_changes:
            shown.append((sign, numbering.shown(text)))
        elif not shown or shown[-1] != (" ", "…"):
            shown.append((" ", "…"))
    return shown


def _replace_in_markers(text: str, rename: Callable[[str], str]) -> str:
    def marker(match: re.Match[str]) -> str:
        return _MARKED_ID.sub(lambda name: f"@{rename(name[1])}", match[0])

    return _WHOLE_MARKER.sub(marker, text)


@dataclass(frozen=True, slots=True)
class StyledRun:
    """A piece of text in one style; nothing in the source carries it if it is `uncovered`."""

    text: str
    style: str = ""
    link: str = ""
    uncovered: bool = False


@dataclass(frozen=True, slots=True)
class ReferenceMark:
    """A reference in the text; without a number it has no source. `sentence` is the one it supports."""

    chunk: str
    number: int | None
    title: str
    sentence: int


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence, or the text between two. `verdict` and `reasons` are empty if nothing is wrong."""

    pieces: tuple[StyledRun | ReferenceMark, ...]
    number: int | None = None
    verdict: str = ""
    tone: str = ""
    reasons: tuple[str, ...] = ()
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class BlockView:
    """A heading, a paragraph or a list item."""

    kind: str
    stretches: tuple[SentenceView, ...]


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section to read. `faults` are the sentences that block completion."""

    id: str
    blocks: tuple[BlockView, ...]
    faults: tuple[SentenceView, ...]


@dataclass(slots=True)
class CitedReferences:
    """Numbers the cited chunks from 1 in the order of first citation."""

    chunks: Mapping[str, RetrievedChunk]
    numbers: dict[str, int] = field(default_factory=dict)

    def mark(self, chunk_id: str, sentence: int) -> ReferenceMark:
        chunk = self.chunks.get(chunk_id)
        if chunk is None:
            return ReferenceMark(chunk_id, None, "", sentence)
        number = self.numbers.setdefault(chunk_id, len(self.numbers) + 1)
        return ReferenceMark(chunk_id, number, chunk.title or chunk.source, sentence)

    @property
    def cited(self) -> list[tuple[int, RetrievedChunk]]:
        return [(number, self.chunks[chunk]) for chunk, number in self.numbers.items()]


def view_section(checked: CheckedSection, references: CitedReferences) -> SectionView:
    """One section; numbering continues from the sections before it."""
    text, sentences = checked.section.text, checked.report.sentences
    blocks = tuple(
        BlockView(kind, tuple(_view_sentences(text, start, end, sentences, references)))
        for kind, start, end in _blocks(text, checked.section.name)
    )
    faults = tuple(sentence for block in blocks for sentence in block.stretches if sentence.verdict)
    return SectionView(checked.section.id, blocks, faults)


def _blocks(text: str, name: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each block; a heading that repeats the section's name is left out."""
    paragraph_start: int | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        heading, bullet = _HEADING.match(line), _BULLET.match(line)
        if (heading or bullet or not line.strip()) and paragraph_start is not None:
            yield "paragraph", paragraph_start, start
            paragraph_start = None
        if heading:
            if heading[2].strip().casefold() != name.casefold():
                yield "heading", start + heading.start(2), position
        elif bullet:
            yield "item", start + bullet.end(), position
        elif line.strip() and paragraph_start is None:
            paragraph_start = start
    if paragraph_start is not None:
        yield "paragraph", paragraph_start, position


def _view_sentences(
    text: str, start: int, end: int, sentences: tuple[CheckedClaim, ...], references: CitedReferences
) -> Iterator[SentenceView]:
    """The sentences of a block and the text between them."""
    at, last = start, 0
    for number, sentence in enumerate(sentences):
        if not (sentence.start < end and sentence.end > at):
            continue
        begin, stop = max(at, sentence.start), min(end, sentence.end)
        if markers := _MARKERS.match(text, stop, end):
            stop = markers.end()
        if at < begin:
            yield SentenceView(_pieces(text[at:begin], references, last))
        yield _view_sentence(text, begin, stop, sentence, number, references)
        at, last = stop, number
    if text[at:end].strip():
        yield SentenceView(_pieces(text[at:end], references, last))


def _view_sentence(
    text: str, start: int, stop: int, checked: CheckedClaim, number: int, references: CitedReferences
) -> SentenceView:
    pieces = _pieces(text[start:stop], references, number, _uncovered_spans(text, start, checked))
    if checked.verdict is Verdict.SUPPORTED:
        return SentenceView(pieces, number, is_own=checked.kind is ClaimKind.OWN)
    tone = "failed" if checked.verdict is Verdict.UNSUPPORTED else "waiting"
    reasons = tuple(finding.reason for finding in checked.findings) or ("It has no source.",)
    return SentenceView(pieces, number, _WORDS[checked.verdict], tone, reasons, checked.kind is ClaimKind.OWN)


def _uncovered_spans(text: str, start: int, checked: CheckedClaim) -> list[tuple[int, int]]:
    """Where the uncovered words stand after `start` of the section's text."""
    if not checked.uncovered:
        return []
    _, positions = plain_positions(text[checked.start : checked.end])
    offset = checked.start - start
    return [
        (positions[first] + offset, positions[min(last, len(positions)) - 1] + 1 + offset)
        for first, last in checked.uncovered
        if first < min(last, len(positions))
    ]


def _pieces(
    text: str, references: CitedReferences, sentence: int, uncovered: Sequence[tuple[int, int]] = ()
) -> tuple[StyledRun | ReferenceMark, ...]:
    pieces: list[StyledRun | ReferenceMark] = []
    at = 0
    for marker in _MARKER.finditer(text):
        pieces += _runs(text, at, marker.start(), uncovered)
        pieces += [references.mark(name, sentence) for name in _ID.findall(marker[1]) if name != OWN]
        at = marker.end()
    return (*pieces, *_runs(text, at, len(text), uncovered))


def _runs(text: str, start: int, end: int, uncovered: Sequence[tuple[int, int]]) -> list[StyledRun]:
    runs: list[StyledRun] = []
    at = start
    for match in _INLINE.finditer(text, start, end):
        runs += _split_run(text, at, match.start(), uncovered)
        group = str(match.lastgroup if match.lastgroup != "link" else "words")
        style = {"bold": "strong", "italic": "em"}.get(group, "")
        runs += _split_run(text, *match.span(group), uncovered, StyledRun("", style, match["link"] or ""))
        at = match.end()
    return [*runs, *_split_run(text, at, end, uncovered)]


def _split_run(
    text: str, start: int, end: int, uncovered: Sequence[tuple[int, int]], like: StyledRun | None = None
) -> list[StyledRun]:
    """The text from `start` to `end`, split where uncovered words begin and end."""
    cuts = sorted({start, end, *(at for span in uncovered for at in span if start < at < end)})
    return [
        replace(
            like or StyledRun(""),
            text=text[first:last],
            uncovered=any(begin <= first and last <= stop for begin, stop in uncovered),
        )
        for first, last in pairwise(cuts)
    ]
