"""The draft as it is read beside its sources: blocks, sentences with their verdicts, and numbered references."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from almanac.desks.newsletter.checks import CheckedSection
from almanac.desks.newsletter.model.chunks import Chunk
from almanac.verify import CheckedClaim, Verdict

_MARKER = re.compile(r"\[@([^\]\[]*)\]")
_MARKERS = re.compile(r"(?:\s*\[@[^\]\[]*\])+")
_ID = re.compile(r"@?([^;,\s\]@]+)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+")
_INLINE = re.compile(
    r"\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*\s][^*]*)\*|\[(?P<words>[^\]]+)\]\((?P<link>https?://[^)\s]+)\)"
)
_WORDS = {Verdict.CHANGED: "Changed", Verdict.UNSUPPORTED: "Not supported"}


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text in one style."""

    text: str
    style: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A reference in the text; without a number it leads nowhere. `sentence` is the one that it supports."""

    chunk: str
    number: int | None
    title: str
    sentence: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence, or what stands between two. `verdict` and `reasons` are empty where nothing is wrong."""

    pieces: tuple[Run | Mark, ...]
    number: int | None = None
    verdict: str = ""
    tone: str = ""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BlockView:
    """A heading, a paragraph or an item of a list."""

    kind: str
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section to read. `faults` are the sentences that stand in the way of completion."""

    id: str
    blocks: tuple[BlockView, ...]
    faults: tuple[Stretch, ...]


@dataclass(slots=True)
class References:
    """Numbers of the cited chunks, from 1 in the order in which they first appear."""

    chunks: Mapping[str, Chunk]
    numbers: dict[str, int] = field(default_factory=dict)

    def mark(self, chunk_id: str, sentence: int) -> Mark:
        chunk = self.chunks.get(chunk_id)
        if chunk is None:
            return Mark(chunk_id, None, "", sentence)
        number = self.numbers.setdefault(chunk_id, len(self.numbers) + 1)
        return Mark(chunk_id, number, chunk.title or chunk.source, sentence)

    @property
    def cited(self) -> list[tuple[int, Chunk]]:
        return [(number, self.chunks[chunk]) for chunk, number in self.numbers.items()]


def section_view(checked: CheckedSection, references: References) -> SectionView:
    """One section; references are numbered on from the sections before it."""
    text, sentences = checked.section.text, checked.report.sentences
    blocks = tuple(
        BlockView(kind, tuple(_stretches(text, start, end, sentences, references)))
        for kind, start, end in _blocks(text, checked.section.name)
    )
    faults = tuple(one for block in blocks for one in block.stretches if one.verdict)
    return SectionView(checked.section.id, blocks, faults)


def _blocks(text: str, name: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each block; a heading that repeats the section's name is left out."""
    begun: int | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        heading, bullet = _HEADING.match(line), _BULLET.match(line)
        if (heading or bullet or not line.strip()) and begun is not None:
            yield "paragraph", begun, start
            begun = None
        if heading:
            if heading[2].strip().casefold() != name.casefold():
                yield "heading", start + heading.start(2), position
        elif bullet:
            yield "item", start + bullet.end(), position
        elif line.strip() and begun is None:
            begun = start
    if begun is not None:
        yield "paragraph", begun, position


def _stretches(
    text: str, start: int, end: int, sentences: tuple[CheckedClaim, ...], references: References
) -> Iterator[Stretch]:
    """The sentences of a block with what stands between them."""
    at, last = start, 0
    for number, sentence in enumerate(sentences):
        if not (sentence.start < end and sentence.end > at):
            continue
        begin, stop = max(at, sentence.start), min(end, sentence.end)
        if markers := _MARKERS.match(text, stop, end):
            stop = markers.end()
        if at < begin:
            yield Stretch(_pieces(text[at:begin], references, last))
        yield _sentence(text[begin:stop], sentence, number, references)
        at, last = stop, number
    if text[at:end].strip():
        yield Stretch(_pieces(text[at:end], references, last))


def _sentence(text: str, checked: CheckedClaim, number: int, references: References) -> Stretch:
    pieces = _pieces(text, references, number)
    if checked.verdict is Verdict.SUPPORTED:
        return Stretch(pieces, number)
    tone = "waiting" if checked.verdict is Verdict.CHANGED else "failed"
    reasons = tuple(finding.reason for finding in checked.findings) or ("It has no source.",)
    return Stretch(pieces, number, _WORDS[checked.verdict], tone, reasons)


def _pieces(text: str, references: References, sentence: int) -> tuple[Run | Mark, ...]:
    pieces: list[Run | Mark] = []
    at = 0
    for marker in _MARKER.finditer(text):
        pieces += _runs(text[at : marker.start()])
        pieces += [references.mark(name, sentence) for name in _ID.findall(marker[1])]
        at = marker.end()
    return (*pieces, *_runs(text[at:]))


def _runs(text: str) -> list[Run]:
    runs: list[Run] = []
    at = 0
    for found in _INLINE.finditer(text):
        runs.append(Run(text[at : found.start()]))
        styled = {"strong": found["bold"], "em": found["italic"]}
        style = next((name for name, words in styled.items() if words), "")
        runs.append(Run(styled.get(style) or found["words"], style, found["link"] or ""))
        at = found.end()
    return [run for run in (*runs, Run(text[at:])) if run.text]
