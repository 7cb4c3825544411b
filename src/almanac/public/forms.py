"""What anybody may send: forms that a part declares, and the one verb behind each.

The public side checks a form and hands its texts to a receiver by name. A receiver is bound to what it needs elsewhere,
so nothing here can write, send or look anything up by itself.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from almanac.kit.messages import gettext

FieldCheck = Callable[[str], None]
MISSING = gettext("Fill in this field.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentForm:
    """A form as a receiver gets it: texts within their limits, and no word about who sent them."""

    language: str
    params: Mapping[str, str]
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ShownForm:
    """What a form's page shows again: the texts that were typed, and a sentence for each that is wrong."""

    values: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)


FormReceiver = Callable[[SentForm], Awaitable[str | None]]
"""Takes a form and says where to go on, as a path below the language; None for the form's own next page."""


class FormGate(Protocol):
    """Counts what was sent, over all processes."""

    async def spend(self, form: str, caller: str, *, per_hour: int, in_all: int) -> int:
        """Count one; returns the seconds to wait if it is more than allowed from this caller or from everybody."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicField:
    """A text of a form, at most so many characters long. `check` raises InputError with a sentence for the reader."""

    name: str
    most: int = 200
    required: bool = True
    many_lines: bool = False
    check: FieldCheck | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicForm:
    """A form at the path of a route, which shows it: POST hands its texts to the receiver of its name.

    After that comes `done`, a path below the language that any cache may keep. If texts are wrong, the route's page is
    shown again with `form`, a ShownForm, among its values. From one address it takes `per_hour`, from everybody
    `in_all`; zero is without a limit, for what a signature in the path protects.
    """

    name: str
    path: str
    about: str
    done: str
    fields: tuple[PublicField, ...] = ()
    per_hour: int = 12
    in_all: int = 600
