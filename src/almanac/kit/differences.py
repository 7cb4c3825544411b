"""Two texts in pieces, as one list in which each piece is added, removed or the same; what a piece is, callers know."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

Sign = Literal["+", "-", " "]
Signed = tuple[tuple[Sign, str], ...]


def differing(before: Sequence[str], after: Sequence[str]) -> Signed:
    """Every piece of either text, in order; what was removed comes before what took its place."""
    pieces: list[tuple[Sign, str]] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces += [(" ", text) for text in before[a:b]]
            continue
        pieces += [("-", text) for text in before[a:b]]
        pieces += [("+", text) for text in after[c:d]]
    return tuple(pieces)
