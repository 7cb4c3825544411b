"""The tags that an article may have, and which of them it gets by its words; rules may add others."""

from functools import cache

from almanac.articles.word_lists import WordFinder, data_lines

_FEWEST = 2
_MOST = 5
_READ = 12_000


@cache
def _lists() -> dict[str, list[str]]:
    return {name: words.split() for name, _, words in (line.partition(":") for line in data_lines("tags"))}


@cache
def _finder() -> WordFinder:
    return WordFinder(_lists())


@cache
def allowed_tags() -> tuple[str, ...]:
    """Every tag that is given without a rule."""
    return tuple(_lists())


def tags_of(title: str, text: str) -> tuple[str, ...]:
    """The tags whose words an article says at least twice, the most frequent first."""
    counts = _finder().count(title, text[:_READ])
    return tuple(name for name, times in counts.most_common(_MOST) if times >= _FEWEST)
