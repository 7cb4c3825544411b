"""Whether two key templates could ever produce the same key, decided by walking both at once over a small alphabet."""

from __future__ import annotations

import re
from itertools import product

from tablature.records import record

from .templates import Slot, Template

_ALWAYS = "09-:.TZ+eEaf_%ABF~"
_MOST_SPELLINGS = 64


@record
class Step:
    """One character from `chars`, or, when it repeats, one or more of them."""

    chars: frozenset[str]
    repeats: bool = False


def may_collide(left: Template, right: Template) -> bool:
    alphabet = frozenset(_ALWAYS) | frozenset(left.source) | frozenset(right.source)
    alphabet |= {char for t in (left, right) for slot in t.slots for choice in slot.choices for char in choice}
    return any(_meet(one, other) for one, other in product(_spellings(left, alphabet), _spellings(right, alphabet)))


def _spellings(template: Template, alphabet: frozenset[str]) -> list[tuple[Step, ...]]:
    """The template as steps; a slot with few choices is spelled out, once per choice."""
    found: list[tuple[Step, ...]] = [()]
    for part in template.parts:
        if not isinstance(part, Slot):
            options = [_literal(part.text)]
        elif part.choices and len(part.choices) * len(found) <= _MOST_SPELLINGS:
            options = [_literal(choice) for choice in part.choices]
        else:
            options = [_open(part, alphabet)]
        found = [head + tail for head in found for tail in options]
    return found


def _literal(text: str) -> tuple[Step, ...]:
    return tuple(Step(frozenset(char)) for char in text)


def _open(slot: Slot, alphabet: frozenset[str]) -> tuple[Step, ...]:
    width = re.fullmatch(r"\\d\{(\d+)\}", slot.format.regex)
    if width:
        return tuple(Step(frozenset("09")) for _ in range(int(width[1])))
    pattern = re.compile(slot.format.regex)
    if slot.format.is_raw or slot.kind_name == "str" or slot.choices:
        chars = frozenset(c for c in alphabet if slot.format.is_raw or c == "%" or pattern.fullmatch(c))
    else:
        chars = frozenset(_ALWAYS)
    return (Step(chars, repeats=True),)


def _meet(left: tuple[Step, ...], right: tuple[Step, ...]) -> bool:
    """Whether some text follows both lists of steps to their ends."""
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        i, j = todo.pop()
        if (i, j) in seen:
            continue
        seen.add((i, j))
        if i == len(left) and j == len(right):
            return True
        if i < len(left) and j < len(right) and left[i].chars & right[j].chars:
            todo += [(a, b) for a in _after(left, i) for b in _after(right, j)]
    return False


def _after(steps: tuple[Step, ...], at: int) -> tuple[int, ...]:
    return (at, at + 1) if steps[at].repeats else (at + 1,)
