"""Sentences with their exact position in the text, in English, Malay, Chinese and Japanese."""

import re
from bisect import bisect_left
from typing import NamedTuple

from almanac.language.abbreviations import (
    CALENDAR,
    MARKED_NAMES,
    NAMES_AFTER_A_MARK,
    STATES,
    Abbreviations,
    abbreviations_for,
)
from almanac.language.blocks import split_blocks
from almanac.language.scripts import is_cjk

_END = re.compile(r"(?P<stop>[.!?。！？｡．…‥]+)(?P<closers>[\"'”’»)\]）」』】》〉]*(?:\[\d{1,3}\])*)")
_BRACKET = re.compile(r"[「」『』（）()“”\"《》【】〔〕\[\]]")
_PARTNER = {"」": "「", "』": "『", "）": "（", ")": "(", "”": "“", "》": "《", "】": "【", "〕": "〔", "]": "["}
_OPENERS = frozenset(_PARTNER.values())
_LONGEST_ASIDE = 600
_DEEPEST_ASIDE = 12
_NON_SPACE = re.compile(r"\S")
_CONTEXT = 400
_WIDE_STOPS = frozenset("。！？｡")
_LAST_WORD = re.compile(r"[^\s(（“\"‘「『\[]*$")
_NEXT_WORD = re.compile(r"\s*([“\"‘'(\[«]*)([^\s]*)")
_INITIALS = re.compile(r"(?:[A-Z]\.-?)*[A-Z]")
_INITIAL = re.compile(r"(?:[A-Z]\.-?)+,?")
_LATIN_LETTER = re.compile(r"[A-Za-zＡ-Ｚａ-ｚ]")
_KATAKANA = re.compile(r"[ァ-ヶ]")
_CONTINUES_AFTER_DASH = re.compile(r"\s*[—–―-]+\s*[a-z]")
# No Japanese sentence begins with these particles: the stop before them is part of a name.
_NEVER_FIRST_JA = ("の", "を")
_AFTER_QUOTE_JA = tuple("とはがもをにでのなやかへよ、，。）」』,.")
_SPEECH = re.compile(
    r"(?:[^.!?。！？]|\b(?:Mr|Mrs|Ms|Dr|Prof|Sen|Rep)\.){0,60}?\b(?:said|says|asked|asks|told|added|wrote|replied|warned|explained|noted|argued|insisted|"
    r"kata|katanya|ujar|ujarnya|tegas|tegasnya|jelas|jelasnya|tambah|tambahnya|soal)\b"
)
_SPEECH_ZH = re.compile(r"[^。！？，：“]{0,20}(?:说|表示|指出|强调|称|道|问|認為|认为|回应|說|補充|补充)")


class TextSentence(NamedTuple):
    """One sentence: `text` is exactly the characters of the text from `start` to `end`."""

    text: str
    start: int
    end: int
    paragraph: int


def split_sentences(text: str, language: str | None = None) -> list[TextSentence]:
    """The sentences of a text in order. A heading, a list item and a speaker's label each count as one sentence.

    List markers and the white space between sentences belong to no sentence.
    """
    abbreviations = abbreviations_for(language)
    sentences: list[TextSentence] = []
    for block in split_blocks(text):
        inner = text[block.start : block.end]
        start = 0
        for end in [*_ends(inner, abbreviations), len(inner)]:
            piece = inner[start:end]
            lead = len(piece) - len(piece.lstrip())
            if stripped := piece.strip():
                begin = block.start + start + lead
                sentences.append(TextSentence(stripped, begin, begin + len(stripped), block.paragraph))
            start = end
    return sentences


def _ends(block: str, abbreviations: Abbreviations) -> list[int]:
    """The offsets in a block after which a new sentence begins."""
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
        if _ends_here(block, match, aside, ends[-1] if ends else 0, abbreviations):
            ends.append(match.end())
    return ends


def _asides(block: str) -> list[tuple[int, int]]:
    """The outermost quotations and brackets, unless too long to be part of one sentence."""
    stack: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
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
            while pairs and pairs[-1][0] > start:
                pairs.pop()
            pairs.append((start, at))
    return _outermost([(start, end) for start, end in pairs if end - start <= _LONGEST_ASIDE])


