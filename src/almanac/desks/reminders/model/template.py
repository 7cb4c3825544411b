"""A template as people know it: an id, a version that never changes, and its text."""

import re
from dataclasses import dataclass
from datetime import datetime

from almanac.errors import InputError

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One version. `created_at` is None for a text that comes with Almanac and was never used yet."""

    id: str
    version: int
    name: str
    subject: str
    body: str
    kind: str = ""
    active: bool = True
    created_at: datetime | None = None


def check_template_id(template_id: str) -> str:
    if not _ID.fullmatch(template_id):
        raise InputError("A template's id has up to 60 small letters, digits, underscores and hyphens.")
    return template_id
