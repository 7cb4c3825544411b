"""Chinese in one writing: traditional characters as simplified ones, one for one, so that offsets stay."""

from functools import cache

from almanac.kit.lazy_regex import lazy_regex
from almanac.verify.vocabulary import words_of

_KANA = lazy_regex("[\u3041-\u3096\u30a1-\u30fa]")


def has_kana(text: str) -> bool:
    """Whether a text is Japanese, whose characters often look traditional and are left alone."""
    return bool(_KANA.search(text))


def simplified(text: str) -> str:
    """The text in simplified characters, as far as they are common enough to be listed."""
    return text if text.isascii() else text.translate(_table())


@cache
def _table() -> dict[int, str]:
    return {ord(pair[0]): pair[1] for pair in words_of("traditional.txt")}
