"""The translations of the interface: one .po file per language in each folder `locales`, read on first use.

English is the source: its texts stand in the code and the templates, and it has no file.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from babel.core import Locale
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po

SOURCE_LANGUAGE = "en"
# The name of each interface language as its speakers write it.
LANGUAGE_NAMES = {"en": "English", "ja": "日本語", "zh": "简体中文", "ms": "Bahasa Melayu", "de": "Deutsch"}
INTERFACE_LANGUAGES = tuple(LANGUAGE_NAMES)
# Detection takes some Malay texts for Indonesian, and readers of either understand both.
_NEAREST = {"id": "ms"}
_LOCALES = {"en": "en_GB", "zh": "zh_Hans"}
_ROOT = Path(__file__).parent.parent

Key = tuple[str, str]


class Catalog:
    """The texts of one language by context and English text."""

    def __init__(
        self, language: str, entries: Mapping[Key, tuple[str, ...]], plurals: Mapping[Key, str] | None = None
    ) -> None:
        self.language = language
        self._entries = entries
        self._plurals = plurals or {}
        self._plural = locale_of(language).plural_form
        self._categories = plural_categories(language)

    @property
    def texts(self) -> list[tuple[str, str, str]]:
        """The context, English singular and English plural of every text; no plural is empty."""
        return [(context, source, self._plurals.get((context, source), "")) for context, source in self._entries]

    def gettext(self, source: str, context: str = "") -> str:
        """The translation of a text, or the text itself."""
        forms = self._entries.get((context, source))
        return forms[0] if forms else source

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """The translation of a text in the form that a number needs."""
        forms = self._entries.get(("", singular))
        if not forms:
            return singular if number == 1 else plural
        return forms[min(self._categories.index(self._plural(number)), len(forms) - 1)]


def base_language(language: str) -> str:
    """`zh` for `zh-Hans`."""
    return language.replace("_", "-").partition("-")[0].lower()


@lru_cache(maxsize=256)
def nearest_language(language: str) -> str:
    """The interface language that serves somebody who asks for this one; English if there is none."""
    base = base_language(language)
    base = _NEAREST.get(base, base)
    return base if base in LANGUAGE_NAMES else SOURCE_LANGUAGE


@cache
def locale_of(language: str) -> Locale:
    """The Babel locale of an interface language."""
    nearest = nearest_language(language)
    return Locale.parse(_LOCALES.get(nearest, nearest))


def language_tag(language: str) -> str:
    """The tag for the `lang` attribute of a page: `zh-Hans` for `zh`."""
    return {"zh": "zh-Hans"}.get(language, language)


def get_catalog(language: str) -> Catalog:
    """The texts of the nearest interface language."""
    return _load(nearest_language(language))


def catalog_files(language: str) -> list[Path]:
    """The .po files of a language: the platform's and each desk's."""
    return sorted(_ROOT.glob(f"**/locales/{language}.po"))


@cache
def _load(language: str) -> Catalog:
    entries: dict[Key, tuple[str, ...]] = {}
    plurals: dict[Key, str] = {}
    for path in catalog_files(language):
        with path.open("rb") as file:
            for entry in read_po(file, locale=str(locale_of(language))):
                if entry.id and not entry.fuzzy:
                    key = entry.context or "", source_of(entry)
                    entries[key] = forms_of(entry)
                    if not isinstance(entry.id, str):
                        plurals[key] = str(entry.id[1])
    return Catalog(language, entries, plurals)


def plural_categories(language: str) -> tuple[str, ...]:
    """The plural categories of a language, in the order of the forms in its files; `other` is the last."""
    tags = locale_of(language).plural_form.tags
    return (*(tag for tag in ("zero", "one", "two", "few", "many") if tag in tags), "other")


def source_of(entry: Entry) -> str:
    """The English text of an entry, in its singular."""
    return str(entry.id if isinstance(entry.id, str) else entry.id[0])


def forms_of(entry: Entry) -> tuple[str, ...]:
    """The translations of an entry, one for each plural form; empty ones left out."""
    forms = (entry.string,) if isinstance(entry.string, str) else entry.string or ()
    return tuple(form for form in forms if form)
