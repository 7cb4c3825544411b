"""Brings the translation files up to date with the code; `--check` only compares, and a test calls that.

Run by `make locales`. Texts come from `gettext`, `ngettext` and `pgettext` in Python and from `_`, `ngettext`,
`pgettext` and `{% trans %}` in templates. A text that only one desk uses is in that desk's `locales/<language>.po`,
every other one in the platform's. A translation follows its text from file to file; one whose text is gone is removed.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from almanac.kit.catalogs import (
    INTERFACE_LANGUAGES,
    SOURCE_LANGUAGE,
    catalog_files,
    forms_of,
    locale_of,
    plural_categories,
    source_of,
)

SOURCE = Path(__file__).parent.parent / "src" / "almanac"
DESKS = SOURCE / "desks"
TRANSLATED = tuple(language for language in INTERFACE_LANGUAGES if language != SOURCE_LANGUAGE)
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
TEMPLATES = ("**/templates/**.html", "**/templates/**.txt")
METHODS = [*((pattern, "jinja2") for pattern in TEMPLATES), ("**.py", "python")]
OPTIONS = {pattern: {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"} for pattern in TEMPLATES}
PLURALS = {1: "nplurals=1; plural=0;", 2: "nplurals=2; plural=(n != 1);"}


class TextKey(NamedTuple):
    """What tells one text from another."""

    context: str
    singular: str


@dataclass(slots=True)
class Text:
    """A text of the interface: its plural if it has one, and the files that use it."""

    plural: str
    files: set[str]


def extract_texts() -> dict[TextKey, Text]:
    """Every text of the interface."""
    texts: dict[TextKey, Text] = {}
    extracted = extract_from_dir(SOURCE, METHODS, OPTIONS, KEYWORDS)
    for name, _, source, _, context in extracted:
        singular, plural = (source, "") if isinstance(source, str) else (source[0], source[1])
        text = texts.setdefault(TextKey(context or "", singular), Text(plural, set()))
        text.plural = text.plural or plural
        text.files.add(name)
    return texts


def owner_of(text: Text) -> Path:
    """The folder with the translations of a text: the only desk that uses it, or the platform."""
    owners = {Path(*Path(name).parts[:2]) if name.startswith("desks/") else Path() for name in text.files}
    return SOURCE / (owners.pop() if len(owners) == 1 else Path()) / "locales"


def read_translations(files: Iterable[Path], language: str) -> dict[TextKey, tuple[str, ...]]:
    """The finished translations of a language."""
    translations: dict[TextKey, tuple[str, ...]] = {}
    for path in files:
        with path.open("rb") as file:
            for entry in read_po(file, locale=str(locale_of(language))):
                if entry.id and not entry.fuzzy and forms_of(entry):
                    translations[TextKey(entry.context or "", source_of(entry))] = forms_of(entry)
    return translations


def write_files(texts: Mapping[TextKey, Text], language: str) -> Iterator[tuple[Path, bytes]]:
    """Each translation file of a language as it should be."""
    translations = read_translations(catalog_files(language), language)
    by_owner: dict[Path, list[TextKey]] = defaultdict(list)
    for key, text in texts.items():
        by_owner[owner_of(text)].append(key)
    for owner, keys in sorted(by_owner.items()):
        catalog = Catalog(locale=str(locale_of(language)), header_comment="")
        catalog.mime_headers = [("Plural-Forms", _plural_forms(language))]
        for key in sorted(keys):
            plural, forms = texts[key].plural, translations.get(key, ())
            if plural:
                needed = len(plural_categories(language))
                catalog.add((key.singular, plural), (*forms, *[""] * needed)[:needed], context=key.context or None)
            else:
                catalog.add(key.singular, forms[0] if forms else "", context=key.context or None)
        yield owner / f"{language}.po", _header(language) + _body(catalog)


def _plural_forms(language: str) -> str:
    """By CLDR, as everywhere in Almanac: gettext's own table counts differently for Malay."""
    return PLURALS[len(plural_categories(language))]


def _header(language: str) -> bytes:
    lines = (
        f"Language: {language}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {_plural_forms(language)}",
    )
    return "\n".join(['msgid ""', 'msgstr ""', *(f'"{line}\\n"' for line in lines), "", ""]).encode()


def _body(catalog: Catalog) -> bytes:
    buffer = BytesIO()
    write_po(buffer, catalog, no_location=True, omit_header=True, sort_output=True, width=120)
    return buffer.getvalue()


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` name those that differ; tell how many texts are untranslated."""
    check, texts, stale = "--check" in arguments, extract_texts(), []
    for language in TRANSLATED:
        expected = dict(write_files(texts, language))
        stale += [path for path in catalog_files(language) if path not in expected]
        for path, content in expected.items():
            if not path.is_file() or path.read_bytes() != content:
                stale.append(path)
                if not check:
                    path.parent.mkdir(exist_ok=True)
                    path.write_bytes(content)
        missing = texts.keys() - read_translations(catalog_files(language), language).keys()
        sys.stdout.write(f"{language}: {len(texts)} texts, {len(missing)} untranslated\n")
    if not check:
        for path in stale:
            if not any(path.parent == owner_of(text) for text in texts.values()):
                path.unlink()
        return 0
    for path in stale:
        sys.stdout.write(f"{path.relative_to(SOURCE.parent)} is out of date; run make locales.\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
