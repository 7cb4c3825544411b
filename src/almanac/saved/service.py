"""Saved queries of a person: save, list, edit, delete, run, and open or close their feed."""

from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject
from almanac.errors import Conflict, NotFound, StaleEdit
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.text import slug
from almanac.relational import Database, Unit
from almanac.saved import store
from almanac.saved.alerts import NO_SAVED_QUERY, Alerts
from almanac.saved.model import SavedQuery, SavedQueryInput, clean_query
from almanac.saved.query_runner import run_query
from almanac.search import SearchIndex, SearchResults, SearchViewer

MAX_SAVED_QUERIES = 200


@dataclass(frozen=True, slots=True)
class SavedQueries:
    """Saved queries belong to the person who saved them; for everybody else they don't exist."""

    database: Database
    clock: Clock
    index: SearchIndex
    alerts: Alerts
    public_kinds: tuple[str, ...] = ()

    async def save(self, by: Principal, wish: SavedQueryInput) -> SavedQuery:
        """Save a search; raises Conflict at the maximum number."""
        by.require("saved.own")
        wish = clean_query(wish, self.index)
        async with self.database.unit() as unit:
            if await store.count_saved(unit, by.user_id) >= MAX_SAVED_QUERIES:
                raise Conflict(
                    gettext(
                        "You have %(limit)s saved queries, the maximum; delete one first.",
                        limit=MAX_SAVED_QUERIES,
                    )
                )
            saved_id = new_id()
            await store.add_saved(unit, saved_id, by.user_id, wish, self.clock.now())
            await self._audit(unit, by, "saved_query.saved", saved_id)
            return await self._own(unit, by, saved_id)

    async def list(self, by: Principal) -> list[SavedQuery]:
        """The principal's saved queries, by name."""
        by.require("saved.read")
        async with self.database.reading() as reading:
            return await store.list_saved(reading, by.user_id)

    async def get(self, by: Principal, saved_id: str) -> SavedQuery:
        """One saved query of the principal; raises NotFound for others."""
        by.require("saved.read")
        async with self.database.unit() as unit:
            return await self._own(unit, by, saved_id)

    async def edit(self, by: Principal, saved_id: str, wish: SavedQueryInput, *, expected: int) -> SavedQuery:
        """Change a saved query. If its matches change, an active alert is reset; a stopped one stays stopped."""
        by.require("saved.own")
        wish = clean_query(wish, self.index)
        matches = await self.alerts.find_newest(wish, SearchViewer.for_principal(by))
        async with self.database.unit() as unit:
            saved = await self._own(unit, by, saved_id, lock=True)
            if saved.version != expected:
                sentence = gettext(
                    "This saved query was changed in the meantime; reload it and make your change again."
                )
                raise StaleEdit(sentence, str(saved.version))
            if saved.public_name is not None:
                by.require("saved.publish")
                self._check_public(wish)
            await store.update_saved(unit, saved_id, wish, self.clock.now())
            if saved.alert and saved.alert.is_on and _matches_differ(saved, wish):
                await self.alerts.reset(unit, saved_id, saved.alert.wish, matches)
            await self._audit(unit, by, "saved_query.edited", saved_id)
            return await self._own(unit, by, saved_id)

    async def delete(self, by: Principal, saved_id: str) -> None:
        """Delete a saved query with its feed and alert."""
        by.require("saved.own")
        async with self.database.unit() as unit:
            await self._own(unit, by, saved_id, lock=True)
            await store.delete_saved(unit, saved_id)
            await self._audit(unit, by, "saved_query.deleted", saved_id)

    async def run(self, by: Principal, saved_id: str, *, cursor: str | None = None, limit: int = 20) -> SearchResults:
        """Run a saved query now."""
        return await run_query(
            self.index, await self.get(by, saved_id), SearchViewer.for_principal(by), cursor=cursor, limit=limit
        )

    async def open_feed(self, by: Principal, saved_id: str) -> SavedQuery:
        """Give it a feed with a new secret address; an earlier address stops working at once.

        Anybody with the address can read, so a write-only token may not open a feed.
        """
        by.require("saved.read")
        return await self._set_feed(by, saved_id, on=True)

    async def close_feed(self, by: Principal, saved_id: str) -> SavedQuery:
        """Close the feed; its address stops working at once, for good."""
        return await self._set_feed(by, saved_id, on=False)

    async def publish(self, by: Principal, saved_id: str) -> SavedQuery:
        """Let anyone read what it finds among the public kinds of documents."""
        by.require("saved.publish")
        async with self.database.unit() as unit:
            saved = await self._own(unit, by, saved_id, lock=True)
            self._check_public(saved)
            name = slug(saved.name)[:60].strip("-") or saved.id
            await store.publish_saved(unit, saved_id, name, self.clock.now())
            await self._audit(unit, by, "saved_query.published", saved_id)
            return await self._own(unit, by, saved_id)

    async def withdraw(self, by: Principal, saved_id: str) -> SavedQuery:
        """Make it private again; its public address stops working at once."""
        by.require("saved.own")
        async with self.database.unit() as unit:
            await self._own(unit, by, saved_id, lock=True)
            await store.withdraw_saved(unit, saved_id)
            await self._audit(unit, by, "saved_query.withdrawn", saved_id)
            return await self._own(unit, by, saved_id)

    def _check_public(self, query: SavedQuery | SavedQueryInput) -> None:
        """Conflict if it could list what isn't public; a query over every kind lists the public ones."""
        if not self.public_kinds:
            raise Conflict(gettext("Feeds aren't public here: ALMANAC_PUBLIC doesn't list feeds."))
        if private := sorted(set(query.kinds) - set(self.public_kinds)):
            raise Conflict(
                gettext("Documents of the kind %(kind)s aren't public; choose other kinds first.", kind=private[0])
            )

    async def _set_feed(self, by: Principal, saved_id: str, *, on: bool) -> SavedQuery:
        by.require("saved.own")
        async with self.database.unit() as unit:
            await self._own(unit, by, saved_id, lock=True)
            await store.set_feed(unit, saved_id, on=on)
            await self._audit(unit, by, "saved_query.feed_opened" if on else "saved_query.feed_closed", saved_id)
            return await self._own(unit, by, saved_id)

    async def _own(self, unit: Unit, by: Principal, saved_id: str, *, lock: bool = False) -> SavedQuery:
        saved = await (store.lock_saved if lock else store.find_saved)(unit, saved_id)
        if saved is None or not by.owns(saved.owner_id):
            raise NotFound(NO_SAVED_QUERY)
        return saved

    async def _audit(self, unit: Unit, by: Principal, action: str, saved_id: str) -> None:
        await audit.record(unit, self.clock, AuditAction(by.actor, action, AuditSubject("saved_query", saved_id)))


def _matches_differ(saved: SavedQuery, wish: SavedQueryInput) -> bool:
    return (saved.query, set(saved.kinds), {n: set(v) for n, v in saved.filters.items()}) != (
        wish.query,
        set(wish.kinds),
        {n: set(v) for n, v in wish.filters.items()},
    )
