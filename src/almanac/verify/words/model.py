"""A content word."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A word with its offsets.

    As a word of a claim it is carried where a source has one of its `keys`: its base form, a synonym, an abbreviation.
    A filler has none and needs no cover.
    As a word of a source it carries `carries`: its own keys, and those of more general words, since a source that says
    "lorry" carries "vehicle", but not the other way round.
    A light word, such as "sector", needs no cover beside enough words that have it. Another one needs none beside
    `spared_beside` carried words, names and figures; 0 is for words that always need it.
    """

    start: int
    end: int
    text: str
    keys: frozenset[str]
    carries: frozenset[str]
    is_light: bool = False
    spared_beside: int = 0
