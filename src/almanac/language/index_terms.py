"""Text as the search index sees it: folded, stemmed terms with their place, alike for documents and for queries.

What a query means is left to `search`.
"""

import re
import unicodedata
from functools import lru_cache
from threading import Lock
from typing import NamedTuple, Protocol

from almanac.kit.lazy import lazy_module
from almanac.language.scripts import CJK, MARKS, is_cjk

snowballstemmer = lazy_module("snowballstemmer")

_LONGEST_TERM = 64
_ACCENTED = rf"(?:[{MARKS}]+[^\W_{CJK}]*)*"
_TOKEN = re.compile(
    rf"(?P<cjk>[{CJK}]+)"
    rf"|[^\W_{CJK}]+{_ACCENTED}(?:[.,](?<=\d.)\d[^\W_{CJK}]*|['’][^\W\d_{CJK}]+{_ACCENTED})*"
)
# A kana with its sign, or the parts of a Korean syllable, however they are stored.
_CLUSTER = re.compile("(?s)[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|.[\uff9e\uff9f\u3099\u309a]?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_STEMMED = re.compile("[a-z]{4,}")
# A stemmer keeps the word that it works on in itself, so two threads must not share one at the same time.
_STEMMER_LOCK = Lock()


class Stemmer(Protocol):
    """The one method used of snowballstemmer, which has no types of its own."""

    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


class Term(NamedTuple):
    """One indexed term: its place in the order of terms, and the part of the text that it stands for."""

    text: str
    position: int
    start: int
    end: int

    @property
    def is_lone_character(self) -> bool:
        """A single character of Chinese, Japanese or Korean: it is found as the beginning of a term, not as a whole."""
        return len(self.text) == 1 and is_cjk(self.text)


def search_terms(text: str) -> list[Term]:
    """The terms of a query: words as stems, runs of CJK characters as overlapping pairs, a lone one as itself."""
    return _terms(text, closing=False)


def index_terms(text: str) -> list[Term]:
    """The terms of a document: as `search_terms`, and the last character of each CJK run by itself.

    So every character begins some term, and a query of one character finds it by that beginning.
    """
    return _terms(text, closing=True)


def _terms(text: str, *, closing: bool) -> list[Term]:
    terms: list[Term] = []
    position = 0
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match["cjk"] is None:
            terms.append(Term(_folded(match[0]), position, start, end))
            position += 1
        else:
            pairs = _pairs(match[0], position, start, closing=closing)
            terms += pairs
            position = pairs[-1].position + 1
    return terms


def _pairs(run: str, position: int, offset: int, *, closing: bool) -> list[Term]:
    if unicodedata.is_normalized("NFKC", run):
        parts, ends = list(run), list(range(1, len(run) + 1))
    else:
        clusters = list(_CLUSTER.finditer(run))
        parts = [unicodedata.normalize("NFKC", match[0]) for match in clusters]
        ends = [match.end() for match in clusters]
    starts = [0, *ends[:-1]]
    last = len(parts) - 1
    pairs = [Term(parts[i] + parts[i + 1], position + i, offset + starts[i], offset + ends[i + 1]) for i in range(last)]
    if closing or not pairs:
        pairs.append(Term(parts[last], position + last, offset + starts[last], offset + ends[last]))
    return pairs


@lru_cache(maxsize=20_000)
def _folded(token: str) -> str:
    """One word in the form in which alike words meet: width, case, accents, possessive and ending taken off."""
    if not token.isascii():
        token = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", token))
        token = "".join(c for c in token if not unicodedata.combining(c))
    token = token.casefold().removesuffix("'s").removesuffix("’s").replace("'", "").replace("’", "")
    if _GROUPED.fullmatch(token):
        token = token.replace(",", "")
    return stem(token)[:_LONGEST_TERM]


@lru_cache(maxsize=10_000)
def stem(word: str) -> str:
    """The English stem of a lower-case word. Words of other languages pass too: alike in documents and in queries."""
    if not _STEMMED.fullmatch(word):
        return word
    with _STEMMER_LOCK:
        return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> "Stemmer":
    stemmer: Stemmer = snowballstemmer.stemmer("english")
    return stemmer
