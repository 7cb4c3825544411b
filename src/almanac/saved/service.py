"""The verbs of saved queries: each person's own, edited without lost updates, run with the eyes of who asks."""

from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject
from almanac.errors import Conflict, NotFound, StaleEdit
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.relational import Database, Unit
from almanac.saved import store
from almanac.saved.alerts import Alerts
from almanac.saved.finding import find
from almanac.saved.model import QueryWish, SavedQuery, cleaned
from almanac.search import SearchIndex, SearchResults, SearchViewer

MOST_SAVED = 200


@dataclass(frozen=True, slots=True)
class SavedQueries:
    """Saved queries belong to whoever saved them: to everybody else they are not there."""

    database: Database
    clock: Clock
    index: SearchIndex
    alerts: Alerts

    async def save(self, by: Principal, wish: QueryWish) -> SavedQuery:
        """Keep a search."""
        by.require("saved.own")
        wish = cleaned(wish, self.index)
        async with self.database.unit() as unit:
            if await store.count_saved(unit, by.user_id) >= MOST_SAVED:
                raise Conflict(f"You have {MOST_SAVED} saved queries; delete one that you no longer need.")
            saved_id = new_id()
            await store.add_saved(unit, saved_id, by.user_id, wish, self.clock.now())
            await self._note(unit, by, "saved_query.saved", saved_id)
            return await self._own(unit, by, saved_id)

    async def list(self, by: Principal) -> list[SavedQuery]:
        """One's own, by name."""
        by.require("saved.read")
        async with self.database.reading() as reading:
            return await store.list_saved(reading, by.user_id)

    async def get(self, by: Principal, saved_id: str) -> SavedQuery:
        """One of one's own, or NotFound."""
        by.require("saved.read")
        async with self.database.unit() as unit:
            return await self._own(unit, by, saved_id)

    async def edit(self, by: Principal, saved_id: str, wish: QueryWish, *, expected: int) -> SavedQuery:
        """Change a saved query. If it now finds other things, its alert begins anew; a stopped one stays so."""
        by.require("saved.own")
        wish = cleaned(wish, self.index)
        there = await self.alerts.look(wish, SearchViewer.for_principal(by))
        async with self.database.unit() as unit:
            saved = await self._own(unit, by, saved_id, lock=True)
            if saved.version != expected:
                sentence = "This saved query was changed elsewhere first; load it again and repeat your change."
                raise StaleEdit(sentence, str(saved.version))
            await store.update_saved(unit, saved_id, wish, self.clock.now())
            if saved.alert and saved.alert.is_on and _finds_other_things(saved, wish):
                await self.alerts.begin_anew(unit, saved_id, saved.alert.wish, there)
            await self._note(unit, by, "saved_query.edited", saved_id)
            return await self._own(unit, by, saved_id)

    async def delete(self, by: Principal, saved_id: str) -> None:
        """Forget a saved query with its feed and alert."""
        by.require("saved.own")
        async with self.database.unit() as unit:
            await self._own(unit, by, saved_id, lock=True)
            await store.delete_saved(unit, saved_id)
            await self._note(unit, by, "saved_query.deleted", saved_id)

    async def run(self, by: Principal, saved_id: str, *, cursor: str | None = None, limit: int = 20) -> SearchResults:
        """What it finds now."""
        return await find(
            self.index, await self.get(by, saved_id), SearchViewer.for_principal(by), cursor=cursor, limit=limit
        )

    async def open_feed(self, by: Principal, saved_id: str) -> SavedQuery:
        """Give it a feed with an address that nobody knows yet; an address it had is over at once.

        Whoever has the address reads, so a token that may only write gets none.
        """
        by.require("saved.read")
        return await self._set_feed(by, saved_id, on=True)

    async def close_feed(self, by: Principal, saved_id: str) -> SavedQuery:
        """Let it have no feed; the address stops working at once and never comes back."""
        return await self._set_feed(by, saved_id, on=False)

    async def _set_feed(self, by: Principal, saved_id: str, *, on: bool) -> SavedQuery:
        by.require("saved.own")
        async with self.database.unit() as unit:
            await self._own(unit, by, saved_id, lock=True)
            await store.set_feed(unit, saved_id, on=on)
            await self._note(unit, by, f"saved_query.feed_{'opened' if on else 'closed'}", saved_id)
            return await self._own(unit, by, saved_id)

    async def _own(self, unit: Unit, by: Principal, saved_id: str, *, lock: bool = False) -> SavedQuery:
        saved = await (store.lock_saved if lock else store.find_saved)(unit, saved_id)
        if saved is None or not by.owns(saved.owner_id):
            raise NotFound("You have no such saved query.")
        return saved

    async def _note(self, unit: Unit, by: Principal, action: str, saved_id: str) -> None:
        await audit.record(unit, self.clock, AuditAction(by.actor, action, AuditSubject("saved_query", saved_id)))


def _finds_other_things(saved: SavedQuery, wish: QueryWish) -> bool:
    return (saved.query, set(saved.kinds), {n: set(v) for n, v in saved.filters.items()}) != (
        wish.query,
        set(wish.kinds),
        {n: set(v) for n, v in wish.filters.items()},
    )
