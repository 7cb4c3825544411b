"""What differs between two revisions, section by section and line by line, as pages show it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from almanac.kit.differences import Signed, differing

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?:\[@[^\]]*\])*\s*|\n+")


@dataclass(frozen=True, slots=True)
class SectionDifference:
    """The lines of one section, each with a sign: added, removed or the same."""

    key: str
    name: str
    lines: Signed

    @property
    def is_changed(self) -> bool:
        return any(sign != " " for sign, _ in self.lines)


def difference(old: Mapping[str, str], new: Mapping[str, str], names: Mapping[str, str]) -> list[SectionDifference]:
    """Every section of either text, in the order of the new one, then what only the old one had."""
    keys = [*new, *(key for key in old if key not in new)]
    return [
        SectionDifference(
            key, names.get(key, key), differing(_sentences(old.get(key, "")), _sentences(new.get(key, "")))
        )
        for key in keys
    ]


def _sentences(text: str) -> list[str]:
    """Sentences with their markers: a change is shown where it is, not by the paragraph."""
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    pieces = (text[start:end].strip() for start, end in pairwise(ends))
    return [piece for piece in pieces if piece]
