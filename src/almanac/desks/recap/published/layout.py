"""What the desk's public pages share: words, links, the parts of the desk, and the frame."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from almanac.desks.recap.published.record_names import HouseName, format_day
from almanac.desks.recap.urls import RecapUrls
from almanac.language.translations import Translator, document_translator
from almanac.public import PublicPage, PublicRequest

_SECTIONS = (("articles", "/articles"), ("people", "/people"), ("bills", "/bills"))
_PACKAGE = "almanac.desks.recap"
RECORD_LANGUAGE = "ja"


def recap_words(language: str) -> Translator:
    """The words of the desk in a language."""
    return document_translator(_PACKAGE, language)


def build_page(
    request: PublicRequest,
    section: str,
    template: str,
    load: Callable[[], Awaitable[Mapping[str, object]]],
    *,
    to: RecapUrls,
    title: str,
    stamp: object,
    description: str = "",
    kind: str = "website",
    is_listed: bool = True,
    schema: Mapping[str, object] | None = None,
) -> PublicPage:
    """A page of the desk in the public layout."""
    words = recap_words(request.language)

    async def load_all() -> Mapping[str, object]:
        around = {
            "frame": "recap/public_frame.html",
            "is_public": True,
            "t": words,
            "to": to,
            "house": HouseName(words),
            "day": partial(format_day, words),
            "zone": request.ports.settings.time_zone,
            "sections": [(words(f"section_{name}"), to.root + path, name == section) for name, path in _SECTIONS],
        }
        return {**around, **await load()}

    return PublicPage(
        template=f"recap/{template}.html",
        title=title,
        description=description,
        stamp=stamp,
        load=load_all,
        feed="/recap/feed.atom",
        kind=kind,
        content_language=RECORD_LANGUAGE,
        is_listed=is_listed,
        schema=schema or {},
    )
