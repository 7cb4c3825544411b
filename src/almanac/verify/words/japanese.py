"""Japanese content words: by Sudachi's normalized form and synonym groups, and by our own list of synonyms."""

from collections.abc import Iterator
from functools import cache
from threading import Lock
from typing import Protocol

from almanac.kit.lazy import lazy_module
from almanac.verify.word_lists import read_words
from almanac.verify.words.model import ContentWord
from almanac.verify.words.synonyms import synonym_groups

sudachipy = lazy_module("sudachipy")

_CONTENT = frozenset({"名詞", "動詞", "形容詞", "形状詞", "副詞", "代名詞"})
_IDLE_KINDS = frozenset({"非自立可能", "数詞", "助動詞語幹"})
# A tokenizer keeps state, so two threads must not use it at the same time.
_LOCK = Lock()


class Morpheme(Protocol):
    """What we use of Sudachi's morphemes."""

    def begin(self) -> int: ...

    def end(self) -> int: ...

    def surface(self) -> str: ...

    def normalized_form(self) -> str: ...

    def part_of_speech(self) -> tuple[str, ...]: ...

    def synonym_group_ids(self) -> list[int]: ...


class Tokenizer(Protocol):
    """What we use of Sudachi's tokenizer."""

    def tokenize(self, text: str) -> list[Morpheme]: ...


def content_words(text: str) -> Iterator[ContentWord]:
    """Nouns, verbs, adjectives and adverbs that say something."""
    with _LOCK:
        morphemes = [(each, each.part_of_speech()) for each in _tokenizer().tokenize(text)]
    for morpheme, kinds in morphemes:
        form = morpheme.normalized_form()
        if kinds[0] not in _CONTENT or _IDLE_KINDS & set(kinds) or form in read_words("fillers_ja.txt"):
            continue
        keys = frozenset({form, *(f"sudachi:{group}" for group in morpheme.synonym_group_ids())})
        keys |= synonym_groups(morpheme.surface(), form, "ja")
        yield ContentWord(morpheme.begin(), morpheme.end(), morpheme.surface(), keys, keys)


@cache
def _tokenizer() -> Tokenizer:
    tokenizer: Tokenizer = sudachipy.Dictionary(dict="core").tokenizer(mode=sudachipy.SplitMode.A)
    return tokenizer
