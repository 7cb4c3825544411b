"""Amazon resource names of tables, indexes, streams and backups, and the way back from a name to its table."""

import re
from dataclasses import dataclass

_TABLE_ARN = re.compile(r"arn:aws[a-z-]*:dynamodb:[a-z0-9-]*:\d*:table/([a-zA-Z0-9_.-]{3,255})")
_STREAM_ARN = re.compile(_TABLE_ARN.pattern + r"/stream/(.+)")
_BACKUP_ARN = re.compile(_TABLE_ARN.pattern + r"/backup/(\S+)")


@dataclass(frozen=True)
class Arns:
    """Resource names in the region and account that the engine claims to be in."""

    region: str
    account: str

    def table(self, name: str) -> str:
        return f"arn:aws:dynamodb:{self.region}:{self.account}:table/{name}"

    def index(self, table: str, index: str) -> str:
        return f"{self.table(table)}/index/{index}"

    def stream(self, table: str, label: str) -> str:
        return f"{self.table(table)}/stream/{label}"

    def backup(self, table: str, label: str) -> str:
        return f"{self.table(table)}/backup/{label}"

    def key(self, name: str) -> str:
        """An encryption key's, given its ARN, its alias or its id."""
        if name.startswith("arn:"):
            return name
        resource = name if name.startswith("alias/") else f"key/{name}"
        return f"arn:aws:kms:{self.region}:{self.account}:{resource}"


@dataclass(frozen=True)
class Part:
    """A stream or a backup as its ARN names it."""

    table: str
    label: str


def table_of(name_or_arn: str) -> str:
    """Return the table's name whether it was given as a name or as an ARN."""
    matched = _TABLE_ARN.fullmatch(name_or_arn)
    return matched.group(1) if matched else name_or_arn


def parse_table_arn(text: str) -> str | None:
    matched = _TABLE_ARN.fullmatch(text)
    return matched.group(1) if matched else None


def parse_stream_arn(text: str) -> Part | None:
    matched = _STREAM_ARN.fullmatch(text)
    return Part(*matched.groups()) if matched else None


def parse_backup_arn(text: str) -> Part | None:
    matched = _BACKUP_ARN.fullmatch(text)
    return Part(*matched.groups()) if matched else None
