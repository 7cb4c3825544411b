"""Writes HTML: a mail with its styles inside each element, and the same text as a page of the web.

Every text is escaped by the templates; nothing is loaded from anywhere, so that opening an issue tells nobody.
"""

from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from almanac.desks.newsletter.exports.facts import facts_of_issue, facts_of_source, lead_of
from almanac.desks.newsletter.exports.html_lines import HtmlLines
from almanac.desks.newsletter.exports.model import Export, Format, MailParts, export_as
from almanac.desks.newsletter.exports.text import text_of
from almanac.desks.newsletter.exports.words import is_right_to_left, words_in
from almanac.desks.newsletter.publication import Block, Publication
from almanac.desks.newsletter.publication.tree import numeric_columns
from almanac.kit.lazy import lazy_module

if TYPE_CHECKING:
    import css_inline
else:
    css_inline = lazy_module("css_inline")

_TEMPLATES = Path(str(files(__package__))) / "templates"
# Without these a mailbox would fill its line of preview with the first words of the text.
_PADDING = "\u00a0\u200c" * 80
_CLIPPED_FROM = 102_000


def write_mail(publication: Publication) -> Export:
    """The issue as the HTML of a mail."""
    content = _mail(publication).encode()
    note = "Gmail shows only the first 102 KB of a mail, and this one is longer: readers there must open the rest."
    return export_as(Format.HTML, content, publication, (note,) if len(content) > _CLIPPED_FROM else ())


def write_web(publication: Publication) -> Export:
    """The issue as a page that needs no other file."""
    return export_as(Format.WEB, _render("web.html", publication, on_a_page=True).encode(), publication)


def mail_of(publication: Publication) -> MailParts:
    """Everything that a mail of this issue says: subject, preview, HTML and text."""
    front = publication.front
    return MailParts(front.title, front.preheader, _mail(publication), text_of(publication))


def _mail(publication: Publication) -> str:
    return str(_inliner().inline(_render("mail.html", publication)))


def _render(template: str, publication: Publication, *, on_a_page: bool = False) -> str:
    front = publication.front
    sources = {reference.number: reference.source for reference in publication.references}
    return (
        _environment()
        .get_template(template)
        .render(
            publication=publication,
            words=words_in(front.language),
            lead=lead_of(publication),
            facts=facts_of_issue(front),
            facts_of_source=partial(facts_of_source, language=front.language),
            line=HtmlLines(sources, on_a_page).line,
            direction="rtl" if is_right_to_left(front.language) else "ltr",
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
    environment.filters.update(kind=_kind, numeric_columns=numeric_columns)
    return environment


@cache
def _css() -> Markup:
    return Markup((_TEMPLATES / "issue.css").read_text("utf-8"))  # noqa: S704 # a file of ours


@cache
def _inliner() -> "css_inline.CSSInliner":
    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def _kind(block: Block) -> str:
    return type(block).__name__.lower()
