"""Checks whether two key templates could produce the same key, by matching both over a small alphabet."""

from __future__ import annotations

import re
from itertools import product

from tablature.records import record
from tablature.schema.templates import KeyTemplate, TemplateSlot

_ALWAYS = "09-:.TZ+eEaf_%ABF~"
_MAX_SPELLINGS = 64


@record
class CollisionStep:
    """One character from `chars`; one or more if it repeats."""

    chars: frozenset[str]
    repeats: bool = False


def may_collide(left: KeyTemplate, right: KeyTemplate) -> bool:
    alphabet = frozenset(_ALWAYS) | frozenset(left.source) | frozenset(right.source)
    alphabet |= {char for t in (left, right) for slot in t.slots for choice in slot.choices for char in choice}
    return any(
        _can_match_both(spelling, other)
        for spelling, other in product(_spellings(left, alphabet), _spellings(right, alphabet))
    )


def _spellings(template: KeyTemplate, alphabet: frozenset[str]) -> list[tuple[CollisionStep, ...]]:
    """The template as steps. A slot with few choices is expanded, once per choice."""
    spellings: list[tuple[CollisionStep, ...]] = [()]
    for part in template.parts:
        if not isinstance(part, TemplateSlot):
            options = [_literal(part.text)]
        elif part.choices and len(part.choices) * len(spellings) <= _MAX_SPELLINGS:
            options = [_literal(choice) for choice in part.choices]
        else:
            options = [_slot_step(part, alphabet)]
        spellings = [head + tail for head in spellings for tail in options]
    return spellings


def _literal(text: str) -> tuple[CollisionStep, ...]:
    return tuple(CollisionStep(frozenset(char)) for char in text)


def _slot_step(slot: TemplateSlot, alphabet: frozenset[str]) -> tuple[CollisionStep, ...]:
    width = re.fullmatch(r"\\d\{(\d+)\}", slot.format.regex)
    if width:
        return tuple(CollisionStep(frozenset("09")) for _ in range(int(width[1])))
    pattern = re.compile(slot.format.regex)
    if slot.format.is_raw or slot.kind_name == "str" or slot.choices:
        chars = frozenset(c for c in alphabet if slot.format.is_raw or c == "%" or pattern.fullmatch(c))
    else:
        chars = frozenset(_ALWAYS)
    return (CollisionStep(chars, repeats=True),)


def _can_match_both(left: tuple[CollisionStep, ...], right: tuple[CollisionStep, ...]) -> bool:
    """Whether some text matches both lists of steps completely."""
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
            todo += [(a, b) for a in _next_positions(left, i) for b in _next_positions(right, j)]
    return False


def _next_positions(steps: tuple[CollisionStep, ...], at: int) -> tuple[int, ...]:
    return (at, at + 1) if steps[at].repeats else (at + 1,)
