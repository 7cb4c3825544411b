"""The draft as pages show it: blocks, sentences with their verdicts, and references by number."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import ClassVar

from almanac.desks.newsletter.model.checks import SentenceConfirmation
from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.sentence_edits import EDITABLE_KINDS
from almanac.desks.newsletter.model.verification import VERDICT_WORDS, CheckedSection, SentenceStatus
from almanac.kit.messages import gettext
from almanac.verify import CheckedClaim, ClaimKind, Verdict
from almanac.verify.figures_and_tables import MarkdownTable, find_tables
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
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class ReferenceNumbering:
    """Chunk ids, numbered from 1 in this order; people read and write numbers instead of ids."""

    ids: tuple[str, ...]

    def shown(self, text: str) -> str:
        """The text with `[@3]` in place of `[@chunk-id]`; a reference that leads nowhere stays as it is."""
        numbers = {chunk: str(number) for number, chunk in enumerate(self.ids, 1)}
        return _replace_in_markers(text, lambda name: numbers.get(name, name))

    def label(self, chunk_id: str) -> str:
        """The reference as the text shows it, such as `[3]`."""
        return f"[{self.ids.index(chunk_id) + 1}]" if chunk_id in self.ids else gettext("another passage")

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
    is_reference: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class ReferenceMark:
    """A reference in the text; without a number it has no source. `sentence` is the one it supports."""

    chunk: str
    number: int | None
    title: str
    sentence: int
    is_reference: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceView:
    """A sentence, or the text between two.

    `word` and `reason` are empty if nothing is wrong. `move` says that its reference was moved.
    """

    pieces: tuple[StyledRun | ReferenceMark, ...]
    number: int | None = None
    key: str = ""
    word: str = ""
    tone: str = ""
    reason: str = ""
    confirmation: SentenceConfirmation | None = None
    judged_by: str = ""
    move: str = ""
    is_own: bool = False
    can_confirm: bool = False
    can_edit: bool = False
    can_own: bool = False


@dataclass(frozen=True, slots=True)
class TableRowView:
    """A row of a table; `sentence` has the verdict on the whole row."""

    cells: tuple[tuple[StyledRun | ReferenceMark, ...], ...]
    sentence: SentenceView


@dataclass(frozen=True, slots=True)
class BlockView:
    """A heading, a paragraph, a list item, or a table with its header as the first row."""

    kind: str
    stretches: tuple[SentenceView, ...] = ()
    rows: tuple[TableRowView, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section to read. `faults` are the sentences that block completion."""

    id: str
    blocks: tuple[BlockView, ...]
    faults: tuple[SentenceView, ...]

    @property
    def to_read(self) -> int:
        """How many sentences wait for a person to check them."""
        return sum(sentence.can_confirm for sentence in self.faults)


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


def view_section(checked: CheckedSection, references: CitedReferences, numbering: ReferenceNumbering) -> SectionView:
    """One section; numbering continues from the sections before it."""
    text = checked.section.text
    viewer = _SentenceViewer(text, list(checked.sentences), references, _moves_by_sentence(checked, numbering))
    tables = {table.header[1]: table for table in find_tables(text)}
    blocks = tuple(
        BlockView(kind, rows=tuple(viewer.rows(tables[start])))
        if kind == "table"
        else BlockView(kind, tuple(viewer.sentences(start, end)))
        for kind, start, end in _blocks(text, checked.section.name, tables)
    )
    shown = [stretch for block in blocks for stretch in (*block.stretches, *(row.sentence for row in block.rows))]
    return SectionView(checked.section.id, blocks, tuple(stretch for stretch in shown if stretch.word))


def _moves_by_sentence(checked: CheckedSection, numbering: ReferenceNumbering) -> dict[tuple[str, str], str]:
    return {
        (move.sentence, move.new): gettext(
            "Reference moved from %(old)s to %(new)s, which says it.",
            old=numbering.label(move.old),
            new=numbering.label(move.new),
        )
        for move in checked.section.moves
    }


