"""What a retrieval searches in the knowledge base, and when it searches nothing."""

from datetime import UTC, datetime
from types import SimpleNamespace

from almanac.desks.newsletter.pipeline import retrieve
from almanac.search import SearchViewer

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


async def test_a_topic_without_a_word_takes_nothing_and_not_everything():
    services = SimpleNamespace(search=None, knowledge=None)
    assert (
        await retrieve._search_knowledge(retrieve._PassageSearch(services, "amina", SearchViewer(), ("🔥",), NOW, NOW))
        == []
    )
