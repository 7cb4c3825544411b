"""Writes what stands inside a line of HTML, where a stray space would show: styles, links and reference numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from almanac.desks.newsletter.publication import Citation, LineBreak, Source, Span, Text
from almanac.desks.newsletter.publication.tree import Spans

_LINK = Markup('<a href="{}">{}</a>')
_NAMED_LINK = Markup('<a href="{}" title="{}">{}</a>')
_CITATION = Markup('<sup class="cite">[{}]</sup>')


@dataclass(frozen=True, slots=True)
class HtmlLines:
    """A number in a mail opens its source, since mailboxes seldom follow a link inside a mail; on a page, the list."""

    sources: Mapping[int, Source]
    on_a_page: bool

    def line(self, spans: Spans) -> Markup:
        """The spans of a line, escaped."""
        return Markup("").join(map(self._span, spans))

    def _span(self, span: Span) -> Markup:
        match span:
            case Citation(numbers):
                return _CITATION.format(Markup(", ").join(map(self._number, numbers)))
            case LineBreak():
                return Markup("<br>")
            case Text(link=link):
                return _LINK.format(link, _styled(span)) if link else _styled(span)

    def _number(self, number: int) -> Markup:
        source = self.sources[number]
        address = source.url if source.url and not self.on_a_page else f"#reference-{number}"
        return _NAMED_LINK.format(address, source.title, number)


def _styled(text: Text) -> Markup:
    words = escape(text.text)
    if text.code:
        words = Markup("<code>{}</code>").format(words)
    if text.italic:
        words = Markup("<em>{}</em>").format(words)
    if text.bold:
        words = Markup("<strong>{}</strong>").format(words)
    return words
