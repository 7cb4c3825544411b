"""Histories: one record, one bill or one item of the agenda across sittings and houses, from its beginning."""

from collections.abc import Sequence

from almanac.desks.recap.store import articles as store
from almanac.desks.recap.table import ArticleCard, Matter, MatterCard
from almanac.desks.recap.views import Timeline, TimelineEntry
from almanac.errors import NotFound
from almanac.services import Services


async def issue_timeline(services: Services, issue_id: str) -> Timeline:
    """The articles about one record."""
    cards = await store.issue_history(services.tables, issue_id)
    if not cards:
        raise NotFound("No article is about this record.")
    entries = [TimelineEntry(card=card, title=card.title) for card in cards]
    return Timeline(key=issue_id, title=cards[-1].title, entries=entries)


async def bill_timeline(services: Services, key: str) -> Timeline:
    """The sittings that dealt with a bill, in both houses and all committees."""
    cards = await store.bill_history(services.tables, key)
    return _timeline(key, [(card, card.bills or ()) for card in cards], "No article is about this bill.")


async def agenda_timeline(services: Services, key: str) -> Timeline:
    """The sittings that had an item on their agenda."""
    cards = await store.agenda_history(services.tables, key)
    return _timeline(key, [(card, card.agenda or ()) for card in cards], "No article has this item on its agenda.")


def _timeline(key: str, found: Sequence[tuple[MatterCard, Sequence[Matter]]], otherwise: str) -> Timeline:
    if not found:
        raise NotFound(otherwise)
    entries = [_entry(key, card, matters) for card, matters in found]
    return Timeline(key=key, title=entries[-1].title, entries=entries)


def _entry(key: str, card: ArticleCard, matters: Sequence[Matter]) -> TimelineEntry:
    mine = next((one for one in matters if one["key"] == key), Matter(key=key, title=key))
    return TimelineEntry(card=card, title=mine["title"], outcome=mine.get("outcome", ""), orders=mine.get("orders", []))
