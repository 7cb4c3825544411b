"""Versions on edits: an ETag goes out with what was read and must come back in If-Match, so no update is lost."""

from typing import Annotated, Protocol, TypeVar

from fastapi import Header, Response

from almanac.errors import EditGuardMissing, InputError, StaleEdit

IfMatch = Annotated[str | None, Header(alias="If-Match", description="The ETag of the version that this edit changes.")]


def etag(version: int | str) -> str:
    """A strong ETag."""
    return f'"{version}"'


class Versioned(Protocol):
    """Something whose version rises with each edit."""

    @property
    def version(self) -> int: ...


T = TypeVar("T", bound=Versioned)


def tagged(response: Response, item: T) -> T:
    """The item itself, once the answer carries its version."""
    response.headers["ETag"] = etag(item.version)
    return item


def edited_version(if_match: str | None) -> int:
    """The version an edit was made on; without one the edit is refused, since it could overwrite somebody's work."""
    if not if_match:
        raise EditGuardMissing("Send If-Match with the ETag that you read, so that nobody's change is overwritten.")
    value = if_match.strip().removeprefix("W/").strip('"')
    if not value.isdecimal() or len(value) > 18:
        raise InputError('If-Match must be the ETag as it was sent, such as "3".')
    return int(value)


def check_version(if_match: str | None, current: int) -> None:
    """Refuse an edit that was made on another version than the current one."""
    if edited_version(if_match) != current:
        raise StaleEdit("Somebody else changed this first; load it again and repeat your change.", str(current))
