"""Sets a PDF by typst: tagged for screen readers (PDF/UA-1), the same bytes for the same data.

A character that none of our fonts has is looked for in the fonts of the machine; if none has it, its name is printed in
its place and a note says so.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from almanac.errors import InputError
from almanac.kit.lazy import lazy_module
from almanac.typesetting.fonts import fonts

if TYPE_CHECKING:
    import typst
else:
    typst = lazy_module("typst")

Signs = Mapping[int, str]
DataWith = Callable[[Signs], str]
"""The data as JSON, with these words in the place of characters that no font has."""

_WITHOUT_SIGN = re.compile(r'the text `"((?:[^"\\]|\\.)+)"` could not be displayed')
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}|\\(.)")
_SHOWN = 12
# With our fonts, with those of the machine, and with names for what both lack. Of marks that are heaped on one letter
# a few are reported at a time: what is named stands no longer beneath the next.
_ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class SetPdf:
    """A finished PDF; `notes` tell what it could not show."""

    content: bytes
    notes: tuple[str, ...]


class _NoSign(Exception):
    """Characters that the fonts at hand cannot show."""

    def __init__(self, characters: str) -> None:
        super().__init__(characters)
        self.characters = characters


def set_pdf(template: bytes, data_with: DataWith, day: date) -> SetPdf:
    """The template with its data as `sys.inputs.data`, dated by a day. This computes, for long texts for seconds: on
    the event loop, call it in a thread."""
    signs: dict[int, str] = {}
    for attempt in range(_ATTEMPTS):
        try:
            content = _set(template, data_with(signs), day, of_the_machine=attempt > 0)
            return SetPdf(content, _notes_on(signs))
        except _NoSign as lack:
            if attempt:
                signs |= {ord(character): _name_of(character) for character in _strange(lack.characters)}
    raise InputError("The PDF has characters that no font here can show. Export another format instead.")


def _set(template: bytes, data: str, day: date, *, of_the_machine: bool) -> bytes:
    font_paths = fonts(of_the_machine=of_the_machine)
    moment = datetime.combine(day, time(), UTC)
    # A heading of invisible characters, say, cannot be tagged: a file that a screen reader likes less is still a file.
    for tagged in (True, False):
        # A compiler made of bytes forgets them once it has compiled, so there is one for each way.
        compiler = typst.Compiler(
            template, font_paths=font_paths, ignore_system_fonts=not of_the_machine, sys_inputs={"data": data}
        )
        try:
            return _compiled(compiler, moment, tagged=tagged)
        except typst.TypstError as error:
            if lacking := _without_sign(error.diagnostic):
                raise _NoSign(lacking) from error
            failure = error
    raise InputError(f"The PDF could not be set ({failure.message}). Export another format instead.") from failure


def _compiled(compiler: "typst.Compiler", moment: datetime, *, tagged: bool) -> bytes:
    content = compiler.compile(format="pdf", pdf_standards="ua-1" if tagged else [], timestamp=moment)
    assert isinstance(content, bytes)
    return content


def _without_sign(diagnostic: str) -> str:
    """The characters that typst says it has no sign for, each once, in the order of appearance."""
    texts = (_ESCAPED.sub(_unescaped, found) for found in _WITHOUT_SIGN.findall(diagnostic))
    return "".join(dict.fromkeys("".join(texts)))


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else found[2]


def _strange(lacking: str) -> str:
    """Without what every font has: a figure is only reported for the sake of a mark that is put on it."""
    return "".join(character for character in lacking if not character.isascii()) or lacking


def _name_of(character: str) -> str:
    if unicodedata.category(character) == "Cf":
        return ""
    return f"[{unicodedata.name(character, f'U+{ord(character):04X}').lower()}]"


def _notes_on(signs: Signs) -> tuple[str, ...]:
    named = [chr(sign) for sign, name in signs.items() if name]
    shown = " ".join(named[:_SHOWN]) + (" …" if len(named) > _SHOWN else "")
    note = (
        f"No font here has {shown}: the PDF prints the name of each instead. "
        "Install a font that has them and export again, or use another format."
    )
    return (note,) if named else ()
