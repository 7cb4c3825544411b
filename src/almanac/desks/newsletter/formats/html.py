"""Renders HTML: a mail with inlined styles, and a standalone web page. Nothing is loaded from elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from almanac.desks.newsletter.formats.export_file import ExportFile, ExportFormat, IssueMail, build_export_file
from almanac.desks.newsletter.formats.labels import (
    REFERENCES,
    is_right_to_left_language,
    issue_details,
    lead_text,
    source_details,
)
from almanac.desks.newsletter.formats.plain_text import render_text
from almanac.desks.newsletter.formats.publication import (
    Block,
    Citation,
    CitedSource,
    LineBreak,
    Publication,
    Span,
    Spans,
    TextSpan,
    numeric_columns,
)
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext, translate

if TYPE_CHECKING:
    import css_inline
else:
    css_inline = lazy_module("css_inline")

_LINK = Markup('<a href="{}">{}</a>')
_NAMED_LINK = Markup('<a href="{}" title="{}">{}</a>')
_CITATION = Markup('<sup class="cite">[{}]</sup>')
_TEMPLATES = Path(str(files(__package__))) / "templates"
# Keeps mailboxes from filling the preview with the first words of the text.
_PADDING = "\u00a0\u200c" * 80
_CLIPPING_LIMIT = 102_000


@dataclass(frozen=True, slots=True)
class HtmlSpanRenderer:
    """Renders the spans of a line. In a mail a citation links to its source, on a page to the reference list."""

    sources: Mapping[int, CitedSource]
    on_a_page: bool

    def line(self, spans: Spans) -> Markup:
        """The spans of a line as escaped HTML."""
        return Markup("").join(map(self._span, spans))

    def _span(self, span: Span) -> Markup:
        match span:
            case Citation(numbers):
                return _CITATION.format(Markup(", ").join(map(self._number, numbers)))
            case LineBreak():
                return Markup("<br>")
            case TextSpan(link=link):
                return _LINK.format(link, _styled(span)) if link else _styled(span)

    def _number(self, number: int) -> Markup:
        source = self.sources[number]
        address = source.url if source.url and not self.on_a_page else f"#reference-{number}"
        return _NAMED_LINK.format(address, source.title, number)


def _styled(text: TextSpan) -> Markup:
    words = escape(text.text)
    if text.code:
        words = Markup("<code>{}</code>").format(words)
    if text.italic:
        words = Markup("<em>{}</em>").format(words)
    if text.bold:
        words = Markup("<strong>{}</strong>").format(words)
    return words


def write_html_mail(publication: Publication) -> ExportFile:
    """The issue as an HTML mail."""
    content = _render_mail(publication).encode()
    note = gettext("Gmail cuts off mails after 102 KB, and this one is longer; Gmail readers must open the rest.")
    return build_export_file(ExportFormat.HTML, content, publication, (note,) if len(content) > _CLIPPING_LIMIT else ())


def write_web_page(publication: Publication) -> ExportFile:
    """The issue as a standalone page."""
    return build_export_file(ExportFormat.WEB, _render("web.html", publication, on_a_page=True).encode(), publication)


def render_archive_page(publication: Publication) -> str:
    """The issue as a part of a page, without its own styles."""
    return _render("archive.html", publication, on_a_page=True)


def render_issue_mail(publication: Publication) -> IssueMail:
    """The issue as a mail: subject, preview text, HTML and plain text."""
    front = publication.front
    return IssueMail(front.title, front.preheader, _render_mail(publication), render_text(publication))


def _render_mail(publication: Publication) -> str:
    return str(_inliner().inline(_render("mail.html", publication)))


def _render(template: str, publication: Publication, *, on_a_page: bool = False) -> str:
    front = publication.front
    sources = {reference.number: reference.source for reference in publication.references}
    return (
        _environment()
        .get_template(template)
        .render(
            publication=publication,
            references_heading=translate(REFERENCES, front.language),
            lead=lead_text(publication),
            details=issue_details(front),
            source_details=partial(source_details, language=front.language),
            line=HtmlSpanRenderer(sources, on_a_page).line,
            direction="rtl" if is_right_to_left_language(front.language) else "ltr",
            css=_css(),
            padding=_PADDING,
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(kind=_block_kind, numeric_columns=numeric_columns)
    return environment


@cache
def _css() -> Markup:
    return Markup((_TEMPLATES / "issue.css").read_text("utf-8"))  # noqa: S704 # a file of ours


@cache
def _inliner() -> "css_inline.CSSInliner":
    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def _block_kind(block: Block) -> str:
    return type(block).__name__.lower()
