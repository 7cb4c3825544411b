"""The same fifteen attributes for every library that turns objects into items."""

from datetime import UTC, datetime
from typing import Any

MOMENT = datetime(2026, 1, 26, 10, 30, tzinfo=UTC)


def values() -> dict[str, Any]:
    """A newsletter: texts, numbers, times, a list and a map."""
    return {
        "code": "NL-20260126-A1B2",
        "title": "Weekly Research Digest",
        "description": "Newsletter for researchers of the region",
        "status": "draft",
        "user_id": "user123",
        "user_email": "user@example.com",
        "user_name": "User Name",
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "audience": ["researchers", "policy_makers", "development_partners"],
        "tone": 70,
        "depth": 50,
        "score": 0.89,
        "weekly": True,
        "meta": {"url": "https://example.com/study", "date": "2026-01-15"},
    }
