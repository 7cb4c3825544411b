"""Texts for people in the language of whoever reads them.

    raise NotFound(gettext("There is no story %(id)s.", id=story_id))

`gettext`, `ngettext` and `pgettext` make a `Translatable`: a string that is English wherever it is stored, logged or
printed, and that remembers what it was made of. A page shows it in the reader's language, because rendering happens
inside `speaking(language)`; elsewhere `translate` says it in a given language. Values may be messages themselves, and
days and amounts of money are written as the language writes them.

Translations are in the .po files of `almanac.kit.catalogs`; `make locales` brings those up to date with the code.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from decimal import Decimal
from typing import Self

from markupsafe import Markup, escape

from almanac.kit.catalogs import SOURCE_LANGUAGE, get_catalog, nearest_language
from almanac.kit.locale_formats import (
    DayShape,
    format_day,
    format_figure,
    format_money,
    format_number,
    format_quantity,
    format_shape,
    name_country,
)
from almanac.kit.money import Money

_language: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


class Translatable(str):
    """A text for a person: English as a string, and all that is needed to say it in another language."""

    __slots__ = ("_context", "_number", "_plural", "_source", "_values")
    _context: str
    _number: int | None
    _plural: str
    _source: str
    _values: Mapping[str, object]

    def __new__(
        cls,
        source: str,
        values: Mapping[str, object],
        *,
        plural: str = "",
        number: int | None = None,
        context: str = "",
    ) -> Self:
        values = {"num": number, **values} if number is not None else values
        english = source if number is None or number == 1 else plural
        message = super().__new__(cls, english % _written(values, SOURCE_LANGUAGE))
        message._source, message._plural, message._context = source, plural, context
        message._values, message._number = values, number
        return message

    def translated(self, language: str) -> str:
        """This text in a language; English where there is no translation."""
        if nearest_language(language) == SOURCE_LANGUAGE:
            return str(self)
        catalog = get_catalog(language)
        if self._number is None:
            pattern = catalog.gettext(self._source, self._context)
        else:
            pattern = catalog.ngettext(self._source, self._plural, self._number)
        return pattern % _written(self._values, language)

    def refilled(self, values: Mapping[str, object]) -> "Translatable":
        """The same text with other values."""
        return Translatable(
            self._source,
            {**self._values, **values},
            plural=self._plural,
            number=self._number,
            context=self._context,
        )

    def __html__(self) -> Markup:
        """How templates show it: in the language that is being spoken."""
        return escape(self.translated(_language.get()))

    def __getnewargs_ex__(self) -> tuple[tuple[object, ...], dict[str, object]]:
        return (self._source, dict(self._values)), {
            "plural": self._plural,
            "number": self._number,
            "context": self._context,
        }


class TranslatableDay(Translatable):
    """A day in a shape of its own, such as `2 Mar` in a chart."""

    __slots__ = ("_day", "_shape")
    _day: date
    _shape: DayShape

    def __new__(cls, day: date, shape: DayShape) -> Self:
        message = super().__new__(cls, format_shape(day, shape, SOURCE_LANGUAGE), {})
        message._day, message._shape = day, shape
        return message

    def translated(self, language: str) -> str:
        """The day as a language writes it."""
        return format_shape(self._day, self._shape, language)

    def __getnewargs_ex__(self) -> tuple[tuple[object, ...], dict[str, object]]:
        return (self._day, self._shape), {}


class TranslatableFigure(Translatable):
    """A number that stands by itself, such as the label of a bar."""

    __slots__ = ("_figure",)
    _figure: float | Decimal

    def __new__(cls, figure: float | Decimal) -> Self:
        message = super().__new__(cls, f"{figure:,f}" if isinstance(figure, Decimal) else f"{figure:,g}", {})
        message._figure = figure
        return message

    def translated(self, language: str) -> str:
        """The number as a language writes it."""
        if nearest_language(language) == SOURCE_LANGUAGE:
            return str(self)
        figure = self._figure
        return format_figure(figure if isinstance(figure, Decimal) else Decimal(f"{figure:g}"), language)

    def __getnewargs_ex__(self) -> tuple[tuple[object, ...], dict[str, object]]:
        return (self._figure,), {}


class TranslatableCountry(Translatable):
    """The name of a country, such as `Malaysia` for MY."""

    __slots__ = ("_code",)
    _code: str

    def __new__(cls, code: str) -> Self:
        message = super().__new__(cls, name_country(code, SOURCE_LANGUAGE).replace("%", "%%"), {})
        message._code = code
        return message

    def translated(self, language: str) -> str:
        """What a language calls the country."""
        return name_country(self._code, language)

    def __getnewargs_ex__(self) -> tuple[tuple[object, ...], dict[str, object]]:
        return (self._code,), {}


class TranslatableList(Translatable):
    """Texts in a row with commas, such as weekdays."""

    __slots__ = ("_items", "_separator")
    _items: tuple[str, ...]
    _separator: str

    def __new__(cls, items: Iterable[str], separator: str) -> Self:
        items = tuple(items)
        message = super().__new__(cls, separator.join(items).replace("%", "%%"), {})
        message._items, message._separator = items, separator
        return message

    def translated(self, language: str) -> str:
        """Each text in the language."""
        return translate(self._separator, language).join(translate(item, language) for item in self._items)

    def __getnewargs_ex__(self) -> tuple[tuple[object, ...], dict[str, object]]:
        return (self._items, self._separator), {}


def join_texts(items: Iterable[str], separator: str = ", ") -> Translatable:
    """Texts put side by side, each in the reader's language; for lists, not for making sentences."""
    return TranslatableList(items, separator)