def _outermost(asides: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(asides):
        if not kept or start > kept[-1][1]:
            kept.append((start, end))
    return kept


def _ends_here(
    block: str, match: re.Match[str], aside: tuple[int, int] | None, sentence_start: int, abbreviations: Abbreviations
) -> bool:
    stop, closers = match["stop"], match["closers"]
    if aside and closers:
        return _quotation_ends(block, match, aside, sentence_start, abbreviations)
    before, after = block[match.start() - 1 : match.start()], block[match.end()]
    if not _WIDE_STOPS.isdisjoint(stop) or stop[0] == "．":
        return _wide_stop_ends(stop, before, after)
    if not after.isspace():
        return stop[-1] in "!?" and bool(before) and is_cjk(before) and is_cjk(after)
    opening, following = _next_word(block, match.end())
    in_spaced_ellipsis = before.isspace() and stop == "." and following == "."
    lower = not opening and following[:1].islower()
    if lower or in_spaced_ellipsis or _CONTINUES_AFTER_DASH.match(block, match.end()):
        return False
    if stop in "!?" and not closers:
        return not _is_marked_name(block, match.start(), sentence_start, following)
    return stop != "." or bool(closers) or _stop_ends(block, match.start(), sentence_start, following, abbreviations)


def _wide_stop_ends(stop: str, before: str, after: str) -> bool:
    if stop[0] == "．":
        return not (before.isdigit() and after.isdigit()) and not _LATIN_LETTER.match(before)
    in_name = bool(_LATIN_LETTER.match(before)) and bool(_KATAKANA.match(after))
    return not in_name and not after.startswith(_NEVER_FIRST_JA)


def _next_word(block: str, at: int) -> tuple[str, str]:
    match = _NEXT_WORD.match(block, at)
    assert match is not None
    return match[1], match[2]


def _last_word(block: str, at: int, sentence_start: int) -> str:
    last = _LAST_WORD.search(block, max(sentence_start, at - 40), at)
    return last[0] if last else ""


def _is_marked_name(block: str, at: int, sentence_start: int, following: str) -> bool:
    word = _last_word(block, at, sentence_start)
    return word.casefold() in MARKED_NAMES and (
        word[:1].isupper() and following.strip(',;:.!?"”’)').casefold() in NAMES_AFTER_A_MARK
    )


def _stop_ends(block: str, at: int, sentence_start: int, following: str, abbreviations: Abbreviations) -> bool:
    """Whether a full stop before white space ends the sentence, or belongs to an abbreviation."""
    word = _last_word(block, at, sentence_start)
    plain = following.strip(',;:.!?"”’)').casefold()
    opens = word.isdigit() and len(word) <= 3 and not block[sentence_start : at - len(word)].strip()
    if opens or (word.isdigit() and _is_ordinal(block, at - len(word), sentence_start, plain, abbreviations)):
        return False
    forms = {word.casefold(), word.casefold().rpartition("-")[2]}
    if forms & abbreviations.never or (forms & abbreviations.before_number and following[:1].isdigit()):
        return False
    if word in STATES and block[at - len(word) - 2 : at - len(word)] == ", ":
        return following[:1].isalpha() and block[at + 1 : at + 3] != " ("
    if forms & abbreviations.before_name or _INITIALS.fullmatch(word):
        return plain in abbreviations.openers and not _INITIAL.fullmatch(following)
    if forms & abbreviations.tail:
        return plain.partition("/")[0] not in CALENDAR and not _gives_time(block, at)
    return True


def _is_ordinal(block: str, at: int, sentence_start: int, following: str, abbreviations: Abbreviations) -> bool:
    """Whether a number with a stop is an ordinal, as in “am 4. Mai” and “die 3. Lesung”."""
    before = _last_word(block, at - 1, sentence_start).casefold() if at > sentence_start else ""
    return following in abbreviations.ordinal_nouns or before in abbreviations.ordinal_before


def _gives_time(block: str, at: int) -> bool:
    """Whether a bracket with a time follows, as in “8:51 p.m. (1451 GMT)”."""
    rest = block[at + 1 : at + 8].lstrip()
    return rest[:1] == "(" and rest[1:2].isdigit()


def _is_short_form(aside: str, abbreviations: Abbreviations) -> bool:
    """Whether a bracket holds nothing but an abbreviation, as in “(Minn.)” and “(R.J.)”."""
    inner = aside.strip("()[]").rstrip(".")
    return inner in STATES or inner.casefold() in abbreviations.never or bool(_INITIALS.fullmatch(inner))


def _quotation_ends(
    block: str, match: re.Match[str], aside: tuple[int, int], sentence_start: int, abbreviations: Abbreviations
) -> bool:
    """Whether a sentence ends with a quotation whose last words end with a stop."""
    # A block may be as long as a book, so only as much of it is copied as decides.
    rest = block[match.end() : match.end() + _CONTEXT]
    whole = _NON_SPACE.search(block, sentence_start, aside[0]) is None
    introduced = block[max(sentence_start, aside[0] - _CONTEXT) : aside[0]].rstrip()[-1:] in {"：", ":", "，", ","}
    if block[aside[0]] in "「『（《【〔":
        return not rest.startswith(_AFTER_QUOTE_JA) and (
            whole or introduced or rest[0].isspace() or block[aside[0]] == "（"
        )
    if not _WIDE_STOPS.isdisjoint(match["stop"]) or is_cjk(rest[0]):
        return not (whole and _SPEECH_ZH.match(rest)) and (whole or introduced) and rest[0] not in "，、的。"
    following = rest.lstrip()
    if not rest[0].isspace() or following[:1].islower() or _CONTINUES_AFTER_DASH.match(rest):
        return False
    if block[aside[0]] in "([":
        return not _is_short_form(block[aside[0] : aside[1] + 1], abbreviations)
    # A full stop before the speaker's name ends the sentence; a question mark may belong to the quotation alone.
    return match["stop"] == "." or not _SPEECH.match(rest)
