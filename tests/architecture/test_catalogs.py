"""The translation files are complete: each text in each language, with its placeholders and tags, and none unused."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest
from tests.architecture.conftest import SOURCE

from almanac.kit.catalogs import catalog_files, plural_categories


def load_locales() -> ModuleType:
    """docs/locales.py, which is a script and no package."""
    spec = spec_from_file_location("locale_files", SOURCE.parent / "docs" / "locales.py")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


locales = load_locales()
TEXTS = locales.extract_texts()
PLACEHOLDERS = re.compile(r"%\(\w+\)s|%%|\{\w+\}")
TAGS = re.compile(r"</?[a-z0-9]+")


def marks(text: str) -> tuple[list[str], list[str]]:
    return sorted(set(PLACEHOLDERS.findall(text))), sorted(TAGS.findall(text))


def test_the_files_are_up_to_date_with_the_code(capsys):
    """None lacks a text, and none keeps one that the code no longer has."""
    assert locales.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("language", locales.TRANSLATED)
def test_every_text_is_translated(language):
    translations = locales.read_translations(catalog_files(language), language)
    assert [key.singular for key in sorted(TEXTS.keys() - translations.keys())] == []


@pytest.mark.parametrize("language", locales.TRANSLATED)
def test_translations_keep_placeholders_and_tags(language):
    wrong = []
    for key, forms in locales.read_translations(catalog_files(language), language).items():
        if key not in TEXTS:
            continue
        plural = TEXTS[key].plural
        allowed = [marks(text) for text in (key.singular, plural) if text]
        needed = len(plural_categories(language)) if plural else 1
        if len(forms) != needed or any(marks(form) not in allowed for form in forms):
            wrong.append(key.singular)
    assert wrong == []
