"""An edit that somebody else's was quicker than, as a form shows it: both versions of each field that differs.

What was typed is sent back to the browser whole, so that "Keep mine" saves it over the newer version knowingly.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starlette.requests import Request

_NOT_TYPED = frozenset({"csrf_token", "version"})


@dataclass(frozen=True, slots=True)
class EditConflict:
    """`rows` are (field, mine, saved); `fields` is the form to send again, on the current version."""

    rows: list[tuple[str, str, str]]
    fields: list[tuple[str, str]]
    action: str
    href: str


async def make_conflict(
    request: Request, rows: Iterable[tuple[str, str, str]], version: object, href: str
) -> EditConflict:
    """The conflict of the form that was sent with the current `version`; `href` is where that is shown."""
    fields = [*await _list_typed(request), ("version", str(version))]
    return EditConflict([row for row in rows if row[1] != row[2]], fields, request.url.path, href)


def compare_fields(
    labels: Mapping[str, str], mine: Mapping[str, str], saved: Mapping[str, str]
) -> list[tuple[str, str, str]]:
    """The fields that have a label, with what was typed and what is saved now."""
    return [(label, mine.get(name, ""), saved.get(name, "")) for name, label in labels.items()]


async def _list_typed(request: Request) -> list[tuple[str, str]]:
    form = await request.form()
    return [(name, value) for name, value in form.multi_items() if isinstance(value, str) and name not in _NOT_TYPED]
