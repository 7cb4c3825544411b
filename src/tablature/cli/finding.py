"""Finding a pattern by the name a person types, and reading inputs for it from text."""

from typing import Any

from tablature.design.module import Design
from tablature.errors import InputError
from tablature.lint.parts import kind_in
from tablature.schema.kinds import Kind
from tablature.schema.model import PatternSchema
from tablature.schema.patterns import at_least, at_most, between, starting_with

_SPAN, _REST = "..", "*"


def find_pattern(design: Design, name: str) -> PatternSchema:
    """The pattern with this name; its entity's name may be left out where that is clear."""
    known = {pattern.name: pattern for pattern in design.patterns}
    found = [pattern for full, pattern in known.items() if name in (full, full.partition(".")[2])]
    if len(found) == 1:
        return found[0]
    names = ", ".join(pattern.name for pattern in found or known.values()) or "none"
    problem = f"{name!r} is the name of several patterns" if found else f"There is no pattern {name!r}"
    raise InputError(f"{problem}; choose among {names}.")


def read_inputs(pattern: PatternSchema, texts: dict[str, str]) -> dict[str, Any]:
    """Inputs from text: a value, a span `low..high` with either end open, or a beginning `abc*`."""
    allowed = (*pattern.needed, *pattern.optional)
    for name in texts:
        if name not in allowed:
            raise InputError(f"{pattern.name} has no input {name!r}; it has {', '.join(allowed) or 'none'}.")
    return {name: _input(name, kind_in(pattern.entity, pattern.path, name), text) for name, text in texts.items()}


def _input(name: str, kind: Kind, text: str) -> Any:
    if text.endswith(_REST):
        return starting_with(text.removesuffix(_REST))
    low, span, high = text.partition(_SPAN)
    if not span:
        return _value(name, kind, text)
    if not low:
        return at_most(_value(name, kind, high))
    return between(_value(name, kind, low), _value(name, kind, high)) if high else at_least(_value(name, kind, low))


def _value(name: str, kind: Kind, text: str) -> Any:
    wire: Any = {"true": True, "false": False}.get(text.lower()) if kind.wire == "BOOL" else text
    try:
        return kind.decode({kind.wire: wire})
    except (TypeError, ValueError, ArithmeticError, KeyError) as problem:
        raise InputError(f"{name!r} takes a value of type {kind.name}, not {text!r}.") from problem
