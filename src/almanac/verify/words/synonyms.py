"""Our own lists of synonyms: words that a summary puts for one another without changing what is said."""

from functools import cache

from almanac.verify.word_lists import read_lines


def synonym_groups(word: str, root: str, language: str) -> frozenset[str]:
    """The names of the groups that a word or its root belongs to; empty for most words."""
    groups = _groups(language)
    return groups.get(word, frozenset()) | groups.get(root, frozenset())


@cache
def _groups(language: str) -> dict[str, frozenset[str]]:
    """Group names by word; a line of the list is a group."""
    groups: dict[str, frozenset[str]] = {}
    for number, line in enumerate(read_lines(f"synonyms_{language}.txt")):
        for word in line.split():
            groups[word] = groups.get(word, frozenset()) | {f"{language}:{number}"}
    return groups
