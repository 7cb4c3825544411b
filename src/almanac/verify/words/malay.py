"""Malay and Indonesian content words: by root, and by our own list of synonyms."""

from collections.abc import Iterator
from functools import cache, lru_cache

from almanac.kit.lazy import lazy_regex
from almanac.language.terms import stopwords
from almanac.verify.names.latin import latin_words
from almanac.verify.sources import stem_word
from almanac.verify.word_lists import read_words
from almanac.verify.words.model import ContentWord
from almanac.verify.words.synonyms import synonym_groups

_MIN_ROOT = 3
_LIGHT, _ORDINARY = 2, 4
_ENDING = lazy_regex("(?:lah|kah|tah|pun|nya|ku|mu)$")
_SUFFIXES = ("kan", "an", "i")
# The nasal of meng- and peng- replaces the first letter of most roots: menyokong is meN- and sokong.
_NASALS = (
    ("memper", ""),
    ("mempel", ""),
    ("menge", ""),
    ("meny", "s"),
    ("meng", ""),
    ("meng", "k"),
    ("mem", ""),
    ("mem", "p"),
    ("men", ""),
    ("men", "t"),
    ("me", ""),
)
# Words that mean something else than their root: meninggal is to die, tinggal is to live somewhere.
_WHOLE = frozenset("meninggal meninggalkan ditinggalkan peninggalan mengaku penilaian berhasil".split())
_NOT = frozenset({"tidak", "tak"})
_DENIED = {
    "diterima": "ditolak",
    "menerima": "menolak",
    "dibenarkan": "dilarang",
    "membenarkan": "melarang",
    "diluluskan": "ditolak",
    "bersetuju": "menentang",
    "berjaya": "gagal",
}
_PREFIXES = (
    *_NASALS,
    *((f"p{prefix[1:]}", letter) for prefix, letter in _NASALS),
    *((prefix, "") for prefix in "pel per pe keber kese ke diper dipel di ber bel be ter te se".split()),
)


def content_words(text: str) -> Iterator[ContentWord]:
    """The words of several letters; function words and fillers have no keys, but carry others."""
    before = ""
    for word in latin_words(text):
        if len(word.key) > 1:
            keys = _keys(word.key)
            if before in _NOT and word.key in _DENIED:
                keys |= _keys(_DENIED[word.key])
            before = word.key
            needed = frozenset[str]() if _is_idle(word.key) else keys
            yield ContentWord(
                word.start, word.end, word.text, needed, keys, _is_light(word.key), _spared_beside(word.key)
            )


@lru_cache(maxsize=8192)
def _is_idle(word: str) -> bool:
    forms = {word, _ENDING.sub("", word)}
    return any(form in stopwords("ms") or form in read_words("fillers_ms.txt") for form in forms)


def _is_light(word: str) -> bool:
    return word in read_words("light_ms.txt") or _ENDING.sub("", word) in read_words("light_ms.txt")


@lru_cache(maxsize=8192)
def _spared_beside(word: str) -> int:
    """0 for weighty words and all that are put for them."""
    if _is_light(word):
        return _LIGHT
    return 0 if _keys(word) & _weighty_keys() else _ORDINARY


@cache
def _weighty_keys() -> frozenset[str]:
    return frozenset[str]().union(*(_keys(word) for word in read_words("weighty_ms.txt")))


@lru_cache(maxsize=8192)
def _keys(word: str) -> frozenset[str]:
    return roots(word).union(*(synonym_groups(each, each, "ms") for each in roots(word)))


@lru_cache(maxsize=8192)
def roots(word: str) -> frozenset[str]:
    """The roots that the affixes allow."""
    if word in _WHOLE:
        return frozenset({word})
    return frozenset({word, stem_word(word)}) | _possible_roots(word)


def _possible_roots(word: str) -> set[str]:
    bare = {word, _ENDING.sub("", word)}
    bare |= {each.removesuffix(suffix) for each in bare for suffix in _SUFFIXES}
    stripped = {
        letter + each.removeprefix(prefix)
        for each in bare
        for prefix, letter in _PREFIXES
        if each.startswith(prefix) and len(each) - len(prefix) >= _MIN_ROOT
    }
    return {each for each in bare | stripped if len(each) > _MIN_ROOT}