def day_text(day: date, shape: DayShape) -> Translatable:
    """A day in a shape that isn't the usual one, in the reader's language."""
    return TranslatableDay(day, shape)


def country_text(code: str) -> Translatable:
    """The name of a country in the reader's language; what isn't a code is left as it is."""
    return TranslatableCountry(code)


def figure_text(figure: float | Decimal) -> Translatable:
    """A number in the reader's language; a decimal keeps all its places."""
    return TranslatableFigure(figure)


def money_text(money: Money) -> Translatable:
    """An amount of money in the reader's language."""
    return Translatable("%(amount)s", {"amount": money})


def gettext(source: str, /, **values: object) -> Translatable:
    """A text with its placeholders, such as `%(name)s`, filled. A percent sign is written `%%`."""
    return Translatable(source, values)


def refill(message: Translatable, values: Mapping[str, object]) -> Translatable:
    """The text with these values instead of those that it was made with; its other values stay."""
    return message.refilled(values)


def ngettext(singular: str, plural: str, number: int, /, **values: object) -> Translatable:
    """A text that depends on a number, which it may show as `%(num)s`."""
    return Translatable(singular, values, plural=plural, number=number)


def pgettext(context: str, source: str, /, **values: object) -> Translatable:
    """A text whose English means different things in different places; the context tells translators which."""
    return Translatable(source, values, context=context)


def join_sentences(sentences: Iterable[str]) -> str:
    """Sentences one after the other, each in the reader's language."""
    joined, *others = sentences
    for sentence in others:
        joined = gettext("%(first)s %(second)s", first=joined, second=sentence)
    return joined


def translate(text: str, language: str | None = None) -> str:
    """The text in a language, by default the one being spoken; a string that isn't a message stays as it is."""
    if not isinstance(text, Translatable):
        return text
    return text.translated(_language.get() if language is None else language)


def spoken_language() -> str:
    """The language in which messages are being shown."""
    return _language.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Show messages in this language within the block."""
    token = _language.set(nearest_language(language))
    try:
        yield
    finally:
        _language.reset(token)


def _written(values: Mapping[str, object], language: str) -> dict[str, object]:
    """The values as a language writes them."""
    return {
        name: format_number(value, language) if name == "num" and isinstance(value, int) else _write(value, language)
        for name, value in values.items()
    }


def _write(value: object, language: str) -> object:
    if isinstance(value, Translatable):
        return value.translated(language)
    if isinstance(value, Money):
        return format_money(value, language)
    if isinstance(value, date) and not isinstance(value, datetime):
        return format_day(value, language)
    if isinstance(value, Decimal):
        return format_quantity(value, language)
    return value
