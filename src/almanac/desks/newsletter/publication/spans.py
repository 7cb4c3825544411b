"""A line of spans while it is written: runs of one style flow together, and a citation stands close to its sentence."""

import unicodedata
from dataclasses import dataclass, field, replace

from almanac.desks.newsletter.publication.tree import Citation, LineBreak, Span, Spans, Text


@dataclass(frozen=True, slots=True)
class Style:
    """How the next run of text looks."""

    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str | None = None

    def having(
        self, *, bold: bool = False, italic: bool = False, code: bool = False, link: str | None = None
    ) -> "Style":
        """This style and more."""
        return Style(self.bold or bold, self.italic or italic, self.code or code, link or self.link)


@dataclass(slots=True)
class SpanLine:
    """Collects spans; `spans()` gives them without space at either end."""

    _spans: list[Span] = field(default_factory=list)
    _wrapped: bool = False

    def add(self, text: str, style: Style) -> None:
        """A run of text, joined to the one before it if they look alike."""
        if not text:
            return
        if self._wrapped:
            self._wrapped = False
            if not (_is_wide(self._last_character()) and _is_wide(text[0])):
                text = " " + text
        run = Text(text, style.bold, style.italic, style.code, style.link)
        last = self._spans[-1] if self._spans else None
        if isinstance(last, Text) and replace(last, text=text) == run:
            self._spans[-1] = replace(last, text=last.text + text)
        else:
            self._spans.append(run)

    def wrap(self) -> None:
        """The source goes on in another line: a space, but none between two Chinese characters."""
        self._wrapped = True

    def end_line(self) -> None:
        """A line break that was meant."""
        self._trim_end()
        self._wrapped = False
        self._spans.append(LineBreak())

    def cite(self, numbers: tuple[int, ...]) -> None:
        """References for what stands before; neighbours become one."""
        self._trim_end()
        if self._spans and isinstance(last := self._spans[-1], Citation):
            self._spans[-1] = Citation(tuple(sorted({*last.numbers, *numbers})))
        elif numbers:
            self._spans.append(Citation(numbers))

    def spans(self) -> Spans:
        """What was written."""
        self._trim_end()
        return tuple(self._spans)

    def _trim_end(self) -> None:
        if self._spans and isinstance(last := self._spans[-1], Text) and not last.code:
            if kept := last.text.rstrip():
                self._spans[-1] = replace(last, text=kept)
            else:
                self._spans.pop()

    def _last_character(self) -> str:
        last = self._spans[-1] if self._spans else None
        return last.text[-1] if isinstance(last, Text) else ""


def join(name: Spans, value: Spans) -> Spans:
    """`name: value`, of whatever spans the two consist of."""
    return (*name, Text(": "), *value) if name and value else name or value


def _is_wide(character: str) -> bool:
    return bool(character) and unicodedata.east_asian_width(character) in "WF"
