"""Mail templates: `<name>/subject.txt`, `body.txt` and `body.html` in a folder, filled in by Jinja2.

HTML is escaped, text is not, and a value that is missing is an error instead of a gap in somebody's mail.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound, UndefinedError, select_autoescape

from almanac.errors import InputError
from almanac.kit.catalogs import SOURCE_LANGUAGE, get_catalog, language_tag
from almanac.kit.messages import gettext, speaking, spoken_language, translate
from almanac.kit.text import one_line

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class RenderedMail:
    """The text of a mail, ready for a Message."""

    subject: str
    text: str
    html: str | None


def _gettext(source: str) -> str:
    return get_catalog(spoken_language()).gettext(source)


def _ngettext(singular: str, plural: str, number: int) -> str:
    return get_catalog(spoken_language()).ngettext(singular, plural, number)


def _pgettext(context: str, source: str) -> str:
    return get_catalog(spoken_language()).gettext(source, context)


class MailTemplates:
    """The templates of some folders; earlier folders win. Ours come last and hold the shared `_layout.html`."""

    def __init__(self, *folders: Path) -> None:
        self._environment = Environment(
            loader=FileSystemLoader([*folders, TEMPLATES]),
            autoescape=select_autoescape(["html"]),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            extensions=["jinja2.ext.i18n"],
        )
        self._environment.policies["ext.i18n.trimmed"] = True
        self._environment.install_gettext_callables(  # type: ignore[attr-defined] # a method of the extension
            _gettext, _ngettext, newstyle=True, pgettext=_pgettext
        )

    def render(self, name: str, values: Mapping[str, object], language: str = SOURCE_LANGUAGE) -> RenderedMail:
        """Fill in a template in the receiver's language. A subject is always one line; the HTML part is optional."""
        with speaking(language):
            texts = {key: translate(value) if isinstance(value, str) else value for key, value in values.items()}
            return self._render(name, {**texts, "language": language_tag(spoken_language())})

    def _render(self, name: str, values: Mapping[str, object]) -> RenderedMail:
        subject = one_line(self._fill(f"{name}/subject.txt", values))
        text = self._fill(f"{name}/body.txt", values).strip() + "\n"
        try:
            html = self._fill(f"{name}/body.html", values)
        except TemplateNotFound:
            html = None
        return RenderedMail(subject, text, html)

    def _fill(self, file: str, values: Mapping[str, object]) -> str:
        try:
            return self._environment.get_template(file).render(values)
        except UndefinedError as error:
            raise InputError(
                gettext("The mail template %(file)s lacks a value: %(message)s.", file=file, message=error.message)
            ) from error
