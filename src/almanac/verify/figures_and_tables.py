"""Finds the tables and images of a Markdown text, and reads sentences without their Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass

from almanac.kit.lazy import lazy_regex

PlacedWords = tuple[str, int, int]
_TABLE = lazy_regex(
    r"(?m)^(?P<header>[^\n]*\|[^\n]*)\n(?P<rule>[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*)"
    r"(?P<rows>(?:\n[^\n]*\|[^\n]*)*)"
)
_AFTER = lazy_regex(r"(?:[ \t]*\n){1,2}[ \t]*(?P<caption>(?:Table|Jadual|Figure|Rajah|表|图|図)[^\n|]*)(?=\n|$)")
_LABEL = lazy_regex(r"^\w+[ \t]*\d*[ \t]*[.:：]?[ \t]*")
_BLANK_LINE = lazy_regex(r"(?:[ \t]*\n){1,2}[ \t]+(?=\n|$)")
_IMAGE = lazy_regex(r"!\[(?P<words>[^\]\n]*)\]\((?P<address>[^)\s]*)[^)\n]*\)")
_CELL = lazy_regex(r"(?<!\\)\|")
_SYNTAX = lazy_regex(
    r"^\s*(?:[-*+•・]|\d{1,2}[.)])\s+(?=\S)|\]\((?:https?://|mailto:)[^)\s]*\)|(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)"
)
_LINK_START = lazy_regex(r"\[(?=[^\]\n]*\]\((?:https?://|mailto:))")


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """A table with the words of its header and rows. References up to `reference_end` are those of the whole table."""

    start: int
    end: int
    reference_end: int
    header: PlacedWords
    rows: tuple[PlacedWords, ...]
    caption: PlacedWords | None


def find_tables(text: str) -> list[MarkdownTable]:
    """The tables of a text whose markers are masked by spaces."""
    return [_table(text, match.start(), match.end()) for match in _TABLE.finditer(text) if "|" in match["rule"]]


def _table(text: str, start: int, end: int) -> MarkdownTable:
    header, _, *rows = list(_lines(text, start, end))
    after = _AFTER.match(text, end)
    caption = (plain_words(_LABEL.sub("", after["caption"]))[0], *after.span("caption")) if after else None
    # A line with nothing but markers is a line of spaces here.
    following = after or _BLANK_LINE.match(text, end)
    reference_end = following.end() if following else end
    return MarkdownTable(
        start=start,
        end=after.end() if after else end,
        reference_end=reference_end,
        header=_row(text, *header),
        rows=tuple(row for line in rows if (row := _row(text, *line))[0]),
        caption=caption,
    )


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for line in text[start:end].splitlines(keepends=True):
        yield start, start + len(line.rstrip("\n"))
        start += len(line)


def _row(text: str, start: int, end: int) -> PlacedWords:
    """The cells of a row, separated by commas."""
    cells = (plain_words(cell)[0] for cell in _CELL.split(text[start:end]))
    return ", ".join(cell for cell in cells if cell), start, end


def find_images(text: str) -> list[PlacedWords]:
    """The images of a text by their description, or by their address where they have none."""
    return [(plain_words(match["words"] or match["address"])[0], *match.span()) for match in _IMAGE.finditer(text)]


def plain_words(raw: str) -> tuple[str, list[int]]:
    """The words of a sentence without its list marker, emphasis, link addresses and extra space.

    Also the offset in `raw` of each character.
    """
    dropped = {
        at
        for pattern in (_SYNTAX, _LINK_START)
        for match in pattern.finditer(raw)
        for at in range(match.start(), match.end())
    }
    characters: list[str] = []
    positions: list[int] = []
    for at, character in enumerate(raw):
        if at in dropped:
            continue
        if not character.isspace():
            characters.append(character)
            positions.append(at)
        elif characters and characters[-1] != " ":
            characters.append(" ")
            positions.append(at)
    if characters and characters[-1] == " ":
        del characters[-1], positions[-1]
    return "".join(characters), positions
