"""The forms of corrections: the texts of an article to choose from, and numbers of speeches as people write them."""

import hashlib
from collections.abc import Sequence

from almanac.desks.recap.model.editorial import CorrectableText
from almanac.desks.recap.published.labels import CORRECTED_PARTS
from almanac.kit.lazy import lazy_regex
from almanac.kit.messages import gettext
from almanac.kit.text import shorten

_NUMBER = lazy_regex(r"\d{1,7}")
_SHOWN = 90


def text_key(text: CorrectableText) -> str:
    """A short name of a text for a form, the same as long as it stays as it is."""
    return hashlib.sha256(f"{text.part} {text.text}".encode()).hexdigest()[:16]


def text_options(texts: Sequence[CorrectableText]) -> list[tuple[str, str]]:
    """The whole article and each of its texts, as a select offers them."""
    return [
        ("", CORRECTED_PARTS["article"]),
        *(
            (
                text_key(text),
                gettext("%(name)s: %(value)s", name=CORRECTED_PARTS[text.part], value=shorten(text.text, _SHOWN)),
            )
            for text in texts
            if text.text
        ),
    ]


def read_orders(text: str) -> tuple[int, ...]:
    """The numbers of speeches in a text such as “12, 14”."""
    return tuple(dict.fromkeys(int(number) for number in _NUMBER.findall(text)))[:50]
