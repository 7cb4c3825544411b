"""Finds quotations and checks that the source contains them word for word.

Width, white space, case, punctuation and marked omissions (… or […]) don't count as changes.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import CJK
from almanac.verify.normalization import normalize_text, normalize_width

_PAIRS = lazy_regex(
    r"“(?P<curly>[^“”]+)”|「(?P<corner>[^「」]*(?:「[^「」]*」[^「」]*)*)」|『(?P<double>[^『』]+)』|«(?P<guillemets>[^«»]+)»"
    r"|《(?P<title>[^《》]+)》"
    r'|"(?P<straight>[^"]+)"|(?<!\w)‘(?P<single>[^‘]+?)’(?!\w)|(?<!\w)\'(?P<apostrophe>[^\'\n]{2,}?(?:\'\w[^\'\n]*?)*)\'(?!\w)'
)
_OMISSION = lazy_regex(r"\.{3,}|…+|・{3,}|\[[^\]]*\]|\([^)]*中略[^)]*\)|。{3,}")
_PUNCTUATION = lazy_regex(
    r"(?<![0-9])[.,](?![0-9])|(?<=[0-9])[.,](?![0-9])|(?<![0-9])[.,](?=[0-9])|[、,。!?;:\"'()「」『』“”‘’・*_-]"
)
_CJK_GAP = lazy_regex(rf"(?<=[{CJK}]) | (?=[{CJK}])")
_LATIN_WORD = lazy_regex(r"[^\W\d_]+")
_SHORTEST = 2
_LONG_TITLE = 5
_NEAR = 0.5


@dataclass(frozen=True, slots=True)
class Quotation:
    """Quoted words with their offsets, marks included; or the title of a work in 《》."""

    start: int
    end: int
    text: str
    is_title: bool = False


def find_quotations(sentence: str) -> list[Quotation]:
    """Find the quotations of a sentence; offsets refer to the width-normalized text."""
    text = normalize_width(sentence)
    quotations = [
        Quotation(*match.span(), next(group for group in match.groups() if group is not None), bool(match["title"]))
        for match in _PAIRS.finditer(text)
    ]
    return [quotation for quotation in quotations if len(as_quoted(quotation.text)) >= _SHORTEST]


def is_verbatim(quotation: Quotation, source: str, quotable: str) -> bool:
    """Whether the source contains each part of the quotation, in order; `quotable` is the source after `as_quoted`."""
    if quotation.is_title and len(quotation.text) < _LONG_TITLE and "《" in source:
        return f"《{quotation.text}》" in normalize_width(source)  # 《科学》 isn't in 科学院
    position = 0
    for part in _OMISSION.split(quotation.text):
        wanted = as_quoted(part)
        if not wanted:
            continue
        match = re.compile(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])").search(quotable, position)
        if match is None:
            return False
        position = match.end()
    return True


def is_name_of_work(quotation: Quotation) -> bool:
    """Whether every longer word is capitalized, as in the name of a film or a journal: nobody is quoted."""
    words = [word for word in _LATIN_WORD.findall(quotation.text) if len(word) > 3]
    return len(words) > 1 and all(word[0].isupper() for word in words)


def nearest_wording(quotation: Quotation, source: str) -> str | None:
    """The most similar quotation of the source; None where none is similar."""
    wanted = as_quoted(quotation.text)
    rated = [
        (SequenceMatcher(None, wanted, as_quoted(other.text), autojunk=False).ratio(), other.text)
        for other in find_quotations(source)
    ]
    best = max(rated, default=(0.0, ""))
    return best[1] if best[0] >= _NEAR else None


def as_quoted(text: str) -> str:
    """The text normalized for comparing quotations."""
    words = " ".join(_PUNCTUATION.sub(" ", normalize_text(text).casefold()).split())
    return _CJK_GAP.sub("", words)
