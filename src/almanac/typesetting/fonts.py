"""The fonts of a PDF: those inside typst, and those that come as packages for the scripts that typst's own lack."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from almanac.kit.lazy import lazy_module

if TYPE_CHECKING:
    import typst
else:
    typst = lazy_module("typst")

_PACKS = ("justmytype_intl_cjk", "justmytype_intl_rtl", "justmytype_intl_africa")
_OTHER_SCRIPTS = ("Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Ethiopic", "DejaVu Sans Mono")
_CHINESE, _TRADITIONAL, _JAPANESE, _KOREAN = "Noto Sans SC", "Noto Sans TC", "Noto Sans JP", "Noto Sans KR"


@cache
def fonts(*, of_the_machine: bool = False) -> "typst.Fonts":
    """Our fonts alone, so that every machine prints the same page; those of the machine only where ours lack a sign."""
    return typst.Fonts(include_system_fonts=of_the_machine, font_paths=_folders())


def text_families(language: str) -> list[str]:
    """Families for running text in the order of choice; a text in Chinese has its figures in the Chinese font too."""
    sans = sans_families(language)
    return sans if is_east_asian(language) else ["Libertinus Serif", *sans]


def sans_families(language: str) -> list[str]:
    """Families for small print; the same character has another shape in Chinese, Japanese and Korean."""
    asian = [_CHINESE, _TRADITIONAL, _JAPANESE, _KOREAN]
    asian.sort(key=lambda family: family != _asian_family(language))
    return [*asian, *_OTHER_SCRIPTS]


def is_east_asian(language: str) -> bool:
    """Whether the text is mostly of wide characters, which want a font of their own and more space between lines."""
    return language.partition("-")[0].lower() in {"zh", "yue", "ja", "ko"}


def _folders() -> list[Path]:
    specs = (find_spec(name) for name in _PACKS)
    return [Path(place) / "fonts" for spec in specs if spec for place in spec.submodule_search_locations or ()]


def _asian_family(language: str) -> str:
    base, _, rest = language.lower().partition("-")
    if base == "zh" and {"hant", "tw", "hk", "mo"} & set(rest.split("-")):
        return _TRADITIONAL
    return {"ja": _JAPANESE, "ko": _KOREAN}.get(base, _CHINESE)
