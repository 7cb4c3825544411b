"""A newsletter's files in the object store, under the documented keys."""

from dataclasses import dataclass

import msgspec

from almanac.desks.newsletter.model.outline import NewsletterOutline
from almanac.errors import NotFound
from almanac.kit.json_text import encode_json
from almanac.objects import ObjectStore


@dataclass(frozen=True, slots=True)
class OutlineBackup:
    """An outline, and the number of the version that replaced it."""

    followed_by: int
    outline: NewsletterOutline


def export_prefix(code: str) -> str:
    """The prefix of everything that belongs to a newsletter."""
    return f"newsletters/{code}/"


def export_key(code: str, ending: str) -> str:
    """Such as `newsletters/NL-20260126-A1B2/export.pdf`."""
    return f"{export_prefix(code)}export.{ending}"


async def save_outline_backup(objects: ObjectStore, code: str, backup: OutlineBackup) -> None:
    """Keep the outline from before the last removal; it replaces the one kept before."""
    await objects.put(_backup_key(code), encode_json(backup), content_type="application/json")


async def get_outline_backup(objects: ObjectStore, code: str) -> OutlineBackup | None:
    """The outline from before the last removal, or None."""
    try:
        return msgspec.json.decode(await objects.get(_backup_key(code)), type=OutlineBackup)
    except NotFound:
        return None


def _backup_key(code: str) -> str:
    return f"{export_prefix(code)}outline-before.json"
