"""Amazon resource names of tables, indexes, streams and backups, and the way back from a name to its table."""

import re
from dataclasses import dataclass

REGION = "us-east-1"
ACCOUNT = "000000000000"
_TABLE_PREFIX = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/"
_TABLE_ARN = re.compile(r"arn:aws[a-z-]*:dynamodb:[a-z0-9-]*:\d*:table/([a-zA-Z0-9_.-]{3,255})")
_STREAM_ARN = re.compile(r"arn:aws[a-z-]*:dynamodb:[a-z0-9-]*:\d*:table/([a-zA-Z0-9_.-]{3,255})/stream/(.+)")
_BACKUP_ARN = re.compile(r"arn:aws[a-z-]*:dynamodb:[a-z0-9-]*:\d*:table/([a-zA-Z0-9_.-]{3,255})/backup/(\S+)")


@dataclass(frozen=True)
class Part:
    """A stream or a backup as its ARN names it."""

    table: str
    label: str


def table_arn(name: str) -> str:
    return _TABLE_PREFIX + name


def index_arn(table: str, index: str) -> str:
    return f"{_TABLE_PREFIX}{table}/index/{index}"


def stream_arn(table: str, label: str) -> str:
    return f"{_TABLE_PREFIX}{table}/stream/{label}"


def backup_arn(table: str, label: str) -> str:
    return f"{_TABLE_PREFIX}{table}/backup/{label}"


def table_of(name_or_arn: str) -> str:
    """Return the table's name whether it was given as a name or as an ARN."""
    matched = _TABLE_ARN.fullmatch(name_or_arn)
    return matched.group(1) if matched else name_or_arn


def is_table_arn(text: str) -> bool:
    return _TABLE_ARN.fullmatch(text) is not None


def parse_stream_arn(text: str) -> Part | None:
    matched = _STREAM_ARN.fullmatch(text)
    return Part(*matched.groups()) if matched else None


def parse_backup_arn(text: str) -> Part | None:
    matched = _BACKUP_ARN.fullmatch(text)
    return Part(*matched.groups()) if matched else None
