"""The few lines of XML writing that RSS and Atom share: elements with escaped text and attributes."""

from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

NONE: Mapping[str, str] = {}
DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'


def element(name: str, text: str = "", attributes: Mapping[str, str] = NONE) -> str:
    """An element that holds text."""
    return nested(name, escape(text), attributes=attributes)


def nested(name: str, *children: str, attributes: Mapping[str, str] = NONE) -> str:
    """An element that holds elements."""
    opening = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    inside = "".join(children)
    return f"<{name}{opening}>{inside}</{name}>" if inside else f"<{name}{opening}/>"


def some(name: str, text: str, attributes: Mapping[str, str] = NONE) -> str:
    """An element that is there only if it says something."""
    return element(name, text, attributes) if text else ""


def document(root: str) -> bytes:
    """The whole file."""
    return (DECLARATION + root + "\n").encode()
