"""What the store's modules share: the named statements, and rows whose moments get the zone they are in."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

from almanac.relational import load_queries

QUERIES = load_queries(__package__)

T = TypeVar("T")


def in_utc(build: Callable[..., T]) -> Callable[..., T]:
    """Build a row's object with every moment marked as UTC."""

    def built(**row: Any) -> T:
        return build(**{name: _aware(value) for name, value in row.items()})

    return built


def columns(**row: Any) -> dict[str, Any]:
    """A row as a dictionary."""
    return row


def _aware(value: object) -> object:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value
