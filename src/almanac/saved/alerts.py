"""Alerts: mails about new matches of a saved query, each document reported once, in whatever order they arrive.

An alert stores the documents it has reported. Storing a document and queueing the mail about it are one transaction,
so a worker killed in between has reported nothing, and two workers never report the same document.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from almanac.accounts.model import Principal
from almanac.accounts.port import Accounts
from almanac.audit import service as audit
from almanac.audit.model import SYSTEM, Actor, AuditAction, AuditSubject
from almanac.errors import Conflict, InputError, NotFound
from almanac.jobs import JobsPort
from almanac.jobs.cron import next_due
from almanac.kit.catalogs import nearest_language
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.locale_formats import format_day
from almanac.kit.messages import gettext, ngettext, translate
from almanac.kit.text import shorten
from almanac.mail import Address, Mailer, Message, Suppressions, UnsubscribeLinks
from almanac.mail.mail_templates import MailTemplates
from almanac.notifications import NotificationChannel, NotificationKind
from almanac.relational import Database, Unit
from almanac.saved import store
from almanac.saved.jobs import RUN_ALERT
from almanac.saved.model import AlertSettings, MatchQuote, SavedQuery, SavedQueryInput, alert_topic, parse_alert_topic
from almanac.saved.owners import find_active_owner
from almanac.saved.query_runner import list_newest, page_path
from almanac.search import SearchHit, SearchIndex, SearchViewer

TEMPLATES = Path(__file__).parent / "templates"
ITEMS_PER_MAIL = 50
QUOTED_PER_MAIL = 10
ALERTS_PER_BATCH = 200
UNSUBSCRIBED_REASON = gettext("The reader unsubscribed.")
_WHY = {
    "hourly": gettext("You get this hourly mail because you set an alert. It comes only when something is new."),
    "daily": gettext("You get this daily mail because you set an alert. It comes only when something is new."),
    "weekly": gettext("You get this weekly mail because you set an alert. It comes only when something is new."),
}
NO_SAVED_QUERY = gettext("Saved query not found; it may have been deleted.")


QuotesByHit = Mapping[tuple[str, str], Sequence[MatchQuote]]


class MatchNotifier(Protocol):
    """Tells the owner of a saved query of new matches by the channels they chose; a mail lists them."""

    async def is_wanted(self, user_id: str, kind: NotificationKind, channel: NotificationChannel) -> bool: ...

    async def tell_matches(
        self, unit: Unit, owner_id: str, saved_id: str, *, name: str, matches: int, path: str
    ) -> None: ...


QuoteMatch = Callable[[SavedQuery, str], Awaitable[Sequence[MatchQuote]]]
"""Quotes what a saved query follows in the document with an id."""


@dataclass(frozen=True, slots=True)
class NewestMatches:
    """The newest matches of a query. `back_to` is the date of the oldest one if there are more than the limit."""

    hits: Sequence[SearchHit]
    back_to: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts:
    """Sets, stops and runs alerts. `max_documents` is how many of the newest matches an alert checks.

    `quoters` quote documents by their kind.
    """

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
    notifications: MatchNotifier
    max_documents: int = 2000
    quoters: dict[str, QuoteMatch] = field(default_factory=dict)

    async def set(self, by: Principal, saved_id: str, wish: AlertSettings) -> SavedQuery:
        """Start an alert, change its schedule, or restart a stopped one."""
        by.require("saved.own")
        if not by.email:
            raise Conflict(gettext("Alerts are sent by mail; sign in with an account that has an address."))
        before = await self._own(by, saved_id)
        matches = await self.find_newest(before, SearchViewer.for_principal(by))
        await self._resubscribe(by, saved_id)
        async with self.database.unit() as unit:
            saved = await store.lock_saved(unit, saved_id)
            if saved is None:
                raise NotFound(NO_SAVED_QUERY)
            if saved.version != before.version:
                raise Conflict(gettext("This saved query was just changed; set its alert again."))
            if saved.alert and saved.alert.is_on:
                await self._reschedule(unit, saved, wish)
            else:
                await self.reset(unit, saved_id, wish, matches)
            await self._audit(unit, by.actor, "saved_query.alert_set", saved_id)
        return await self._own(by, saved_id)

    async def stop(self, by: Principal, saved_id: str) -> SavedQuery:
        """Stop an alert. Idempotent."""
        by.require("saved.own")
        await self._own(by, saved_id)
        await self._stop(saved_id, gettext("You stopped it."), by.actor)
        return await self._own(by, saved_id)

    async def unsubscribed(self, topic: str) -> None:
        """Stop the alert whose topic a reader unsubscribed from; other topics are ignored."""
        if saved_id := parse_alert_topic(topic):
            await self._stop(saved_id, UNSUBSCRIBED_REASON, SYSTEM)

    async def find_newest(self, saved: SavedQuery | SavedQueryInput, viewer: SearchViewer) -> NewestMatches:
        """The newest matches of a query, up to `max_documents`."""
        hits = await list_newest(self.index, saved, viewer, most=self.max_documents)
        return NewestMatches(hits, hits[-1].date if len(hits) == self.max_documents else None)

    async def reset(self, unit: Unit, saved_id: str, wish: AlertSettings, matches: NewestMatches) -> None:
        """Start an alert with the current matches as seen; later documents count as new."""
        await store.set_alert(unit, saved_id, wish, next_due_at=self._next(wish), looked_back_to=matches.back_to)
        await store.delete_seen_documents(unit, saved_id)
        await store.add_seen_documents(unit, saved_id, _keys(matches.hits), self.clock.now())

    async def start_due(self) -> int:
        """Defer a job for each due alert of a batch; returns how many. Any number of workers may call it."""
        async with self.database.unit() as unit:
            due = await store.claim_due_alerts(unit, self.clock.now(), ALERTS_PER_BATCH)
            for saved_id, wish in due:
                await store.set_next_due(unit, saved_id, self._next(wish))
                await self.jobs.defer(RUN_ALERT, {"saved_id": saved_id}, unit=unit)
        return len(due)

    async def run(self, saved_id: str) -> int:
        """Check once, and queue a mail about new documents; returns how many there are."""
        async with self.database.unit() as unit:
            saved = await store.find_saved(unit, saved_id)
        if saved is None or saved.alert is None or not saved.alert.is_on:
            return 0
        owner = await find_active_owner(self.accounts, saved.owner_id)
        if reason := await self._stop_reason(saved, owner):
            await self._stop(saved_id, reason, SYSTEM)
            return 0
        assert owner is not None
        try:
            matches = await self.find_newest(saved, SearchViewer.for_principal(owner))
        except InputError as error:
            # A field in the query may have been removed since it was saved; retrying wouldn't help.
            await self._stop(
                saved_id, gettext("The query is no longer valid. %(sentence)s", sentence=error.sentence), SYSTEM
            )
            return 0
        async with self.database.unit() as unit:
            current = await store.lock_saved(unit, saved_id)
            if current is None or current.version != saved.version:
                return 0
            return await self._mail_new(unit, current, owner, matches)

    async def _mail_new(self, unit: Unit, saved: SavedQuery, owner: Principal, matches: NewestMatches) -> int:
        alert = saved.alert
        if alert is None or not alert.is_on:
            return 0
        now, back_to = self.clock.now(), max(filter(None, (alert.looked_back_to, matches.back_to)), default=None)
        candidates = [hit for hit in matches.hits if back_to is None or hit.date is None or hit.date >= back_to]
        new = await store.add_seen_documents(unit, saved.id, _keys(candidates), now)
        new_hits = [hit for hit in candidates if (hit.kind, hit.id) in new]
        if new_hits:
            await self._tell(unit, saved, owner, new_hits)
        await store.record_alert_run(unit, saved.id, looked_back_to=back_to, sent=bool(new_hits), now=now)
        return len(new_hits)

    async def _tell(self, unit: Unit, saved: SavedQuery, owner: Principal, new_hits: Sequence[SearchHit]) -> None:
        """Queue the mail, if the owner wants it by mail, and tell them by their other channels."""
        if await self.notifications.is_wanted(owner.user_id, NotificationKind.ALERTS, NotificationChannel.MAIL):
            quotes = await self._quote(saved, new_hits[:QUOTED_PER_MAIL])
            message = self._message(saved, owner, new_hits, quotes)
            await self.mailer.queue(message, key=f"{saved.topic}:{new_id()}", unit=unit)
        await self.notifications.tell_matches(
            unit, owner.user_id, saved.id, name=saved.name, matches=len(new_hits), path=page_path(saved)
        )

    async def _quote(self, saved: SavedQuery, hits: Sequence[SearchHit]) -> QuotesByHit:
        return {
            (hit.kind, hit.id): await self.quoters[hit.kind](saved, hit.id) for hit in hits if hit.kind in self.quoters
        }

    def _message(self, saved: SavedQuery, owner: Principal, hits: Sequence[SearchHit], quotes: QuotesByHit) -> Message:
        language = owner.preferences.language
        rendered = self.templates.render("alert", self._values(saved, owner, hits, quotes, language), language)
        to = Address(owner.email, owner.name)
        return Message(
            to=(to,), subject=rendered.subject, text=rendered.text, html=rendered.html, topic=saved.topic, bulk=True
        )

    def _values(
        self, saved: SavedQuery, owner: Principal, hits: Sequence[SearchHit], quotes: QuotesByHit, language: str
    ) -> Mapping[str, object]:
        return {
            "name": saved.name,
            "person": owner.name,
            "why": _WHY[saved.alert.wish.frequency] if saved.alert else "",
            "count": ngettext("%(num)s new document", "%(num)s new documents", len(hits)),
            "items": [
                _mail_item(hit, quotes.get((hit.kind, hit.id), ()), self.public_url, language)
                for hit in hits[:ITEMS_PER_MAIL]
            ],
            "more": max(0, len(hits) - ITEMS_PER_MAIL),
            "all_link": self.public_url + page_path(saved),
            "manage_link": f"{self.public_url}/saved/{saved.id}",
            "stop_link": self.links.url(owner.email, saved.topic),
        }

    async def _stop_reason(self, saved: SavedQuery, owner: Principal | None) -> str:
        """Why this alert must stop; empty if it can go on."""
        if owner is None or not owner.email:
            return gettext("The account is closed.")
        suppression = await self.suppressions.find(owner.email, topic=saved.topic)
        if suppression is not None and suppression.topic != saved.topic:
            return gettext("Mail to this address is blocked: %(reason)s", reason=suppression.reason)
        return UNSUBSCRIBED_REASON if suppression else ""

    async def _resubscribe(self, by: Principal, saved_id: str) -> None:
        """Lift an earlier unsubscription from this alert; raises Conflict if mail to the address is blocked."""
        topic = alert_topic(saved_id)
        suppression = await self.suppressions.find(by.email, topic=topic)
        if suppression is not None and suppression.topic == topic:
            with suppress(NotFound):  # a concurrent request may have lifted it
                await self.suppressions.lift(
                    by.email, by=by.user_id, why=gettext("The reader set the alert again."), topic=topic
                )
        elif suppression is not None:
            raise Conflict(
                gettext(
                    "Mail to your address is blocked: %(reason)s Ask an administrator to unblock it.",
                    reason=suppression.reason,
                )
            )

    async def _own(self, by: Principal, saved_id: str) -> SavedQuery:
        async with self.database.unit() as unit:
            saved = await store.find_saved(unit, saved_id)
        if saved is None or not by.owns(saved.owner_id):
            raise NotFound(NO_SAVED_QUERY)
        return saved

    async def _reschedule(self, unit: Unit, saved: SavedQuery, wish: AlertSettings) -> None:
        back_to = saved.alert.looked_back_to if saved.alert else None
        await store.set_alert(unit, saved.id, wish, next_due_at=self._next(wish), looked_back_to=back_to)

    async def _stop(self, saved_id: str, why: str, actor: Actor) -> None:
        async with self.database.unit() as unit:
            if await store.stop_alert(unit, saved_id, why=why, now=self.clock.now()):
                await self._audit(unit, actor, "saved_query.alert_stopped", saved_id, why)

    def _next(self, wish: AlertSettings) -> datetime:
        moment = next_due(wish.cron, wish.time_zone, self.clock.now())
        assert moment is not None
        return moment

    async def _audit(self, unit: Unit, actor: Actor, action: str, saved_id: str, why: str = "") -> None:
        await audit.record(unit, self.clock, AuditAction(actor, action, AuditSubject("saved_query", saved_id), why))


def _keys(hits: Sequence[SearchHit]) -> list[tuple[str, str]]:
    return [(hit.kind, hit.id) for hit in hits]


def _mail_item(hit: SearchHit, quotes: Sequence[MatchQuote], public_url: str, language: str) -> dict[str, object]:
    return {
        "title": shorten(hit.title, 200) or translate(gettext("Untitled"), language),
        "link": public_url + hit.path,
        "date": format_day(hit.date.date(), nearest_language(language)) if hit.date else "",
        "text": "" if quotes else shorten("".join(span.text for span in hit.snippet), 300),
        "quotes": [
            {
                "speaker": quote.speaker,
                "words": quote.words,
                "link": public_url + quote.path,
                "language": quote.language,
            }
            for quote in quotes
        ],
    }
