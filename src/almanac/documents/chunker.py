"""Blocks cut into pieces of whole sentences, at places that the text itself decides.

A piece ends where a heading begins, or once it is long enough and the next paragraph is one at which pieces begin;
whether it is depends on its words alone. So an edit moves the cuts near it and no others, and every passage beyond
keeps its words and with them its id.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from almanac.documents.model import TextBlock, TextChunk
from almanac.language.detection import detect_language
from almanac.language.segmentation import split_sentences

SHORT, LEAST, MOST = 60, 120, 250
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3]")
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_CJK_WEIGHT = 0.5
_TELLING = 12
# A run of characters without a single stop is no sentence; text like that is cut at spaces to stay readable.
_LONGEST = 6000
# What is longer is no heading, whatever a file calls it, and would be repeated with every piece below it.
_LONGEST_HEADING = 300


class _Unit(NamedTuple):
    """A paragraph, or a sentence of one that is too long; `follows` where it goes on in the same paragraph."""

    text: str
    weight: float
    heading: tuple[str, ...]
    page: int | None
    follows: bool = False


def word_weight(text: str) -> float:
    """How long a text is in words; two characters of Chinese or Japanese count as one."""
    cjk = len(_CJK.findall(text))
    return cjk * _CJK_WEIGHT + (len(_WORD.findall(_CJK.sub(" ", text))) if cjk < len(text) else 0)


def chunk_blocks(blocks: Sequence[TextBlock], language: str) -> list[TextChunk]:
    """The pieces of a document, in order."""
    pieces: list[TextChunk] = []
    waiting: list[_Unit] = []
    for section in _sections(_units(blocks, language)):
        groups = _groups(waiting + section)
        waiting = groups.pop() if groups and _weight(groups[-1]) < SHORT else []
        pieces += [_piece(group, language) for group in groups]
    if waiting:
        pieces.append(_piece(waiting, language))
    return pieces


def _units(blocks: Sequence[TextBlock], language: str) -> Iterator[_Unit]:
    path: list[TextBlock] = []
    written = 0
    for block in blocks:
        if block.level and len(block.text) <= _LONGEST_HEADING:
            if written < len(path) and block.level <= path[-1].level:
                yield _bare(path)
            path = [*(above for above in path if above.level < block.level), block]
            written = min(written, len(path) - 1)
        else:
            yield from _of_block(block, tuple(above.text for above in path), language)
            written = len(path)
    if written < len(path):
        yield _bare(path)


def _bare(path: Sequence[TextBlock]) -> _Unit:
    """A heading with nothing below it, which is text too: nobody else would tell it."""
    last = path[-1]
    return _Unit(last.text, _size(last.text), tuple(above.text for above in path[:-1]), last.page)


def _of_block(block: TextBlock, heading: tuple[str, ...], language: str) -> Iterator[_Unit]:
    if (size := _size(block.text)) <= MOST:
        yield _Unit(block.text, size, heading, block.page)
        return
    for number, text in enumerate(_sentences(block.text, language)):
        yield _Unit(text, _size(text), heading, block.page, follows=number > 0)


def _size(text: str) -> float:
    """Its words; signs and very long words that are hardly any weigh by their characters."""
    return max(word_weight(text), len(text) * MOST / _LONGEST)


def _sentences(text: str, language: str) -> Iterator[str]:
    for sentence in split_sentences(text, language):
        rest = sentence.text
        while len(rest) > _LONGEST:
            space = rest.rfind(" ", _LONGEST // 2, _LONGEST)
            at = space if space > 0 else _LONGEST
            yield rest[:at].strip()
            rest = rest[at:].strip()
        yield rest


def _sections(units: Iterator[_Unit]) -> Iterator[list[_Unit]]:
    section: list[_Unit] = []
    for unit in units:
        if section and unit.heading != section[-1].heading:
            yield section
            section = []
        section.append(unit)
    if section:
        yield section


def _groups(units: list[_Unit]) -> list[list[_Unit]]:
    """The units of a section in groups of a good length; a short rest joins the group before it if it fits."""
    groups: list[list[_Unit]] = []
    size = 0.0
    for unit in units:
        full = size + unit.weight > MOST or (size >= LEAST and _begins_pieces(unit))
        if not groups or full:
            groups.append([])
            size = 0.0
        groups[-1].append(unit)
        size += unit.weight
    if len(groups) > 1 and _weight(groups[-1]) < LEAST and _weight(groups[-2]) + _weight(groups[-1]) <= MOST:
        groups[-2:] = [groups[-2] + groups[-1]]
    return groups


def _begins_pieces(unit: _Unit) -> bool:
    return zlib.crc32(unit.text.encode()) % 2 == 0


def _weight(group: list[_Unit]) -> float:
    return sum(unit.weight for unit in group)


def _piece(group: list[_Unit], language: str) -> TextChunk:
    """Short sections that were put together keep their headings as lines; one section has them as its path."""
    shared = _shared([unit.heading for unit in group])
    several = any(unit.heading != group[0].heading for unit in group)
    text = ""
    heading = shared if several else group[0].heading
    for number, unit in enumerate(group):
        if several and (number == 0 or unit.heading != group[number - 1].heading):
            text += "".join(f"\n\n{line}" for line in unit.heading[len(shared) :])
        text += (_seam(text, unit.text) if unit.follows and number else "\n\n") + unit.text
    own = detect_language(text) if _weight(group) >= _TELLING else language
    return TextChunk(text.strip(), heading, group[0].page, own)


def _seam(before: str, after: str) -> str:
    return "" if _CJK.match(after[:1]) and not before[-1:].isascii() else " "


def _shared(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    shared = paths[0]
    for path in paths[1:]:
        while path[: len(shared)] != shared:
            shared = shared[:-1]
    return shared
