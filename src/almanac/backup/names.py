"""The names of archives, which tell what they are and when they were made."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

DAILY, BEFORE_UPGRADE = "almanac", "before-upgrade"
SEALED, BAD = ".enc", "bad-"
_MOMENT = "%Y%m%d-%H%M%S"
_NAME = re.compile(rf"({BAD})?({DAILY}|{BEFORE_UPGRADE})-(\d{{8}}-\d{{6}})\.tar\.gz(\{SEALED})?")


@dataclass(frozen=True, slots=True)
class StoredBackup:
    """An archive in its place, as its name tells."""

    name: str
    kind: str
    created_at: datetime
    encrypted: bool
    bad: bool
    bytes: int


def archive_name(kind: str, moment: datetime, *, encrypted: bool) -> str:
    return f"{kind}-{moment.astimezone(UTC).strftime(_MOMENT)}.tar.gz{SEALED if encrypted else ''}"


def parse_name(name: str, size: int) -> StoredBackup | None:
    """What a name tells; None for one that isn't ours."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    bad, kind, moment, sealed = match.groups()
    try:
        created_at = datetime.strptime(moment, _MOMENT).replace(tzinfo=UTC)
    except ValueError:
        return None
    return StoredBackup(name, kind, created_at, bool(sealed), bool(bad), size)
