"""The interface language of a request: chosen by the reader, else the browser's.

A page with `?lang=` is in that language, which a cookie remembers. Otherwise the account decides if its owner chose a
language, then the cookie, then the browser.
"""

from starlette.requests import Request

from almanac.http.auth import Identity
from almanac.http.cookies import LANGUAGE, READING_LANGUAGES
from almanac.http.paging import with_query
from almanac.kit.catalogs import INTERFACE_LANGUAGES, LANGUAGE_NAMES, SOURCE_LANGUAGE, nearest_language

LANGUAGE_PARAMETER = "lang"
# Search filters documents by `lang`.
_OTHER_MEANING = frozenset({"/search"})


def choose_language(request: Request) -> str:
    """The interface language of this page."""
    return named_language(request) or preferred_language(request)


def named_language(request: Request) -> str:
    """The interface language that the address names; empty if it names none."""
    named = request.query_params.get(LANGUAGE_PARAMETER, "")
    return named if named in INTERFACE_LANGUAGES and request.url.path not in _OTHER_MEANING else ""


def list_language_links(request: Request) -> list[tuple[str, str, str]]:
    """For each language its code, its name and the address of this page in it."""
    return [
        (code, name, with_query(request.url, **{LANGUAGE_PARAMETER: code})) for code, name in LANGUAGE_NAMES.items()
    ]


def preferred_language(request: Request) -> str:
    """The reader's interface language whatever the address names, as far as the request has been identified by now."""
    identity = getattr(request.state, "identity", None)
    principal = identity.principal if isinstance(identity, Identity) else None
    chosen = (principal.preferences.language if principal else "", request.cookies.get(LANGUAGE, ""))
    for language in chosen:
        if language in INTERFACE_LANGUAGES:
            return language
    return accepted_language(request.headers.get("Accept-Language", ""))


def reader_languages(request: Request) -> tuple[str, ...]:
    """The languages of texts that a reader wants first: that of the pages, and the first of the browser."""
    codes = (preferred_language(request), *accepted_languages(request.headers.get("Accept-Language", ""))[:1])
    return tuple(dict.fromkeys(code.partition("-")[0] for code in codes if code != "*"))


def title_languages(request: Request) -> tuple[str, ...]:
    """The languages of titles that a reader wants: the one that stories are read in, then the reader's others."""
    saved = request.cookies.get(READING_LANGUAGES, "").partition("-")[0]
    return tuple(dict.fromkeys(code for code in (saved, *reader_languages(request)) if code))


def accepted_language(header: str) -> str:
    """The interface language that the browser wants most; English if we speak none that it wants."""
    for language in accepted_languages(header):
        if language == SOURCE_LANGUAGE or nearest_language(language) != SOURCE_LANGUAGE:
            return nearest_language(language)
    return SOURCE_LANGUAGE


def accepted_languages(header: str) -> list[str]:
    """The languages of an Accept-Language header without their regions, the most wanted first."""
    weighted = [_parse_weight(part) for part in header.lower().split(",")[:20]]
    ranked = sorted((choice for choice in weighted if choice[0] > 0), key=lambda choice: -choice[0])
    return [name.partition("-")[0] for _, name in ranked]


def _parse_weight(part: str) -> tuple[float, str]:
    name, _, weight = part.strip().partition(";")
    try:
        return float(weight.strip().removeprefix("q=") or 1), name.strip()
    except ValueError:
        return 0, name
