"""What another program wrote about a sitting: the documented `asset.json`, read in every form it has had.

A summary is a text or an object with its orders; a list of one may stand without the list. What is missing or of
another type is left out, and the rest is kept. Texts are Markdown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

TEXT_FIELDS = ("key_points", "summary", "soft_language_summary", "soft_summary", "middle_summary", "dialogs")
"""The heavy fields of an article; `soft_summary` is an earlier name of `soft_language_summary`."""
_MOST_DIALOGS = 5000
_TEXT_NAMES = ("summary", "text", "point", "key_point", "content")


@dataclass(frozen=True, slots=True)
class ForeignText:
    """A Markdown text and the orders of the speeches that its writer says it is based on."""

    text: str
    orders: Sequence[int] = ()
    title: str = ""


@dataclass(frozen=True, slots=True)
class ForeignSection:
    """One part of a speech in short."""

    title: str
    bullets: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignDialog:
    """One speech: who spoke, what it does, in short and in the original words, as far as the program says."""

    order: int
    speaker: str = ""
    yomi: str = ""
    group: str = ""
    position: str = ""
    reaction: str = ""
    summary: str = ""
    plain: str = ""
    sections: Sequence[ForeignSection] = ()
    original: str = ""

    @property
    def details(self) -> str:
        """What the speaker was."""
        return "・".join(filter(None, (self.position, self.group)))


@dataclass(frozen=True, slots=True)
class ForeignParticipant:
    """Somebody who spoke, and what they said in short."""

    name: str
    details: str = ""
    summary: str = ""
    orders: Sequence[int] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignTexts:
    """Every level of an article of another program."""

    points: Sequence[ForeignText] = ()
    summary: Sequence[ForeignText] = ()
    plain: Sequence[ForeignText] = ()
    detailed: Sequence[ForeignText] = ()
    dialogs: Sequence[ForeignDialog] = ()
    fields: Mapping[str, object] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.points or self.summary or self.plain or self.detailed or self.dialogs)


def parse_texts(asset: Mapping[str, object]) -> ForeignTexts:
    """The texts in a decoded asset; empty where it has none of the documented fields."""
    fields = {name: asset[name] for name in TEXT_FIELDS if asset.get(name)}
    return ForeignTexts(
        points=_texts(fields.get("key_points")),
        summary=_texts(fields.get("summary")),
        plain=_texts(fields.get("soft_language_summary") or fields.get("soft_summary")),
        detailed=_texts(fields.get("middle_summary")),
        dialogs=_dialogs(fields.get("dialogs")),
        fields=fields,
    )


def parse_participants(listed: Sequence[object]) -> list[ForeignParticipant]:
    """Those who have a name; a plain text is a name."""
    people = [_participant(item) for item in listed]
    return [person for person in people if person.name]


def _participant(item: object) -> ForeignParticipant:
    if not isinstance(item, Mapping):
        return ForeignParticipant(_text(item))
    details = "・".join(filter(None, (_text(item.get(name)) for name in ("position", "role", "group"))))
    return ForeignParticipant(
        _text(item.get("name")), details, _text(item.get("summary")), _orders(item.get("based_on_orders"))
    )


def _texts(value: object) -> list[ForeignText]:
    items = [_foreign_text(item) for item in _list(value)]
    return [item for item in items if item.text]


def _foreign_text(item: object) -> ForeignText:
    if not isinstance(item, Mapping):
        return ForeignText(_text(item))
    written = next((text for name in _TEXT_NAMES if (text := _text(item.get(name)))), "")
    return ForeignText(written, _orders(item.get("based_on_orders")), _text(item.get("title")))


def _dialogs(value: object) -> list[ForeignDialog]:
    """In the order of the speeches; one without a number has that of its place."""
    items = [item for item in _list(value) if isinstance(item, Mapping)][:_MOST_DIALOGS]
    return sorted((_dialog(item, place) for place, item in enumerate(items)), key=lambda dialog: dialog.order)


def _dialog(item: Mapping[str, object], place: int) -> ForeignDialog:
    order = _number(item.get("order"))
    return ForeignDialog(
        order=place if order is None else order,
        speaker=_first(item, "speaker", "name"),
        yomi=_first(item, "speakerYomi", "yomi"),
        group=_first(item, "speakerGroup", "group"),
        position=_first(item, "position", "speakerPosition"),
        reaction=_first(item, "reaction"),
        summary=_first(item, "summary"),
        plain=_first(item, "soft_language"),
        sections=_sections(item.get("summary_sections")),
        original=_first(item, "original_text", "originalText", "speech"),
    )


def _sections(value: object) -> list[ForeignSection]:
    items = [item for item in _list(value) if isinstance(item, Mapping)]
    sections = [
        ForeignSection(
            _text(item.get("title")), [text for bullet in _list(item.get("bullets")) if (text := _text(bullet))]
        )
        for item in items
    ]
    return [section for section in sections if section.bullets]


def _first(item: Mapping[str, object], *names: str) -> str:
    return next((text for name in names if (text := _text(item.get(name)))), "")


def _list(value: object) -> Sequence[object]:
    if value is None:
        return ()
    return value if isinstance(value, list | tuple) else (value,)


def _text(value: object) -> str:
    return value.replace("\0", "").strip() if isinstance(value, str) else ""


def _orders(value: object) -> list[int]:
    numbers = (_number(item) for item in _list(value))
    return [number for number in numbers if number is not None]


def _number(value: object) -> int | None:
    """A whole number of a speech, which JSON may hold as a float or a text."""
    text = str(value).removesuffix(".0").strip() if isinstance(value, int | float | str) else ""
    return int(text) if text.isdecimal() and len(text) <= 7 else None
