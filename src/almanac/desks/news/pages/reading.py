"""The language, or two side by side, that stories are read in: chosen by the address, and remembered by a cookie."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from almanac.desks.news.model.articles import LANGUAGES
from almanac.http.app_state import get_state
from almanac.http.cookies import READING
from almanac.http.i18n import accepted_languages
from almanac.http.paging import with_query

CHOICE, BESIDE, ALONE = "lang", "beside", "none"
NAMES = {"en": "English", "zh": "中文", "ms": "Bahasa Melayu"}
IN_ENGLISH = {"en": "English", "zh": "Chinese", "ms": "Malay"}

LanguageLink = tuple[str, str, str, bool]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader reads: one language, and another one beside it if `beside` names it."""

    language: str
    beside: str = ""

    @property
    def languages(self) -> tuple[str, ...]:
        return (self.language, self.beside) if self.beside else (self.language,)


def reading_of(request: Request) -> Reading:
    """What the address says, then what was chosen before, then what the browser asks for."""
    kept, _, kept_beside = request.cookies.get(READING, "").partition("-")
    wishes = (
        request.query_params.get(CHOICE, ""),
        kept,
        *accepted_languages(request.headers.get("Accept-Language", "")),
    )
    language = next((wish for wish in wishes if wish in LANGUAGES), LANGUAGES[0])
    beside = request.query_params.get(BESIDE, kept_beside)
    return Reading(language, beside if beside in LANGUAGES and beside != language else "")


def remember(request: Request, response: Response, reading: Reading) -> None:
    """Keep what the address asks for, so that the next page is read the same way."""
    if CHOICE in request.query_params or BESIDE in request.query_params:
        get_state(request).cookies.set_reading_languages(response, "-".join(reading.languages))


def language_links(request: Request, reading: Reading) -> list[LanguageLink]:
    """For each language its code, its own name, this page in it, and whether it is being read."""
    return [
        (code, NAMES[code], with_query(request.url, lang=code, cursor=None), code == reading.language)
        for code in LANGUAGES
    ]


def beside_links(request: Request, reading: Reading) -> list[tuple[str, str, bool]]:
    """For each other language and for none: its name, this page with it beside, and whether it is so."""
    others = [code for code in LANGUAGES if code != reading.language]
    alone = ("One language", with_query(request.url, beside=ALONE), not reading.beside)
    return [
        alone,
        *(
            (f"With {IN_ENGLISH[code]}", with_query(request.url, beside=code), code == reading.beside)
            for code in others
        ),
    ]
