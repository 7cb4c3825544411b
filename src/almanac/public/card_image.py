"""Pictures for link previews, drawn by typst from a few lines of text with the fonts that are part of the product.

A character that no font has is never drawn as an empty box: the fonts of the machine are tried, then the printers' mark
〓 stands for it, and a line that mostly consists of such characters is left out.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from unicodedata import category

from almanac.errors import Unavailable
from almanac.kit.json_text import encode_json
from almanac.pdf import find_missing_characters, render_png, sans_fonts

CARD_WIDTH, CARD_HEIGHT = 1200, 630
CARD_TYPE = "image/png"
_LONGEST, _LONGEST_FOOT = 160, 60
_MISSING = "〓"
_LEAST_READABLE = 0.75
_NO_CHARACTERS = ("Co", "Cn", "Cs")
_MOST_WAITING = 16
# After each picture the next one waits three times as long as it took: drawing takes a quarter of a core at most.
_REST = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardText:
    """What a picture says: a title, perhaps one line with a figure, and a foot. The language chooses the characters."""

    title: str
    language: str
    line: str = ""
    figure: str = ""
    foot: str = ""

    @property
    def alt(self) -> str:
        """The same in words, for whoever doesn't see it."""
        return ". ".join(filter(None, (self.title, self.line, self.figure, self.foot)))


class CardPainter:
    """Draws one picture at a time in a thread. So many may wait; beyond that it is Unavailable."""

    def __init__(self, site: str) -> None:
        self._site = site
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._rests_until = 0.0

    async def paint(self, text: CardText) -> bytes:
        if self._waiting >= _MOST_WAITING:
            raise Unavailable("Too many pictures are being drawn at once; ask again in a moment.")
        self._waiting += 1
        try:
            async with self._turn:
                await asyncio.sleep(max(0.0, self._rests_until - perf_counter()))
                began = perf_counter()
                picture = await asyncio.to_thread(draw_card, text, self._site)
                ended = perf_counter()
                self._rests_until = ended + _REST * (ended - began)
                return picture
        finally:
            self._waiting -= 1


def draw_card(text: CardText, site: str) -> bytes:
    """The picture as PNG."""
    data = {**asdict(text), "site": _shorten(site, _LONGEST_FOOT), "title": _shorten(text.title)}
    data |= {"line": _shorten(text.line), "foot": _shorten(text.foot, _LONGEST_FOOT)}
    # What a private code point means is known to its own font alone.
    private = "".join({sign for words in data.values() for sign in words if category(sign) in _NO_CHARACTERS})
    data = {name: _without(words, private) for name, words in data.items()}
    fonts = sans_fonts(text.language)
    system_fonts = bool(find_missing_characters(_template(), _encode(data, fonts)))
    if system_fonts:
        missing = find_missing_characters(_template(), _encode(data, fonts), system_fonts=True)
        data = {name: _without(words, missing) for name, words in data.items()}
    return render_png(_template(), _encode(data, fonts), system_fonts=system_fonts)


def _encode(data: Mapping[str, str], fonts: Sequence[str]) -> str:
    return encode_json({**data, "fonts": fonts}).decode()


def _shorten(words: str, longest: int = _LONGEST) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


def _without(words: str, missing: str) -> str:
    """The words with a mark for each missing character; empty where too little of them would be left."""
    kept = sum(character not in missing for character in words)
    if kept < _LEAST_READABLE * len(words):
        return ""
    return "".join(_MISSING if character in missing else character for character in words)


@cache
def _template() -> bytes:
    return Path(__file__).with_name("card.typ").read_bytes()
