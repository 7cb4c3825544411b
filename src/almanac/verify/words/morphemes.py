"""Japanese morphemes: what Sudachi reads in a sentence, with the parts of compounds. Cached by text."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Protocol

from almanac.kit.lazy import lazy_module

sudachipy = lazy_module("sudachipy")

_CACHED_TEXTS = 2048
# A tokenizer keeps state, so two threads must not use it at the same time.
_LOCK = Lock()


class SudachiMorpheme(Protocol):
    """What we use of Sudachi's morphemes."""

    def begin(self) -> int: ...

    def end(self) -> int: ...

    def surface(self) -> str: ...

    def normalized_form(self) -> str: ...

    def part_of_speech(self) -> tuple[str, ...]: ...

    def synonym_group_ids(self) -> list[int]: ...

    def is_oov(self) -> bool: ...

    def split(self, mode: object, *, add_single: bool) -> Iterable["SudachiMorpheme"]: ...


class Tokenizer(Protocol):
    """What we use of Sudachi's tokenizer."""

    def tokenize(self, text: str) -> Iterable[SudachiMorpheme]: ...


@dataclass(frozen=True, slots=True)
class Morpheme:
    """A word as Sudachi reads it.

    `form` is its base form in the usual spelling; `kinds` are its part of speech and the subclasses of that; `groups`
    are Sudachi's synonym groups; `parts` are the shortest words of a compound, empty for others.
    """

    start: int
    end: int
    surface: str
    form: str
    kinds: tuple[str, ...]
    groups: tuple[int, ...]
    is_listed: bool
    parts: tuple["Morpheme", ...] = ()

    @property
    def kind(self) -> str:
        """The part of speech."""
        return self.kinds[0]

    @property
    def inflection(self) -> str:
        """The inflected form, such as 連用形-一般; `*` for words without inflection."""
        return self.kinds[5]


@lru_cache(maxsize=_CACHED_TEXTS)
def read_morphemes(text: str) -> tuple[Morpheme, ...]:
    """The words of a text in order, compounds as one word."""
    with _LOCK:
        return tuple(_read(each, with_parts=True) for each in _tokenizer().tokenize(text))


def _read(morpheme: SudachiMorpheme, *, with_parts: bool) -> Morpheme:
    parts: tuple[Morpheme, ...] = ()
    if with_parts:
        shortest = morpheme.split(sudachipy.SplitMode.A, add_single=False)
        parts = tuple(_read(part, with_parts=False) for part in shortest)
    return Morpheme(
        morpheme.begin(),
        morpheme.end(),
        morpheme.surface(),
        morpheme.normalized_form(),
        morpheme.part_of_speech(),
        tuple(morpheme.synonym_group_ids()),
        not morpheme.is_oov(),
        parts,
    )


@cache
def _tokenizer() -> Tokenizer:
    tokenizer: Tokenizer = sudachipy.Dictionary(dict="core").tokenizer(mode=sudachipy.SplitMode.C)
    return tokenizer
