"""Sentences with their exact position in the text, in English, Malay, Chinese and Japanese."""

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from almanac.language.blocks import split_blocks
from almanac.language.scripts import is_cjk

_END = re.compile(r"(?P<stop>[.!?。！？｡．…‥]+)(?P<closers>[\"'”’»)\]）」』】》〉]*)")
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


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """Words whose full stop may not end the sentence.

    A stop after `never` doesn't end one, after `before_number` only if no digit follows, after `company` only if one of
    `openers` follows, after `tail` unless a weekday, month or time zone follows.
    """

    never: frozenset[str]
    before_number: frozenset[str]
    company: frozenset[str]
    tail: frozenset[str]
    openers: frozenset[str]


_ENGLISH = Abbreviations(
    never=frozenset(
        "mr mrs ms mx dr drs prof sen rep gen lt col maj capt cpl sgt adm cmdr brig insp supt st ste hon rev fr "
        "msgr gov pres sec treas amb atty messrs mmes e.g i.e cf vs v viz al et ca approx est esp incl ave blvd mt "
        "ft dept univ assn bros ph.d".split()
    ),
    before_number=frozenset(
        "no nos p pp vol vols fig figs art arts sec s ss para paras ch chap eq ed app cl reg rs tel ext jan feb "
        "mar apr jun jul aug sep sept oct nov dec c".split()
    ),
    company=frozenset("inc ltd co corp plc llc pte pty bhd sdn jr sr u.s u.k u.n e.u d.c u.s.a".split()),
    tail=frozenset("etc p.m a.m b.c a.d ph.d m.d b.a m.a".split()),
    openers=frozenset(
        "the a an this that these those it its he she they we i you his her their our my there here in on at by "
        "for from with as if when while after before but and so however although though despite since because both "
        "each many some most all no not one two another other last next earlier later meanwhile under according "
        "what who how why".split()
    ),
)
_MALAY = Abbreviations(
    never=frozenset(
        "dr prof ir en pn cik tn hj hjh yb yab yam yang.bhg y.b y.a.b y.bhg m/s jln kg tmn lrg bt sg sdn us a.s "
        "s.a.w s.w.t".split()
    ),
    before_number=frozenset("no hlm ms bil jil fasal sek bab muka tel per ogos".split()),
    company=frozenset("bhd".split()),
    tail=frozenset("dll dsb dst dsbnya cth".split()),
    openers=frozenset(
        "beliau mereka ini itu kerajaan menteri syarikat menurut namun dalam pada bagi selain sementara selepas "
        "sebelum kami kita saya ia dia katanya tetapi jika walaupun bagaimanapun turut semua setiap ketika sejak "
        "untuk dengan antara para oleh hasil berikutan jumlah harga pihak perkara".split()
    ),
)


@lru_cache(maxsize=8)
def abbreviations_for(language: str | None) -> Abbreviations:
    """The abbreviations of a language; any language other than English may use the English and the Malay ones."""
    if language == "en":
        return _ENGLISH
    return Abbreviations(
        never=_ENGLISH.never | _MALAY.never,
        before_number=_ENGLISH.before_number | _MALAY.before_number,
        company=_ENGLISH.company | _MALAY.company,
        tail=_ENGLISH.tail | _MALAY.tail,
        openers=_ENGLISH.openers | _MALAY.openers,
    )


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
        return _quotation_ends(block, match, aside, sentence_start)
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
    return stop != "." or bool(closers) or _stop_ends(block, match.start(), sentence_start, following, abbreviations)


def _next_word(block: str, at: int) -> tuple[str, str]:
    match = _NEXT_WORD.match(block, at)
    assert match is not None
    return match[1], match[2]


def _stop_ends(block: str, at: int, sentence_start: int, following: str, abbreviations: Abbreviations) -> bool:
    """Whether a full stop before white space ends the sentence, or belongs to an abbreviation."""
    last = _LAST_WORD.search(block, max(sentence_start, at - 40), at)
    word = last[0] if last else ""
    lower, plain = word.casefold(), following.strip(',;:.!?"”’)').casefold()
    if word.isdigit() and len(word) <= 3 and not block[sentence_start : at - len(word)].strip():
        return False
    if lower in abbreviations.never or (lower in abbreviations.before_number and following[:1].isdigit()):
        return False
    if lower in abbreviations.company or _INITIALS.fullmatch(word):
        return plain in abbreviations.openers
    if lower in abbreviations.tail:
        return plain not in _CALENDAR
    return True


def _quotation_ends(block: str, match: re.Match[str], aside: tuple[int, int], sentence_start: int) -> bool:
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
    if not rest[0].isspace() or rest.lstrip()[:1].islower():
        return False
    return not _SPEECH.match(rest) if block[aside[0]] not in "([" else True
