"""Alerts: a mail about what is new in a saved query, each document told of once, in whatever order they arrive.

An alert keeps the names of what it has told of. Taking note of a document and queueing the mail about it are one
transaction, so a worker killed anywhere in between has told of nothing, and two workers never tell of the same.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from almanac.accounts.model import Principal
from almanac.accounts.port import Accounts
from almanac.audit import service as audit
from almanac.audit.model import SYSTEM, Actor, AuditAction, AuditSubject
from almanac.errors import Conflict, InputError, NotFound
from almanac.jobs import JobsPort
from almanac.jobs.cron import next_due
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.text import counted, shorten
from almanac.mail import Address, Mailer, Message, Suppressions, UnsubscribeLinks
from almanac.mail.mail_templates import MailTemplates
from almanac.relational import Database, Unit
from almanac.saved import store
from almanac.saved.finding import newest, page_path
from almanac.saved.jobs import RUN_ALERT
from almanac.saved.model import AlertWish, QueryWish, SavedQuery, saved_id_of, topic_of
from almanac.saved.owners import owner_of
from almanac.search import SearchHit, SearchIndex, SearchViewer

TEMPLATES = Path(__file__).parent / "templates"
TELLS_OF = 50
BATCH = 200
UNSUBSCRIBED = "The reader unsubscribed."


@dataclass(frozen=True, slots=True)
class Look:
    """What a query finds now. `back_to` is set where there is more than an alert looks at."""

    hits: Sequence[SearchHit]
    back_to: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts:
    """Sets, stops and runs alerts. `looks_at` is how many of the newest documents an alert looks at."""

    database: Database
    clock: Clock
    index: SearchIndex
    accounts: Accounts
    jobs: JobsPort
    mailer: Mailer
    suppressions: Suppressions
    links: UnsubscribeLinks
    public_url: str
    templates: MailTemplates
    looks_at: int = 2000

    async def set(self, by: Principal, saved_id: str, wish: AlertWish) -> SavedQuery:
        """Tell the owner of what is new from now on; also changes when an alert comes, and starts a stopped one."""
        by.require("saved.own")
        if not by.email:
            raise Conflict("Alerts go to a person's mail address; sign in as a person.")
        looked_at = await self._own(by, saved_id)
        there = await self.look(looked_at, SearchViewer.for_principal(by))
        await self._subscribe_again(by, saved_id)
        async with self.database.unit() as unit:
            saved = await store.lock_saved(unit, saved_id)
            if saved is None:
                raise NotFound("You have no such saved query.")
            if saved.version != looked_at.version:
                raise Conflict("This saved query was changed at the same moment; set its alert again.")
            if saved.alert and saved.alert.is_on:
                await self._reschedule(unit, saved, wish)
            else:
                await self.begin_anew(unit, saved_id, wish, there)
            await self._note(unit, by.actor, "saved_query.alert_set", saved_id)
        return await self._own(by, saved_id)

    async def stop(self, by: Principal, saved_id: str) -> SavedQuery:
        """Tell of nothing more; doing so twice is no error."""
        by.require("saved.own")
        await self._own(by, saved_id)
        await self._stop(saved_id, "You stopped it.", by.actor)
        return await self._own(by, saved_id)

    async def unsubscribed(self, topic: str) -> None:
        """A reader used the link in a mail: if it was about an alert, that alert is stopped too."""
        if saved_id := saved_id_of(topic):
            await self._stop(saved_id, UNSUBSCRIBED, SYSTEM)

    async def look(self, saved: SavedQuery | QueryWish, viewer: SearchViewer) -> Look:
        """What a query finds now, as far as alerts look."""
        hits = await newest(self.index, saved, viewer, most=self.looks_at)
        return Look(hits, hits[-1].date if len(hits) == self.looks_at else None)

    async def begin_anew(self, unit: Unit, saved_id: str, wish: AlertWish, there: Look) -> None:
        """Start with what is there as known. What arrives while this happens counts as new."""
        await store.set_alert(unit, saved_id, wish, next_due_at=self._next(wish), looked_back_to=there.back_to)
        await store.forget_seen(unit, saved_id)
        await store.add_seen(unit, saved_id, _names(there.hits), self.clock.now())

    async def start_due(self) -> int:
        """Defer a job for every alert whose time has come; returns how many. Any number of workers may call it."""
        async with self.database.unit() as unit:
            due = await store.claim_due_alerts(unit, self.clock.now(), BATCH)
            for saved_id, wish in due:
                await store.put_off_alert(unit, saved_id, self._next(wish))
                await self.jobs.defer(RUN_ALERT, {"saved_id": saved_id}, unit=unit)
        return len(due)

    async def run(self, saved_id: str) -> int:
        """Look once, and queue a mail if something is new; returns how many documents it tells of."""
        async with self.database.unit() as unit:
            saved = await store.find_saved(unit, saved_id)
        if saved is None or saved.alert is None or not saved.alert.is_on:
            return 0
        owner = await owner_of(self.accounts, saved.owner_id)
        if why := await self._obstacle(saved, owner):
            await self._stop(saved_id, why, SYSTEM)
            return 0
        assert owner is not None
        try:
            there = await self.look(saved, SearchViewer.for_principal(owner))
        except InputError as error:
            # A field that the query names may be gone since it was saved; no later run would go better.
            await self._stop(saved_id, f"The query can't be read any more. {error.sentence}", SYSTEM)
            return 0
        async with self.database.unit() as unit:
            current = await store.lock_saved(unit, saved_id)
            if current is None or current.version != saved.version:
                return 0
            return await self._tell(unit, current, owner, there)

    async def _tell(self, unit: Unit, saved: SavedQuery, owner: Principal, there: Look) -> int:
        alert = saved.alert
        if alert is None or not alert.is_on:
            return 0
        now, back_to = self.clock.now(), _later(alert.looked_back_to, there.back_to)
        candidates = [hit for hit in there.hits if back_to is None or hit.date is None or hit.date >= back_to]
        new = await store.add_seen(unit, saved.id, _names(candidates), now)
        told = [hit for hit in candidates if (hit.kind, hit.id) in new]
        if told:
            await self.mailer.queue(self._message(saved, owner, told), key=f"{saved.topic}:{new_id()}", unit=unit)
        await store.note_run(unit, saved.id, looked_back_to=back_to, sent=bool(told), now=now)
        return len(told)

    def _message(self, saved: SavedQuery, owner: Principal, told: Sequence[SearchHit]) -> Message:
        words = self.templates.render("alert", self._values(saved, owner, told))
        to = Address(owner.email, owner.name)
        return Message(to=(to,), subject=words.subject, text=words.text, html=words.html, topic=saved.topic, bulk=True)

    def _values(self, saved: SavedQuery, owner: Principal, told: Sequence[SearchHit]) -> Mapping[str, object]:
        return {
            "name": saved.name,
            "person": owner.name,
            "frequency": saved.alert.wish.frequency if saved.alert else "",
            "count": counted(len(told), "new document"),
            "items": [_shown(hit, self.public_url) for hit in told[:TELLS_OF]],
            "more": len(told) - TELLS_OF if len(told) > TELLS_OF else 0,
            "all_link": self.public_url + page_path(saved),
            "manage_link": f"{self.public_url}/saved/{saved.id}",
            "stop_link": self.links.url(owner.email, saved.topic),
        }

    async def _obstacle(self, saved: SavedQuery, owner: Principal | None) -> str:
        """Why this alert can't go on, if it can't."""
        if owner is None or not owner.email:
            return "The account that it belongs to is closed."
        found = await self.suppressions.find(owner.email, topic=saved.topic)
        if found is not None and found.topic != saved.topic:
            return f"No mail goes to this address: {found.reason}"
        return UNSUBSCRIBED if found else ""

    async def _subscribe_again(self, by: Principal, saved_id: str) -> None:
        """Who sets an alert wants its mails, though they had unsubscribed from them before."""
        topic = topic_of(saved_id)
        found = await self.suppressions.find(by.email, topic=topic)
        if found is not None and found.topic == topic:
            with suppress(NotFound):  # a second click at the same moment may have lifted it
                await self.suppressions.lift(
                    by.email, by=by.user_id, why="The reader set the alert again.", topic=topic
                )
        elif found is not None:
            raise Conflict(f"No mail goes to your address: {found.reason} Ask an administrator to write to it again.")

    async def _own(self, by: Principal, saved_id: str) -> SavedQuery:
        async with self.database.unit() as unit:
            saved = await store.find_saved(unit, saved_id)
        if saved is None or not by.owns(saved.owner_id):
            raise NotFound("You have no such saved query.")
        return saved

    async def _reschedule(self, unit: Unit, saved: SavedQuery, wish: AlertWish) -> None:
        back_to = saved.alert.looked_back_to if saved.alert else None
        await store.set_alert(unit, saved.id, wish, next_due_at=self._next(wish), looked_back_to=back_to)

    async def _stop(self, saved_id: str, why: str, actor: Actor) -> None:
        async with self.database.unit() as unit:
            if await store.stop_alert(unit, saved_id, why=why, now=self.clock.now()):
                await self._note(unit, actor, "saved_query.alert_stopped", saved_id, why)

    def _next(self, wish: AlertWish) -> datetime:
        moment = next_due(wish.cron, wish.time_zone, self.clock.now())
        assert moment is not None
        return moment

    async def _note(self, unit: Unit, actor: Actor, action: str, saved_id: str, why: str = "") -> None:
        await audit.record(unit, self.clock, AuditAction(actor, action, AuditSubject("saved_query", saved_id), why))


def _names(hits: Sequence[SearchHit]) -> list[tuple[str, str]]:
    return [(hit.kind, hit.id) for hit in hits]


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max(filter(None, (one, other)), default=None)


def _shown(hit: SearchHit, public_url: str) -> dict[str, object]:
    return {
        "title": shorten(hit.title, 200) or "Untitled",
        "link": public_url + hit.path,
        "date": f"{hit.date:%-d %B %Y}" if hit.date else "",
        "text": shorten("".join(span.text for span in hit.snippet), 300),
    }
