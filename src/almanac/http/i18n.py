"""Translations: the language of a page, and the texts of a desk in each of its languages.

Texts are files: one TOML table per language, with the same keys in each. A reader chooses with `?lang=`, which a cookie
remembers; until then the account decides, then the browser.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse

from almanac.accounts.model import Preferences, Principal
from almanac.http.app_state import get_state
from almanac.http.cookies import LANGUAGE
from almanac.http.language_choice import LANGUAGE_PARAMETER, accepted_languages
from almanac.http.pages import render_page
from almanac.http.paging import with_query
from almanac.kit.catalogs import LANGUAGE_NAMES
from almanac.language.translations import Phrase, Translator, load_phrases


class TranslationCatalog:
    """The texts of every language of a desk. The first language is the default."""

    def __init__(self, by_language: Mapping[str, Mapping[str, Phrase]]) -> None:
        self._translators = {language: Translator(language, phrases) for language, phrases in by_language.items()}

    @classmethod
    def load(cls, folder: Path, languages: Sequence[str]) -> "TranslationCatalog":
        """Read `<language>.toml` for each language."""
        return cls(load_phrases(folder, languages))

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self._translators)

    def translator(self, language: str) -> Translator:
        """The translator of a language, or of the default language if this one is missing."""
        return self._translators.get(language, self._translators[self.languages[0]])

    def choose(self, request: Request, principal: Principal | None) -> Translator:
        """The translator for this reader: by `?lang=`, cookie, account, then browser."""
        preferences = principal.preferences if principal else Preferences()
        preferred = (
            request.query_params.get(LANGUAGE_PARAMETER, ""),
            request.cookies.get(LANGUAGE, ""),
            preferences.language,
        )
        accepted = accepted_languages(request.headers.get("Accept-Language", ""))
        return self.translator(next((code for code in (*preferred, *accepted) if code in self._translators), ""))

    def links(self, request: Request, translator: Translator) -> list[tuple[str, str, str, bool]]:
        """For each language its code, its name, the URL of this page in it, and whether it is the current one."""
        return [
            (
                code,
                LANGUAGE_NAMES.get(code, code),
                with_query(request.url, **{LANGUAGE_PARAMETER: code}),
                code == translator.language,
            )
            for code in self.languages
        ]


async def render_translated_page(
    request: Request, translator: Translator, template: str, /, *, status_code: int = 200, **values: object
) -> HTMLResponse:
    """A full page in a language; a language chosen by `?lang=` is remembered in a cookie."""
    response = await render_page(
        request, template, status_code=status_code, t=translator, language=translator.language, **values
    )
    if request.query_params.get(LANGUAGE_PARAMETER) == translator.language:
        get_state(request).cookies.set_language(response, translator.language)
    return response
