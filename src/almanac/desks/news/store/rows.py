"""What the store's modules share: the named statements, and rows whose moments get the zone they are in."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

from almanac.relational import Row, load_queries

QUERIES = load_queries(__package__)

T = TypeVar("T")


def in_utc(build: Callable[..., T]) -> Callable[..., T]:
    """Build a row's object with every moment marked as UTC."""

    def built(**row: Any) -> T:
        mark_utc(row)
        return build(**row)

    return built


def mark_utc(row: Row) -> None:
    """Mark every moment of a row as UTC, in place."""
    for name, value in row.items():
        if type(value) is datetime and value.tzinfo is None:
            row[name] = value.replace(tzinfo=UTC)


def to_naive_utc(moment: datetime) -> datetime:
    """A moment as these tables store it: in UTC and without a zone."""
    return moment.astimezone(UTC).replace(tzinfo=None)


def columns(**row: Any) -> dict[str, Any]:
    """A row as a dictionary."""
    return row
