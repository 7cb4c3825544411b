"""Our own lists of synonyms: words that a summary puts for one another without changing what is said."""

from collections.abc import Hashable, Iterable, Iterator
from functools import cache
from typing import TypeVar

from almanac.verify.word_lists import read_lines

_Form = TypeVar("_Form", bound=Hashable)


def synonym_groups(word: str, root: str, language: str) -> frozenset[str]:
    """The names of the groups that a word or its root belongs to; empty for most words."""
    groups = _groups(language)
    return groups.get(word, frozenset()) | groups.get(root, frozenset())


def listed_synonyms(language: str) -> Iterator[tuple[str, str]]:
    """Each entry of a language's list, with the name of its group; a line of the list is a group."""
    for number, line in enumerate(read_lines(f"synonyms_{language}.txt")):
        yield from ((entry, f"{language}:{number}") for entry in line.split())


def groups_by_form(listed: Iterable[tuple[_Form, str]]) -> dict[_Form, frozenset[str]]:
    """The names of all groups of each form."""
    groups: dict[_Form, frozenset[str]] = {}
    for form, name in listed:
        groups[form] = groups.get(form, frozenset()) | {name}
    return groups


@cache
def _groups(language: str) -> dict[str, frozenset[str]]:
    return groups_by_form(listed_synonyms(language))