def _blocks(text: str, name: str, tables: Mapping[int, MarkdownTable]) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each block; a heading that repeats the section's name is left out."""
    paragraph_start: int | None = None
    position, table_end = 0, 0
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        if start < table_end:
            continue
        heading, bullet, table = _HEADING.match(line), _BULLET.match(line), tables.get(start)
        if (heading or bullet or table or not line.strip()) and paragraph_start is not None:
            yield "paragraph", paragraph_start, start
            paragraph_start = None
        if table:
            table_end = max(row[2] for row in (table.header, *table.rows))
            yield "table", start, table_end
        elif heading:
            if heading[2].strip().casefold() != name.casefold():
                yield "heading", start + heading.start(2), position
        elif bullet:
            yield "item", start + bullet.end(), position
        elif line.strip() and paragraph_start is None:
            paragraph_start = start
    if paragraph_start is not None:
        yield "paragraph", paragraph_start, position


@dataclass(frozen=True, slots=True)
class _SentenceViewer:
    """Views of the sentences of one section's text."""

    text: str
    statuses: Sequence[SentenceStatus]
    references: CitedReferences
    moves: Mapping[tuple[str, str], str]

    def sentences(self, start: int, end: int) -> Iterator[SentenceView]:
        """The sentences of a block and the text between them."""
        at, last = start, 0
        for number, status in enumerate(self.statuses):
            sentence = status.checked
            if not (sentence.start < end and sentence.end > at):
                continue
            begin, stop = max(at, sentence.start), min(end, sentence.end)
            if markers := _MARKERS.match(self.text, stop, end):
                stop = markers.end()
            if at < begin:
                yield SentenceView(pieces=_pieces(self.text[at:begin], self.references, last))
            uncovered = [] if status.is_finished else _uncovered_spans(self.text, begin, sentence)
            yield self._view(status, number, _pieces(self.text[begin:stop], self.references, number, uncovered))
            at, last = stop, number
        if self.text[at:end].strip():
            yield SentenceView(pieces=_pieces(self.text[at:end], self.references, last))

    def rows(self, table: MarkdownTable) -> Iterator[TableRowView]:
        """The header and the rows of a table."""
        numbers = {status.checked.start: number for number, status in enumerate(self.statuses)}
        for _, start, end in (table.header, *table.rows):
            number = numbers.get(start)
            if number is None:
                continue
            status = self.statuses[number]
            words = [status.checked.text[first:last] for first, last in status.checked.uncovered]
            cells = tuple(
                _pieces(cell.strip(), self.references, number, _word_spans(cell.strip(), words))
                for cell in _CELL.split(self.text[start:end].strip().strip("|"))
            )
            yield TableRowView(cells, self._view(status, number, ()))

    def _view(self, status: SentenceStatus, number: int, pieces: tuple[StyledRun | ReferenceMark, ...]) -> SentenceView:
        checked = status.checked
        view = SentenceView(
            pieces=pieces,
            number=number,
            key=status.key,
            confirmation=status.confirmation,
            judged_by=checked.judged_by,
            move=next(
                (self.moves[checked.text, name] for name in checked.references if (checked.text, name) in self.moves),
                "",
            ),
            is_own=checked.kind is ClaimKind.OWN,
        )
        if status.is_finished:
            return view
        return replace(
            view,
            word=VERDICT_WORDS[checked.verdict],
            tone="waiting" if checked.verdict is Verdict.UNCONFIRMED else "failed",
            reason=status.reason,
            can_confirm=checked.verdict is Verdict.UNCONFIRMED,
            can_edit=checked.kind in EDITABLE_KINDS,
            can_own=checked.kind in EDITABLE_KINDS and checked.verdict is not Verdict.CHANGED,
        )


def _word_spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    return [(text.index(word), text.index(word) + len(word)) for word in words if word in text]


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
