"""Choosing something by its name: which of the listed ones a typed text means, and answers to who types."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from starlette.responses import JSONResponse, Response

from almanac.errors import FieldErrors

NamedT = TypeVar("NamedT")
MAX_SUGGESTIONS, MAX_MATCHES = 10, 50


@dataclass(frozen=True, slots=True)
class NameChoice:
    """The key of what a text means; or else why it means nothing, and what it may mean as (key, label)."""

    key: str = ""
    error: str = ""
    matches: tuple[tuple[str, str], ...] = ()

    def errors(self, field: str) -> dict[str, str]:
        """What a form shows beside the field."""
        return {field: self.error} if self.error else {}

    def require(self, field: str) -> None:
        """FieldErrors unless the text means something."""
        if self.error:
            raise FieldErrors(self.errors(field))


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePicker(Generic[NamedT]):
    """How things of a kind are chosen by name. A label is the name with the key behind it, as people recognise it."""

    name: Callable[[NamedT], str]
    key: Callable[[NamedT], str]
    none_match: str
    several_match: str

    def label(self, named: NamedT) -> str:
        return f"{self.name(named)} ({self.key(named)})"

    def suggest(self, listed: Iterable[NamedT]) -> Response:
        """The labels, for the list below a field."""
        return JSONResponse([{"value": self.label(named)} for named in listed])

    def choose(self, typed: str, listed: Sequence[NamedT]) -> NameChoice:
        """The one with this name, or the only one listed; all of them to choose from if it may be several."""
        same = [named for named in listed if self.name(named).casefold() == typed.casefold()]
        if len(same) == 1 or len(listed) == 1:
            return NameChoice(self.key((same or listed)[0]))
        if not listed:
            return NameChoice(error=self.none_match)
        return NameChoice(
            error=self.several_match, matches=tuple((self.key(each), self.label(each)) for each in listed)
        )
