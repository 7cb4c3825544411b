"""PDFs by typst, tagged for screen readers (PDF/UA-1), and pictures: the same data gives the same bytes.

A character that none of our fonts has is looked up in the fonts of the machine; if none has it, its name is printed
instead and a note says so; names exist in English only, so other documents show the code point.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from almanac.errors import InputError
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext

if TYPE_CHECKING:
    import typst
else:
    typst = lazy_module("typst")

GlyphNames = Mapping[int, str]
"""The names to print for characters that no font has, by code point."""
BuildPdfData = Callable[[GlyphNames], str]
"""Returns the data as JSON, with the given names in place of their characters."""

_FONT_PACKAGES = ("justmytype_intl_cjk", "justmytype_intl_rtl", "justmytype_intl_africa")
_OTHER_SCRIPTS = ("Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Ethiopic", "DejaVu Sans Mono")
_CHINESE, _TRADITIONAL, _JAPANESE, _KOREAN = "Noto Sans SC", "Noto Sans TC", "Noto Sans JP", "Noto Sans KR"

_MISSING_GLYPH = re.compile(r'the text `"((?:[^"\\]|\\.)+)"` could not be displayed')
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}|\\(.)")
_MOST_SHOWN = 12
_POINTS_PER_INCH = 72.0
# First our fonts, then those of the machine, then names for what both lack. Of several combining marks on one letter
# typst reports only a few at a time, so naming them may take several attempts.
_ATTEMPTS = 10

_ZERO_WIDTH_SPACE = "\u200b"
# Chinese, Japanese and Korean are left out: typst knows where their lines may break.
_UNBROKEN = re.compile(r"[^\s\u200b\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]+")
_AFTER_PUNCTUATION = re.compile(r"(?<=[/?&=#_.,:;@-])(?=\w)")


@dataclass(frozen=True, slots=True)
class RenderedPdf:
    """A finished PDF; `notes` say what it could not show."""

    content: bytes
    notes: tuple[str, ...]


class _MissingGlyphs(Exception):
    """The loaded fonts lack these characters."""

    def __init__(self, characters: str) -> None:
        super().__init__(characters)
        self.characters = characters


def render_pdf(template: bytes, build_data: BuildPdfData, day: date, language: str = "en") -> RenderedPdf:
    """Render a template with its data as `sys.inputs.data`; the document's date is `day`.

    Characters that no font has are named in an English document; one in another `language` shows their code points.
    Long texts take seconds of computing: on the event loop, call it in a thread.
    """
    names: dict[int, str] = {}
    for attempt in range(_ATTEMPTS):
        try:
            content = _compile(template, build_data(names), day, system_fonts=attempt > 0)
            return RenderedPdf(content, _notes_on(names))
        except _MissingGlyphs as missing:
            if attempt:
                names |= {
                    ord(character): _name_of(character, language) for character in _without_ascii(missing.characters)
                }
    raise InputError(gettext("The PDF has characters that no font here can show. Export another format instead."))


def find_missing_characters(template: bytes, data: str, *, system_fonts: bool = False) -> str:
    """The characters of a document that no font has; empty if all can be shown.

    Only a PDF for screen readers reports them, so one is made, which takes a few milliseconds.
    """
    try:
        _compiler(template, data, system_fonts=system_fonts).compile(format="pdf", pdf_standards="ua-1")
    except typst.TypstError as error:
        return _missing_characters(error.diagnostic)
    return ""


def render_png(template: bytes, data: str, *, system_fonts: bool = False) -> bytes:
    """The first page of a template as a picture with a pixel for each point; what no font has is an empty box."""
    picture = _compiler(template, data, system_fonts=system_fonts).compile(format="png", ppi=_POINTS_PER_INCH)
    assert isinstance(picture, bytes)
    return picture


def add_break_points(text: str, fits: int) -> str:
    """The text with zero-width spaces in every word that has `fits` characters or more, so that lines can break."""
    return _UNBROKEN.sub(lambda match: _break_word(match[0], fits), text)


@cache
def load_fonts(*, system_fonts: bool = False) -> "typst.Fonts":
    """Our fonts alone, so that every machine prints the same page; with `system_fonts` also those of the machine."""
    return typst.Fonts(include_system_fonts=system_fonts, font_paths=_font_folders())


def text_fonts(language: str) -> list[str]:
    """Font families for running text in order of preference; East Asian texts use a sans font for figures too."""
    sans = sans_fonts(language)
    return sans if is_east_asian(language) else ["Libertinus Serif", *sans]


def sans_fonts(language: str) -> list[str]:
    """Font families for small print. The language decides between the Chinese, Japanese and Korean character shapes."""
    asian = [_CHINESE, _TRADITIONAL, _JAPANESE, _KOREAN]
    asian.sort(key=lambda family: family != _asian_family(language))
    return [*asian, *_OTHER_SCRIPTS]


def is_east_asian(language: str) -> bool:
    """Whether a language is mostly written in wide characters, which need other fonts and more line spacing."""
    return language.partition("-")[0].lower() in {"zh", "yue", "ja", "ko"}


def _font_folders() -> list[Path]:
    specs = (find_spec(name) for name in _FONT_PACKAGES)
    return [Path(place) / "fonts" for spec in specs if spec for place in spec.submodule_search_locations or ()]


def _asian_family(language: str) -> str:
    base, _, rest = language.lower().partition("-")
    if base == "zh" and {"hant", "tw", "hk", "mo"} & set(rest.split("-")):
        return _TRADITIONAL
    return {"ja": _JAPANESE, "ko": _KOREAN}.get(base, _CHINESE)


def _compile(template: bytes, data: str, day: date, *, system_fonts: bool) -> bytes:
    timestamp = datetime.combine(day, time(), UTC)
    # Some content can't be tagged, such as a heading of invisible characters; an untagged PDF is better than none.
    for tagged in (True, False):
        try:
            content = _compiler(template, data, system_fonts=system_fonts).compile(
                format="pdf", pdf_standards="ua-1" if tagged else [], timestamp=timestamp
            )
        except typst.TypstError as error:
            if missing := _missing_characters(error.diagnostic):
                raise _MissingGlyphs(missing) from error
            failure = error
        else:
            assert isinstance(content, bytes)
            return content
    raise InputError(
        gettext("The PDF could not be made (%(message)s). Export another format instead.", message=failure.message)
    ) from failure


def _compiler(template: bytes, data: str, *, system_fonts: bool) -> "typst.Compiler":
    """A compiler made from bytes forgets them after compiling, so each attempt needs its own."""
    fonts = load_fonts(system_fonts=system_fonts)
    return typst.Compiler(template, font_paths=fonts, ignore_system_fonts=not system_fonts, sys_inputs={"data": data})


def _missing_characters(diagnostic: str) -> str:
    """The characters that typst has no glyph for, each once, in order of appearance."""
    texts = (_ESCAPED.sub(_unescape, text) for text in _MISSING_GLYPH.findall(diagnostic))
    return "".join(dict.fromkeys("".join(texts)))


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else match[2]


def _without_ascii(missing: str) -> str:
    """Without characters that every font has: typst reports a digit only because of a mark that is put on it."""
    return "".join(character for character in missing if not character.isascii()) or missing


def _name_of(character: str, language: str) -> str:
    if unicodedata.category(character) == "Cf":
        return ""
    code_point = f"U+{ord(character):04X}"
    is_english = language.partition("-")[0].lower() == "en"
    return f"[{unicodedata.name(character, code_point).lower()}]" if is_english else f"[{code_point}]"


def _notes_on(names: GlyphNames) -> tuple[str, ...]:
    named = [chr(code_point) for code_point, name in names.items() if name]
    shown = " ".join(named[:_MOST_SHOWN]) + (" …" if len(named) > _MOST_SHOWN else "")
    note = gettext(
        "No font here has %(shown)s: the PDF prints the name of each instead. Install a font that has "
        "them and export again, or use another format.",
        shown=shown,
    )
    return (note,) if named else ()


def _break_word(word: str, fits: int) -> str:
    if len(word) < fits:
        return word
    pieces = _AFTER_PUNCTUATION.sub(_ZERO_WIDTH_SPACE, word).split(_ZERO_WIDTH_SPACE)
    return _ZERO_WIDTH_SPACE.join(piece if len(piece) < fits else _ZERO_WIDTH_SPACE.join(piece) for piece in pieces)
