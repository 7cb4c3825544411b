"""A text that matches a simple regular expression: literals, classes, groups, alternatives and counts."""

import re
from dataclasses import dataclass

_CLASSES = {"d": "1", "w": "a", "s": " ", "S": "a", "D": "a", "W": "-"}
_MOST = 4


def example_of(pattern: str) -> str | None:
    """A short example, or None where the expression uses something this reader does not know."""
    try:
        text = _Reader(pattern).alternatives()
        return text if re.fullmatch(pattern, text) else None
    except (IndexError, ValueError, re.error):
        return None


@dataclass
class _Reader:
    """Reads an expression from left to right; each method gives an example of what it read."""

    source: str
    at: int = 0

    def _peek(self) -> str:
        return self.source[self.at] if self.at < len(self.source) else ""

    def _next(self) -> str:
        self.at += 1
        return self.source[self.at - 1]

    def alternatives(self) -> str:
        first = self._sequence()
        while self._peek() == "|":
            self._next()
            self._sequence()
        return first

    def _sequence(self) -> str:
        text = ""
        while self._peek() not in ("", "|", ")"):
            text += self._counted(self._atom())
        return text

    def _atom(self) -> str:
        char = self._next()
        if char == "(":
            return self._group()
        if char == "[":
            return self._class()
        if char == "\\":
            escaped = self._next()
            return _CLASSES.get(escaped, escaped)
        return {".": "a", "^": "", "$": ""}.get(char, char)

    def _group(self) -> str:
        if self._peek() == "?":
            self._next()
            if self._next() != ":":
                raise ValueError("an extension that has no plain example")
        text = self.alternatives()
        self._next()
        return text

    def _class(self) -> str:
        """The first character of a class; of a negated one, a letter or digit that it does not list."""
        end = self.source.index("]", self.at + 1)
        members, self.at = self.source[self.at : end], end + 1
        if members.startswith("^"):
            return next(char for char in "a1-" if re.fullmatch(f"[{members}]", char))
        return _CLASSES.get(members[1], members[1]) if members[0] == "\\" else members[0]

    def _counted(self, text: str) -> str:
        if self._peek() == "?":
            self._next()
            return ""
        if self._peek() in ("*", "+"):
            self._next()
            return text * _MOST
        found = re.compile(r"\{(\d+)(?:,\d*)?\}").match(self.source, self.at)
        if found is None:
            return text
        self.at = found.end()
        return text * int(found[1])
