"""Mails to subscribers about what is new, each part of an item told once.

Marking parts as told and queueing the mail about them are one transaction, under a lock on the subscriber. A sender
that is killed in between has told nothing, and two senders never tell the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext, ngettext
from almanac.mail import Address, Mailer, Message, Suppressions
from almanac.mail.mail_templates import MailTemplates, RenderedMail
from almanac.relational import Database
from almanac.subscribers import store
from almanac.subscribers.links import AlertLinks
from almanac.subscribers.model import TOPIC, AlertQuote, QuoteLoader, Subscriber, UntoldPart
from almanac.subscribers.service import Subscribers

TEMPLATES = Path(__file__).parent / "templates"
DAILY_HOUR = 7
QUOTES_PER_MAIL = 30
_PARTS_PER_MAIL = 300
_BATCH = 200
_WHY = {
    "daily": gettext("You get this at most once a day, because you follow this and confirmed it."),
    "at_once": gettext("You get this as soon as something is published, because you follow this and confirmed it."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertMails:
    """Tells subscribers what was found for them. `quoters` quote the items of each desk."""

    database: Database
    clock: Clock
    mailer: Mailer
    suppressions: Suppressions
    subscribers: Subscribers
    templates: MailTemplates
    links: AlertLinks
    time_zone: str
    organisation: str
    quoters: dict[str, QuoteLoader] = field(default_factory=dict)

    async def send_due(self) -> int:
        """Queue the mails that are due; returns how many. Any number of workers may call it."""
        sent, after = 0, ""
        while True:
            async with self.database.reading() as reading:
                due = await store.list_due(reading, day_began=self._day_began(), after=after, limit=_BATCH)
            if not due:
                return sent
            after = due[-1]
            for subscriber_id in due:
                sent += await self.send(subscriber_id)

    async def send(self, subscriber_id: str) -> bool:
        """Tell one subscriber what is new; whether a mail was queued."""
        async with self.database.reading() as reading:
            subscriber = await store.find_subscriber(reading, subscriber_id)
            untold = await store.list_untold(reading, subscriber_id, _PARTS_PER_MAIL)
        if subscriber is None or not untold:
            return False
        if await self.suppressions.find(subscriber.email) is not None:
            # Mail to this address bounced, or its owner complained.
            await self.subscribers.stop_all(subscriber_id)
            return False
        # What is followed no more, and what nobody may read any more, is told to nobody.
        quotes = await self._quote([part for part in untold if part.follows], subscriber.language)
        return await self._tell(subscriber_id, untold, quotes)

    async def _tell(self, subscriber_id: str, untold: Sequence[UntoldPart], quotes: Sequence[AlertQuote]) -> bool:
        now = self.clock.now()
        async with self.database.unit() as unit:
            subscriber = await store.lock_idle_subscriber(unit, subscriber_id)
            if subscriber is None or not self._is_due(subscriber):
                return False
            followed = {
                part.key for part in await store.list_untold(unit, subscriber_id, _PARTS_PER_MAIL) if part.follows
            }
            marked = await store.mark_told(unit, subscriber_id, untold, now)
            fresh = [quote for quote in quotes if quote.part.key in marked & followed]
            if not fresh:
                return False
            message = self._message(subscriber, fresh)
            await self.mailer.queue(message, key=f"{TOPIC}:{subscriber_id}:{new_id()}", unit=unit)
            await store.record_mail(unit, subscriber_id, now)
            return True

    def _is_due(self, subscriber: Subscriber) -> bool:
        last = subscriber.last_mail_at
        return subscriber.frequency == "at_once" or last is None or last < self._day_began()

    async def _quote(self, parts: Sequence[UntoldPart], language: str) -> list[AlertQuote]:
        quotes: list[AlertQuote] = []
        for desk, quote in self.quoters.items():
            if own := [part for part in parts if part.desk == desk]:
                quotes += await quote(own, language)
        return quotes

    def _message(self, subscriber: Subscriber, quotes: Sequence[AlertQuote]) -> Message:
        rendered = self._render(subscriber, quotes)
        return Message(
            to=(Address(subscriber.email),),
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            topic=TOPIC,
            opt_out=self.links.stop(subscriber.language, subscriber.id),
        )

    def _render(self, subscriber: Subscriber, quotes: Sequence[AlertQuote]) -> RenderedMail:
        language, shown = subscriber.language, quotes[:QUOTES_PER_MAIL]
        groups: dict[str, list[AlertQuote]] = {}
        for quote in shown:
            groups.setdefault(quote.part.follows[0].label, []).append(quote)
        labels = list(groups)
        counted = {(quote.part.item, part) for quote in quotes for part in (quote.part.part, *quote.like_it)}
        values = {
            "organisation": self.organisation,
            "first": labels[0],
            "others": len(labels) - 1,
            "count": ngettext("%(num)s new speech", "%(num)s new speeches", len(counted)),
            "groups": [(label, self._meetings(items, language)) for label, items in groups.items()],
            "more": len(quotes) - len(shown),
            "why": _WHY[subscriber.frequency],
            "list_link": self.links.listed(language, subscriber.id, subscriber.generation),
            "stop_link": self.links.stop(language, subscriber.id),
        }
        return self.templates.render("alert", values, language)

    def _meetings(self, quotes: Sequence[AlertQuote], language: str) -> list[Mapping[str, object]]:
        """What is quoted of each item, of how many, and where all of them are."""
        items: dict[str, list[AlertQuote]] = {}
        for quote in quotes:
            items.setdefault(quote.part.item, []).append(quote)
        return [
            {
                "quotes": [(quote, self.links.whole(language, quote.path)) for quote in own],
                "shown": len(own),
                "all": len({part for quote in own for part in (quote.part.part, *quote.like_it)}),
                "is_longest": all(quote.part.follows[0].kind != "meeting" for quote in own),
                "link": self.links.whole(language, own[0].like_it_path),
            }
            for own in items.values()
        ]

    def _day_began(self) -> datetime:
        """The last moment at which daily mails began."""
        now = self.clock.now().astimezone(ZoneInfo(self.time_zone))
        today = datetime.combine(now.date(), time(DAILY_HOUR), now.tzinfo)
        return today if today <= now else today - timedelta(days=1)
