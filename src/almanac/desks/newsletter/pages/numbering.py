"""References by number where people read and write, in place of the long ids that are stored."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from almanac.desks.newsletter.model.newsletter import FullNewsletter

_MARKER = re.compile(r"\[@[^\]\[]*\]")
_ID = re.compile(r"@([^;,\s\]@]+)")


@dataclass(frozen=True, slots=True)
class Numbering:
    """Chunk ids, numbered from 1 in this order."""

    ids: tuple[str, ...]

    def shown(self, text: str) -> str:
        """The text with `[@3]` in place of `[@chunk-id]`; a reference that leads nowhere stays as it is."""
        numbers = {chunk: str(number) for number, chunk in enumerate(self.ids, 1)}
        return _in_markers(text, lambda name: numbers.get(name, name))

    def stored(self, text: str) -> str:
        """The text with the ids that the numbers stand for."""
        names = {str(number): chunk for number, chunk in enumerate(self.ids, 1)}
        return _in_markers(text, lambda name: names.get(name, name))


def numbering_of(full: FullNewsletter) -> Numbering:
    """What is cited first, in the order of the text, then every other source that may be cited."""
    texts = (section.text for section in full.draft.draft.sections)
    named = [name for text in texts for marker in _MARKER.findall(text) for name in _ID.findall(marker)]
    known = full.sources
    return Numbering(tuple(dict.fromkeys(name for name in (*named, *full.topics.included_ids) if name in known)))


def shown_lines(lines: Sequence[tuple[str, str]], numbering: Numbering) -> list[tuple[str, str]]:
    """The lines of a difference with short references; where nothing changed for long, only the edges."""
    near = {at + beside for at, (sign, _) in enumerate(lines) if sign != " " for beside in (-1, 0, 1)}
    shown: list[tuple[str, str]] = []
    for at, (sign, text) in enumerate(lines):
        if at in near:
            shown.append((sign, numbering.shown(text)))
        elif not shown or shown[-1] != (" ", "…"):
            shown.append((" ", "…"))
    return shown


def _in_markers(text: str, renamed: Callable[[str], str]) -> str:
    def marker(found: re.Match[str]) -> str:
        return _ID.sub(lambda one: f"@{renamed(one[1])}", found[0])

    return _MARKER.sub(marker, text)
