"""The minutes of a meeting for readers: speeches with their original words, filtered, searched and highlighted."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.office_lines import join_offices
from almanac.desks.recap.model.recap import Dialog
from almanac.search import SnippetSpan

SPEECHES_PER_PART, BRIEF_CHARACTERS = 150, 160
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
class MinutesLine:
    """A line of the record: text, a note in brackets or a rule. `label` is the name before the first words.

    It `opens_quote` where quoted words begin in it.
    """

    kind: Literal["text", "note", "rule"]
    spans: tuple[SnippetSpan, ...] = ()
    label: str = ""
    opens_quote: bool = False

    @property
    def look(self) -> str:
        """The classes of its paragraph."""
        if self.kind == "note":
            return "note anchor" if self.opens_quote else "note"
        return "anchor" if self.opens_quote else ""


@dataclass(frozen=True, slots=True)
class ShownSpeech:
    """A speech with what is written about it and its lines; `is_open` where the original words show at once."""

    speech: Speech
    dialog: Dialog
    lines: tuple[MinutesLine, ...]
    is_open: bool

    @property
    def order(self) -> int:
        return self.speech.order

    @property
    def speaker_details(self) -> str:
        """The speaker's position, role and group on that day."""
        return join_offices((self.speech.position, self.speech.role, self.speech.group))

    @property
    def is_brief(self) -> bool:
        """Whether the original is so short that a summary saves nothing."""
        return not self.speech.is_header and len(self.speech.text) <= BRIEF_CHARACTERS


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
    """One part of the speeches that match a filter."""
    by_order = {dialog.order: dialog for dialog in dialogs}
    pairs = [(speech, by_order.get(speech.order) or empty_dialog(speech)) for speech in meeting.speeches]
    words = split_search_words(wanted.text)
    kept = [(speech, dialog) for speech, dialog in pairs if _is_wanted(speech, dialog, wanted, words)]
    parts = max(1, -(-len(kept) // SPEECHES_PER_PART))
    part = min(max(wanted.part, 1), parts)
    page = kept[(part - 1) * SPEECHES_PER_PART : part * SPEECHES_PER_PART]
    shown = tuple(_show_speech(speech, dialog, wanted, words) for speech, dialog in page)
    spoken = [(speech, dialog) for speech, dialog in pairs if not speech.is_header]
    return Minutes(
        speeches=shown,
        found=len(kept),
        part=part,
        parts=parts,
        speakers=_counts(spoken, lambda speech, _: speech.speaker),
        groups=_counts(spoken, lambda speech, _: speech.group or ""),
        reactions=_counts(spoken, lambda _, dialog: dialog.reaction),
        shown_orders=frozenset(speech.order for speech in shown),
    )


def find_part(meeting: Meeting, order: int) -> int | None:
    """The part of the unfiltered minutes that has a speech; None if the meeting has no such speech."""
    at = next((at for at, speech in enumerate(meeting.speeches) if speech.order == order), None)
    return None if at is None else at // SPEECHES_PER_PART + 1


def empty_dialog(speech: Speech) -> Dialog:
    """The dialog of a speech that nothing was written about."""
    return Dialog(
        order=speech.order,
        speaker=speech.speaker,
        yomi=speech.yomi,
        group=speech.group,
        position=speech.position,
        role=speech.role,
        reaction="会議録情報" if speech.is_header else "意見",
    )


def split_minutes_lines(
    text: str, words: Sequence[str] = (), quoted: tuple[int, int] | None = None
) -> tuple[MinutesLine, ...]:
    """The record's text line by line, without the empty ones; words, or the characters quoted, are marked."""
    filled = [(start, line.rstrip()) for start, line in _placed_lines(text) if line.strip()]
    return tuple(
        _line(line, words, _offset_quote(quoted, start), is_first=not at) for at, (start, line) in enumerate(filled)
    )


def strip_label(text: str) -> str:
    """The words of a speech without the label before them."""
    return _LABEL.sub("", text, count=1) if text.startswith("○") else text


def _placed_lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


def _offset_quote(quoted: tuple[int, int] | None, start: int) -> tuple[int, int] | None:
    return (quoted[0] - start, quoted[1] - start) if quoted else None


def _line(line: str, words: Sequence[str], quoted: tuple[int, int] | None, *, is_first: bool) -> MinutesLine:
    if _RULE.fullmatch(line):
        return MinutesLine("rule")
    if _NOTE.fullmatch(line):
        return MinutesLine("note", highlight_words(line.strip(), words))
    label = _LABEL.match(line) if is_first else None
    start = label.end() if label else 0
    first, last = (max(start, quoted[0]), min(len(line), quoted[1])) if quoted else (0, 0)
    if first >= last:
        return MinutesLine("text", highlight_words(line[start:], words), label[0].strip() if label else "")
    cut = (SnippetSpan(line[start:first]), SnippetSpan(line[first:last], marked=True), SnippetSpan(line[last:]))
    spans = tuple(span for span in cut if span.text)
    return MinutesLine(
        "text", spans, label[0].strip() if label else "", opens_quote=quoted is not None and quoted[0] >= 0
    )


def _is_wanted(speech: Speech, dialog: Dialog, wanted: MinutesFilter, words: Sequence[str]) -> bool:
    return (
        (not wanted.speaker or speech.speaker == wanted.speaker)
        and (not wanted.group or speech.group == wanted.group)
        and (not wanted.reaction or dialog.reaction == wanted.reaction)
        and contains_every(f"{speech.speaker}\n{speech.text}", words)
    )


def _show_speech(speech: Speech, dialog: Dialog, wanted: MinutesFilter, words: Sequence[str]) -> ShownSpeech:
    is_open = wanted.in_full or bool(words) or wanted.opened == speech.order
    quoted = wanted.quoted if wanted.opened == speech.order else None
    return ShownSpeech(speech, dialog, split_minutes_lines(speech.text, words, quoted), is_open)


def _counts(
    pairs: Sequence[tuple[Speech, Dialog]], value: Callable[[Speech, Dialog], str]
) -> Sequence[tuple[str, int]]:
    """Each value with how many speeches have it, the most frequent first."""
    counts: Mapping[str, int] = Counter(value(speech, dialog) for speech, dialog in pairs)
    return sorted(((name, count) for name, count in counts.items() if name), key=lambda pair: (-pair[1], pair[0]))


def split_search_words(text: str) -> tuple[str, ...]:
    """The words of a search, folded; all of them must occur."""
    return tuple(dict.fromkeys(fold_text(word) for word in text.split()))


def fold_text(text: str) -> str:
    """The text folded in case and width; ｶﾞ and ガ are the same."""
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())


def contains_every(text: str, words: Sequence[str]) -> bool:
    """Whether every folded word occurs in the text."""
    within = fold_text(text) if words else ""
    return all(word in within for word in words)


def highlight_words(text: str, words: Sequence[str]) -> tuple[SnippetSpan, ...]:
    """The text in spans, with every occurrence of the folded words marked."""
    if not words or not text:
        return (SnippetSpan(text),) if text else ()
    pieces: list[SnippetSpan] = []
    done = 0
    for start, end in _match_spans(text, words):
        if start > done:
            pieces.append(SnippetSpan(text[done:start]))
        pieces.append(SnippetSpan(text[start:end], marked=True))
        done = end
    return (*pieces, SnippetSpan(text[done:])) if done < len(text) else tuple(pieces)


def _match_spans(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The spans of the words in the text; overlapping spans are merged."""
    parts = [fold_text(character) for character in text]
    within = "".join(parts)
    owners = [at for at, part in enumerate(parts) for _ in part]
    spans = sorted(
        (owners[start], owners[start + len(word) - 1] + 1) for word in words for start in _occurrences(within, word)
    )
    current: tuple[int, int] | None = None
    for start, end in spans:
        if current is None or start > current[1]:
            if current:
                yield current
            current = (start, end)
        else:
            current = (current[0], max(current[1], end))
    if current:
        yield current


def _occurrences(within: str, word: str) -> Iterator[int]:
    at = within.find(word) if word else -1
    while at >= 0:
        yield at
        at = within.find(word, at + len(word))
