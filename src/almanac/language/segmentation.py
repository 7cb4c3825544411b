"""Sentences with their exact place in the text, in English, Malay, Chinese and Japanese."""

import re
from bisect import bisect_left
from typing import NamedTuple

from almanac.language.abbreviations import Abbreviations, abbreviations
from almanac.language.blocks import blocks
from almanac.language.scripts import is_cjk

_END = re.compile(r"(?P<stop>[.!?。！？｡．…‥]+)(?P<closers>[\"'”’»)\]）」』】》〉]*)")
_BRACKET = re.compile(r"[「」『』（）()“”\"《》【】〔〕\[\]]")
_PARTNER = {"」": "「", "』": "『", "）": "（", ")": "(", "”": "“", "》": "《", "】": "【", "〕": "〔", "]": "["}
_OPENERS = frozenset(_PARTNER.values())
_LONGEST_ASIDE = 600
_DEEPEST_ASIDE = 12
_INK = re.compile(r"\S")
_TELLING = 400
_WIDE_STOPS = frozenset("。！？｡")
_LAST_WORD = re.compile(r"[^\s(（“\"‘「『\[]*$")
_NEXT_WORD = re.compile(r"\s*([“\"‘'(\[«]*)([^\s]*)")
_INITIALS = re.compile(r"(?:[A-Z]\.)*[A-Z]")
_AFTER_QUOTE_JA = tuple("とはがもをにでのなやかへよ、，。）」』,.")
_SPEECH = re.compile(
    r"(?:[^.!?。！？]|\b(?:Mr|Mrs|Ms|Dr|Prof|Sen|Rep)\.){0,60}?\b(?:said|says|asked|asks|told|added|wrote|replied|warned|explained|noted|argued|insisted|"
    r"kata|katanya|ujar|ujarnya|tegas|tegasnya|jelas|jelasnya|tambah|tambahnya|soal)\b"
)
_SPEECH_ZH = re.compile(r"[^。！？，：“]{0,20}(?:说|表示|指出|强调|称|道|问|認為|认为|回应|說|補充|补充)")
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december gmt est edt utc myt sgt jst isnin selasa rabu khamis jumaat sabtu ahad".split()
)


class Sentence(NamedTuple):
    """One sentence: `text` is exactly what stands in the text from `start` to `end`."""

    text: str
    start: int
    end: int
    paragraph: int


def sentences(text: str, language: str | None = None) -> list[Sentence]:
    """The sentences of a text in order; a heading, an item of a list and the label of a speaker are one each.

    Marks of lists and the white space between sentences belong to none.
    """
    known = abbreviations(language)
    found: list[Sentence] = []
    for block in blocks(text):
        inner = text[block.start : block.end]
        start = 0
        for end in [*_ends(inner, known), len(inner)]:
            piece = inner[start:end]
            lead = len(piece) - len(piece.lstrip())
            if stripped := piece.strip():
                begin = block.start + start + lead
                found.append(Sentence(stripped, begin, begin + len(stripped), block.paragraph))
            start = end
    return found


def _ends(block: str, known: Abbreviations) -> list[int]:
    """The places in a block after which a new sentence begins."""
    asides = _asides(block)
    opens = [start for start, _ in asides]
    ends: list[int] = []
    for match in _END.finditer(block):
        if match.end() == len(block):
            break
        at = bisect_left(opens, match.start()) - 1
        aside = asides[at] if at >= 0 and asides[at][1] >= match.start() else None
        if aside and aside[1] >= match.end():
            continue
        if _ends_here(block, match, aside, ends[-1] if ends else 0, known):
            ends.append(match.end())
    return ends


def _asides(block: str) -> list[tuple[int, int]]:
    """The outermost quotations and brackets, unless too long to be part of one sentence."""
    stack: list[tuple[str, int]] = []
    found: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(block):
        mark, at = match[0], match.start()
        partner = _PARTNER.get(mark, '"')
        open_at = next((i for i in range(len(stack) - 1, -1, -1) if stack[i][0] == partner), None)
        if mark in _OPENERS or (mark == '"' and open_at is None):
            stack.append((mark, at))
            del stack[:-_DEEPEST_ASIDE]
        elif open_at is not None:
            start = stack[open_at][1]
            del stack[open_at:]
            while found and found[-1][0] > start:
                found.pop()
            found.append((start, at))
    return _outermost([(start, end) for start, end in found if end - start <= _LONGEST_ASIDE])


def _outermost(asides: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(asides):
        if not kept or start > kept[-1][1]:
            kept.append((start, end))
    return kept


def _ends_here(
    block: str, match: re.Match[str], aside: tuple[int, int] | None, begun: int, known: Abbreviations
) -> bool:
    stop, closers = match["stop"], match["closers"]
    if aside and closers:
        return _quotation_ends(block, match, aside, begun)
    if not _WIDE_STOPS.isdisjoint(stop):
        return True
    before, after = block[match.start() - 1 : match.start()], block[match.end()]
    if stop[0] == "．":
        return not (before.isdigit() and after.isdigit())
    if not after.isspace():
        return stop[-1] in "!?" and bool(before) and is_cjk(before) and is_cjk(after)
    opening, following = _next_word(block, match.end())
    if not opening and following[:1].islower():
        return False
    return stop != "." or bool(closers) or _stop_ends(block, match.start(), begun, following, known)


def _next_word(block: str, at: int) -> tuple[str, str]:
    found = _NEXT_WORD.match(block, at)
    assert found is not None
    return found[1], found[2]


def _stop_ends(block: str, at: int, begun: int, following: str, known: Abbreviations) -> bool:
    """Whether a full stop before white space ends the sentence, or belongs to an abbreviation."""
    last = _LAST_WORD.search(block, max(begun, at - 40), at)
    word = last[0] if last else ""
    lower, plain = word.casefold(), following.strip(',;:.!?"”’)').casefold()
    if word.isdigit() and len(word) <= 3 and not block[begun : at - len(word)].strip():
        return False
    if lower in known.never or (lower in known.before_number and following[:1].isdigit()):
        return False
    if lower in known.company or _INITIALS.fullmatch(word):
        return plain in known.openers
    if lower in known.tail:
        return plain not in _CALENDAR
    return True


def _quotation_ends(block: str, match: re.Match[str], aside: tuple[int, int], begun: int) -> bool:
    """Whether a sentence ends with the quotation whose last words end with a stop."""
    # A block may be as long as a book, so no more of it is copied than tells.
    rest = block[match.end() : match.end() + _TELLING]
    whole = _INK.search(block, begun, aside[0]) is None
    introduced = block[max(begun, aside[0] - _TELLING) : aside[0]].rstrip()[-1:] in {"：", ":", "，", ","}
    if block[aside[0]] in "「『（《【〔":
        return not rest.startswith(_AFTER_QUOTE_JA) and (
            whole or introduced or rest[0].isspace() or block[aside[0]] == "（"
        )
    if not _WIDE_STOPS.isdisjoint(match["stop"]) or is_cjk(rest[0]):
        return not (whole and _SPEECH_ZH.match(rest)) and (whole or introduced) and rest[0] not in "，、的。"
    if not rest[0].isspace() or rest.lstrip()[:1].islower():
        return False
    return not _SPEECH.match(rest) if block[aside[0]] not in "([" else True
