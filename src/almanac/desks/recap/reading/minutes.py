"""The minutes of a sitting as they are read: each speech with its original words, filtered and searched."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.recap import Dialog
from almanac.desks.recap.reading.matching import has_every, marked, words_of
from almanac.search import Span

PART, BRIEF = 150, 160
_RULE = re.compile(r"[\s━─―・\-＝=　]+")
_NOTE = re.compile(r"\s*[〔［\[].*[〕］\]]\s*")
_LABEL = re.compile(r"○[^　\s]{1,60}[　\s]+")


@dataclass(frozen=True, slots=True)
class MinutesFilter:
    """Which speeches to show; `part` counts pages of a long sitting from 1, `opened` is a speech shown in full.

    `quoted` are the characters of the opened speech that are marked.
    """

    text: str = ""
    speaker: str = ""
    group: str = ""
    reaction: str = ""
    in_full: bool = False
    part: int = 1
    opened: int | None = None
    quoted: tuple[int, int] | None = None

    @property
    def narrows(self) -> bool:
        return bool(self.text.strip() or self.speaker or self.group or self.reaction)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the record: text, a note in brackets or a rule. `label` is the name before the first words.

    It `opens_quote` where quoted words begin in it.
    """

    kind: Literal["text", "note", "rule"]
    spans: tuple[Span, ...] = ()
    label: str = ""
    opens_quote: bool = False


@dataclass(frozen=True, slots=True)
class ShownSpeech:
    """A speech with what is written about it and its lines; `is_open` where the original words show at once."""

    speech: Speech
    dialog: Dialog
    lines: tuple[Line, ...]
    is_open: bool

    @property
    def order(self) -> int:
        return self.speech.order

    @property
    def is_brief(self) -> bool:
        """Whether the original words are as quickly read as a summary of them."""
        return not self.speech.is_header and len(self.speech.text) <= BRIEF


@dataclass(frozen=True, slots=True)
class Minutes:
    """One page of the minutes. Counts are over the whole sitting; `found` is how many speeches the filter leaves."""

    speeches: tuple[ShownSpeech, ...]
    found: int
    part: int
    parts: int
    speakers: Sequence[tuple[str, int]]
    groups: Sequence[tuple[str, int]]
    reactions: Sequence[tuple[str, int]]
    shown_orders: frozenset[int]


def read_minutes(meeting: Meeting, dialogs: Sequence[Dialog], wanted: MinutesFilter) -> Minutes:
    """The speeches that a reader asks for, of the page that they ask for."""
    by_order = {dialog.order: dialog for dialog in dialogs}
    pairs = [(speech, by_order.get(speech.order) or bare_dialog(speech)) for speech in meeting.speeches]
    words = words_of(wanted.text)
    kept = [(speech, dialog) for speech, dialog in pairs if _is_wanted(speech, dialog, wanted, words)]
    parts = max(1, -(-len(kept) // PART))
    part = min(max(wanted.part, 1), parts)
    page = kept[(part - 1) * PART : part * PART]
    shown = tuple(_shown(speech, dialog, wanted, words) for speech, dialog in page)
    spoken = [(speech, dialog) for speech, dialog in pairs if not speech.is_header]
    return Minutes(
        speeches=shown,
        found=len(kept),
        part=part,
        parts=parts,
        speakers=_counts(spoken, lambda speech, _: speech.speaker),
        groups=_counts(spoken, lambda speech, _: speech.group or ""),
        reactions=_counts(spoken, lambda _, dialog: dialog.reaction),
        shown_orders=frozenset(one.order for one in shown),
    )


def part_of(meeting: Meeting, order: int) -> int | None:
    """On which page of the unfiltered minutes a speech stands; None where there is no such speech."""
    at = next((at for at, speech in enumerate(meeting.speeches) if speech.order == order), None)
    return None if at is None else at // PART + 1


def bare_dialog(speech: Speech) -> Dialog:
    """A speech that nothing was written about."""
    return Dialog(
        order=speech.order,
        speaker=speech.speaker,
        yomi=speech.yomi,
        group=speech.group,
        position=speech.position,
        role=speech.role,
        reaction="会議録情報" if speech.is_header else "意見",
    )


def lines_of(text: str, words: Sequence[str] = (), quoted: tuple[int, int] | None = None) -> tuple[Line, ...]:
    """The record's text line by line, without the empty ones; words, or the characters quoted, are marked."""
    filled = [(start, line.rstrip()) for start, line in _placed_lines(text) if line.strip()]
    return tuple(_line(line, words, _within(quoted, start), is_first=not at) for at, (start, line) in enumerate(filled))


def _placed_lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


def _within(quoted: tuple[int, int] | None, start: int) -> tuple[int, int] | None:
    return (quoted[0] - start, quoted[1] - start) if quoted else None


def _line(line: str, words: Sequence[str], quoted: tuple[int, int] | None, *, is_first: bool) -> Line:
    if _RULE.fullmatch(line):
        return Line("rule")
    if _NOTE.fullmatch(line):
        return Line("note", marked(line.strip(), words))
    label = _LABEL.match(line) if is_first else None
    start = label.end() if label else 0
    first, last = (max(start, quoted[0]), min(len(line), quoted[1])) if quoted else (0, 0)
    if first >= last:
        return Line("text", marked(line[start:], words), label[0].strip() if label else "")
    cut = (Span(line[start:first]), Span(line[first:last], marked=True), Span(line[last:]))
    spans = tuple(span for span in cut if span.text)
    return Line("text", spans, label[0].strip() if label else "", opens_quote=quoted is not None and quoted[0] >= 0)


def _is_wanted(speech: Speech, dialog: Dialog, wanted: MinutesFilter, words: Sequence[str]) -> bool:
    return (
        (not wanted.speaker or speech.speaker == wanted.speaker)
        and (not wanted.group or speech.group == wanted.group)
        and (not wanted.reaction or dialog.reaction == wanted.reaction)
        and has_every(f"{speech.speaker}\n{speech.text}", words)
    )


def _shown(speech: Speech, dialog: Dialog, wanted: MinutesFilter, words: Sequence[str]) -> ShownSpeech:
    is_open = wanted.in_full or bool(words) or wanted.opened == speech.order
    quoted = wanted.quoted if wanted.opened == speech.order else None
    return ShownSpeech(speech, dialog, lines_of(speech.text, words, quoted), is_open)


def _counts(
    pairs: Sequence[tuple[Speech, Dialog]], value: Callable[[Speech, Dialog], str]
) -> Sequence[tuple[str, int]]:
    """Each value with how many speeches have it, the most frequent first."""
    counts: Mapping[str, int] = Counter(value(speech, dialog) for speech, dialog in pairs)
    return sorted(((name, count) for name, count in counts.items() if name), key=lambda one: (-one[1], one[0]))
