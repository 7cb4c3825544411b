"""Plain data as YAML in block style: dicts, lists, text, numbers, True and False."""

import re
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_/.-]*")
_WORDS = frozenset({"y", "n", "yes", "no", "true", "false", "on", "off", "null", "none"})


def as_yaml(value: Any) -> str:
    return "\n".join(_lines(value, 0)) + "\n"


def _lines(value: Any, depth: int) -> list[str]:
    pad = "  " * depth
    if isinstance(value, dict):
        return [line for name, inner in value.items() for line in _member(f"{pad}{_scalar(name)}:", inner, depth)]
    if isinstance(value, list):
        return [line for inner in value for line in _element(inner, depth)]
    return [f"{pad}{_scalar(value)}"]


def _member(head: str, value: Any, depth: int) -> list[str]:
    if isinstance(value, dict | list) and value:
        return [head, *_lines(value, depth + 1)]
    return [f"{head} {_scalar(value)}"]


def _element(value: Any, depth: int) -> list[str]:
    """A list element: what it holds moves behind the dash."""
    first, *rest = _lines(value, depth + 1)
    return [f"{'  ' * depth}- {first.lstrip()}", *rest]


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, int | float):
        return str(value)
    text = str(value)
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return "'" + text.replace("'", "''") + "'"
