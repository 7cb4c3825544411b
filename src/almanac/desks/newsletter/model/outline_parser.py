"""Parses a pasted outline: Markdown headings and lists, numbered lines, or indented plain lines."""

import re
from dataclasses import dataclass, field

from almanac.desks.newsletter.model.outline import (
    MAX_DESCRIPTION_LENGTH,
    MAX_ITEMS,
    MAX_NAME_LENGTH,
    MAX_SECTIONS,
    MAX_TITLE_LENGTH,
    NewsletterOutlineSection,
    SectionItem,
)
from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.kit.text import one_line, shorten

_TAB = 4
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_BULLET = re.compile(r"(?:[-*+•–—‣⁃·∙o]\s+|[・◦●○■□▪▫◆◇▶►]\s*)(.*)")
_LEVELS = re.compile(r"(\d+(?:\.\d+)+)[.)]?\s+(.+)")
_NUMBERED = re.compile(
    r"(?:\d+|[A-Za-z]|[ivxIVX]+)(?:[.)]\s+|[、．）]\s*)(.+)|[一二三四五六七八九十]+[、．.）]\s*(.+)"
    r"|[（(](?:\d+|[A-Za-z]|[ivxIVX]+|[一二三四五六七八九十]+)[)）]\s*(.+)|[①-⑳]\s*(.+)"
)
# A word processor puts a tab between the number and the words.
_TABBED = re.compile(r"(\s*\d+)\t+(?=\S)")
_CHECKBOX = re.compile(r"\[[ xX]\]\s+")
_EMPHASIS = re.compile(r"(\*\*|__|\*|_|`)(?=\S)(.+?)(?<=\S)\1")


@dataclass(slots=True)
class _OutlineLine:
    """A non-empty line: its depth, text and kind."""

    depth: int
    text: str
    is_heading: bool
    is_listed: bool


@dataclass(slots=True)
class _ParsedSection:
    """A section while it is parsed; `depth` is that of its last item."""

    name: str
    items: list[list[str]] = field(default_factory=list)
    depth: int = 0


def parse_outline(text: str) -> tuple[NewsletterOutlineSection, ...]:
    """Sections and items without ids. Raises InputError if there are none, or too many."""
    lines = [line for raw in text.splitlines() if (line := _parse_line(raw)) is not None]
    if not lines:
        raise InputError(gettext("This text has no outline; write each section on a line with its items below it."))
    drafts = _group_sections(_without_title(lines))
    if len(drafts) > MAX_SECTIONS or any(len(draft.items) > MAX_ITEMS for draft in drafts):
        raise InputError(
            gettext(
                "An outline has at most %(sections)s sections of %(items)s items; paste fewer.",
                sections=MAX_SECTIONS,
                items=MAX_ITEMS,
            )
        )
    return tuple(
        NewsletterOutlineSection(id="", name=draft.name, items=tuple(map(_to_item, draft.items))) for draft in drafts
    )


def _parse_line(raw: str) -> _OutlineLine | None:
    expanded = _TABBED.sub(r"\1. ", raw, count=1).expandtabs(_TAB)
    text = one_line(expanded)
    if not text or set(text) <= set("-=_*") or text.startswith("```"):
        return None
    line = _classify_line(text, len(expanded) - len(expanded.lstrip()))
    return line if line.text else None


def _classify_line(text: str, indent: int) -> _OutlineLine:
    if heading := _HEADING.match(text):
        return _OutlineLine(len(heading[1]), _strip_emphasis(heading[2]), is_heading=True, is_listed=False)
    if bullet := _BULLET.match(text):
        return _OutlineLine(indent, _strip_emphasis(bullet[1]), is_heading=False, is_listed=True)
    if levels := _LEVELS.match(text):
        deeper = indent + _TAB * levels[1].count(".")
        return _OutlineLine(deeper, _strip_emphasis(levels[2]), is_heading=False, is_listed=True)
    if numbered := _NUMBERED.match(text):
        words = next(filter(None, numbered.groups()))
        return _OutlineLine(indent, _strip_emphasis(words), is_heading=False, is_listed=True)
    return _OutlineLine(indent, _strip_emphasis(text), is_heading=False, is_listed=False)


def _strip_emphasis(text: str) -> str:
    """Remove check boxes, emphasis and a trailing colon."""
    text = _CHECKBOX.sub("", text, count=1)
    previous = None
    while previous != text:
        previous, text = text, _EMPHASIS.sub(r"\2", text)
    return one_line(text).rstrip(":：").strip() or one_line(text)


def _without_title(lines: list[_OutlineLine]) -> list[_OutlineLine]:
    """Drop a single top heading above other headings; it is the title of the outline."""
    headings = [line for line in lines if line.is_heading]
    top = min((line.depth for line in headings), default=0)
    is_title = lines[0].is_heading and len(headings) > 1 and [h.depth for h in headings].count(top) == 1
    return lines[1:] if is_title and lines[0].depth == top else lines


def _group_sections(lines: list[_OutlineLine]) -> list[_ParsedSection]:
    """Top headings start sections; without headings, the least indented lines do."""
    has_headings = any(line.is_heading for line in lines)
    top = min(line.depth for line in lines if line.is_heading == has_headings)
    drafts: list[_ParsedSection] = []
    for line in lines:
        begins = (
            line.is_heading == has_headings
            and line.depth == top
            and (has_headings or not _belongs_to_previous(line, lines))
        )
        if begins or not drafts:
            drafts.append(_ParsedSection(shorten(line.text, MAX_NAME_LENGTH)))
        else:
            _add_line(drafts[-1], line)
    return drafts


def _belongs_to_previous(line: _OutlineLine, lines: list[_OutlineLine]) -> bool:
    """Without headings and indentation, list items belong to the plain line before them."""
    flat = len({other.depth for other in lines}) == 1
    return flat and line.is_listed and any(not other.is_listed for other in lines)


def _add_line(draft: _ParsedSection, line: _OutlineLine) -> None:
    """A line is a new item, unless it is plain text indented below an item; then it describes that item."""
    if line.is_listed or line.is_heading or not draft.items or line.depth <= draft.depth:
        draft.items.append([line.text])
        draft.depth = 0 if line.is_heading else line.depth
    else:
        draft.items[-1].append(line.text)


def _to_item(words: list[str]) -> SectionItem:
    title, *rest = words
    head, _, tail = title.partition(": ")
    if tail and len(title) > MAX_TITLE_LENGTH:
        title, rest = head, [tail, *rest]
    return SectionItem(
        id="",
        title=shorten(title, MAX_TITLE_LENGTH),
        description=shorten(" ".join(rest), MAX_DESCRIPTION_LENGTH),
        source="custom",
    )
