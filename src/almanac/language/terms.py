"""Words and terms of a text: content words for ranking, and folded, stemmed terms for the search index.

Index terms are the same for documents and queries. Chinese and Japanese have no spaces between words: runs of
characters stand for words, long ones as overlapping pairs.
"""

import re
import unicodedata
from functools import lru_cache
from threading import Lock
from typing import NamedTuple, Protocol

from almanac.kit.lazy import lazy_module
from almanac.language.detection import detect_language
from almanac.language.scripts import CJK, HAN, HANGUL, HIRAGANA, KATAKANA, MARKS, is_cjk
from almanac.language.spellings import fold_characters, fold_v_sound, spell_out_umlauts
from almanac.language.word_lists import word_list

_LATIN = rf"[^\W_{HAN}{HIRAGANA}{KATAKANA}{HANGUL}]+(?:[.,](?<=\d.)\d+|['’-][^\W\d_]+)*"
_WORD = re.compile(rf"[{HAN}]+|[{KATAKANA}]+|[{HANGUL}]+|{_LATIN}")
_HAN = re.compile(f"[{HAN}]")
_LONGEST_HAN_WORD = {"ja": 4, "zh": 2}
snowballstemmer = lazy_module("snowballstemmer")

_LONGEST_TERM = 64
_ACCENTED = rf"(?:[{MARKS}]+[^\W_{CJK}]*)*"
_TOKEN = re.compile(
    rf"(?P<cjk>[{CJK}]+)"
    rf"|[^\W_{CJK}]+{_ACCENTED}(?:[.,](?<=\d.)\d[^\W_{CJK}]*|['’][^\W\d_{CJK}]+{_ACCENTED})*"
)
# A kana with its voicing mark, a foreign sound of two kana, or the parts of a Korean syllable, composed or decomposed.
_CLUSTER = re.compile("(?s)ヴ[ァィェォ]|[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|.[\uff9e\uff9f\u3099\u309a]?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_STEMMED = re.compile("[a-z]{4,}")
# A stemmer keeps its current word as state, so two threads must not use one at the same time.
_STEMMER_LOCK = Lock()


def stopwords(language: str) -> frozenset[str]:
    """The stopwords of a language; empty for a language without a list."""
    return word_list(f"{language}.stopwords")


def content_words(text: str, language: str | None = None) -> list[str]:
    """The words of a text without stopwords, in order, lower case and normalized in width. Numbers count as words."""
    language = language or detect_language(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    stops = stopwords(language)
    words: list[str] = []
    for token in _WORD.findall(text.casefold().replace("’", "'")):
        if _HAN.match(token):
            words += _han_words(token, language, stops)
        elif token not in stops and (len(token) > 1 or token.isdigit()):
            words.append(token.removesuffix("'s"))
    return words


def _han_words(run: str, language: str, stops: frozenset[str]) -> list[str]:
    if language == "ja":
        return _whole_or_pairs(run, _LONGEST_HAN_WORD["ja"], stops)
    pieces = _between_single_stops(run, stops)
    return [word for piece in pieces for word in _whole_or_pairs(piece, _LONGEST_HAN_WORD["zh"], stops)]


def _between_single_stops(run: str, stops: frozenset[str]) -> list[str]:
    return "".join(" " if character in stops else character for character in run).split()


def _whole_or_pairs(run: str, longest: int, stops: frozenset[str]) -> list[str]:
    if run in stops or len(run) == 1:
        return []
    if len(run) <= longest:
        return [run]
    return [pair for pair in (run[i : i + 2] for i in range(len(run) - 1)) if pair not in stops]


class SnowballStemmer(Protocol):
    """The one method we use of snowballstemmer, which has no type stubs."""

    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


class IndexTerm(NamedTuple):
    """One indexed term: its position among the terms, and the characters of the text that it stands for."""

    text: str
    position: int
    start: int
    end: int

    @property
    def is_lone_character(self) -> bool:
        """Whether it is a single CJK character, which matches the beginning of a term instead of a whole term."""
        return len(self.text) == 1 and is_cjk(self.text)


def search_terms(text: str) -> list[IndexTerm]:
    """The terms of a query: words as stems, runs of CJK characters as overlapping pairs, a lone character as itself."""
    return _terms(text, closing=False)


def index_terms(text: str) -> list[IndexTerm]:
    """The terms of a document: as `search_terms`, plus the last character of each CJK run by itself, and words with an
    umlaut once more as they are spelled without it, at the same position.

    So every character begins some term, and a query of one character matches by prefix.
    """
    return _terms(text, closing=True)


def _terms(text: str, *, closing: bool) -> list[IndexTerm]:
    terms: list[IndexTerm] = []
    position = 0
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match["cjk"] is None:
            terms.append(IndexTerm(_normalize_token(match[0]), position, start, end))
            if closing and (spelled_out := spell_out_umlauts(match[0])):
                terms.append(IndexTerm(_normalize_token(spelled_out), position, start, end))
            position += 1
        else:
            pairs = _pairs(match[0], position, start, closing=closing)
            terms += pairs
            position = pairs[-1].position + 1
    return terms


def _pairs(run: str, position: int, offset: int, *, closing: bool) -> list[IndexTerm]:
    if "ヴ" not in run and unicodedata.is_normalized("NFKC", run):
        parts, ends = list(fold_characters(run)), list(range(1, len(run) + 1))
    else:
        clusters = list(_CLUSTER.finditer(run))
        parts = [fold_characters(fold_v_sound(unicodedata.normalize("NFKC", match[0]))) for match in clusters]
        ends = [match.end() for match in clusters]
    starts = [0, *ends[:-1]]
    last = len(parts) - 1
    pairs = [
        IndexTerm(parts[i] + parts[i + 1], position + i, offset + starts[i], offset + ends[i + 1]) for i in range(last)
    ]
    if closing or not pairs:
        pairs.append(IndexTerm(parts[last], position + last, offset + starts[last], offset + ends[last]))
    return pairs


@lru_cache(maxsize=20_000)
def _normalize_token(token: str) -> str:
    """One word normalized: folded, and its ending removed."""
    return stem(fold_word(token))[:_LONGEST_TERM]


@lru_cache(maxsize=20_000)
def fold_word(token: str) -> str:
    """One word in one spelling: width and case folded; accents and possessive removed."""
    if not token.isascii():
        token = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", token))
        token = "".join(c for c in token if not unicodedata.combining(c))
    token = token.casefold().removesuffix("'s").removesuffix("’s").replace("'", "").replace("’", "")
    if _GROUPED.fullmatch(token):
        token = token.replace(",", "")
    return token


@lru_cache(maxsize=10_000)
def stem(word: str) -> str:
    """The English stem of a lower-case word. Other languages are stemmed too, the same in documents and queries."""
    if not _STEMMED.fullmatch(word):
        return word
    with _STEMMER_LOCK:
        return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> SnowballStemmer:
    stemmer: SnowballStemmer = snowballstemmer.stemmer("english")
    return stemmer
