"""Mails and feeds lead to a page that shows what the saved query finds, and nothing else."""

from datetime import UTC, datetime

import pytest

from almanac.saved import SavedQuery
from almanac.saved.query_runner import page_path

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def saved(kinds: tuple[str, ...] = (), **filters: tuple[str, ...]) -> SavedQuery:
    return SavedQuery(
        id="7",
        owner_id="ada",
        name="Water",
        query="water",
        kinds=kinds,
        filters=filters,
        sort="relevance",
        version=1,
        feed_generation=None,
        created_at=NOW,
        updated_at=NOW,
    )


def test_what_the_search_page_can_ask_is_seen_there_newest_first():
    assert page_path(saved()) == "/search?q=water&order=-date"
    assert page_path(saved(("news.link",), lang=("ja",))) == "/search?q=water&kind=news.link&lang=ja&order=-date"


@pytest.mark.parametrize(
    "narrower", [saved(tag=("rice",)), saved(("news.link", "recap.article")), saved(lang=("en", "ja"))]
)
def test_what_it_can_t_ask_is_seen_on_the_query_s_own_page(narrower):
    assert page_path(narrower) == "/saved/7"
