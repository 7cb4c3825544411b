"""Sorting: each event is put into the messages of the people who may hear of it, by the channels they chose.

Choosing, writing the messages and queueing their jobs are one transaction. A message that waits, for the end of quiet
hours or because one was just sent, takes up further events of its kind, so that forty drafts are one message.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import groupby

from almanac.accounts.model import Principal
from almanac.errors import NotFound
from almanac.jobs import JobsPort
from almanac.kit.clock import Clock
from almanac.notifications import store
from almanac.notifications.audience import may_receive
from almanac.notifications.jobs import SEND
from almanac.notifications.model import (
    RULES,
    NotificationChannel,
    NotificationEvent,
    NotificationKind,
    NotificationProfile,
)
from almanac.notifications.people import People
from almanac.notifications.quiet_hours import find_due_time
from almanac.notifications.store import MessageSlot
from almanac.relational import Database, ReadTransaction, Unit

SORTED_AT_ONCE = 500
_LOOK_BACK = timedelta(days=1)
# The id of the person whose an object is; None for nobody's.
OwnerFinder = Callable[[str], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class EventSorter:
    """Sorts events into messages. `owners` find whose the object of a job is, by its kind."""

    database: Database
    clock: Clock
    jobs: JobsPort
    people: People
    owners: dict[str, OwnerFinder] = field(default_factory=dict)

    async def sort(self) -> int:
        """Sort a batch of events; returns how many. Any number of workers may call it."""
        async with self.database.unit() as unit:
            events = await store.lock_unsorted_events(unit, SORTED_AT_ONCE)
            if not events:
                return 0
            events = [await self._find_person(unit, event) for event in events]
            wanted = [event for event in events if _is_somebodys(event)]
            for person in await self._list_receivers(wanted):
                await self._sort_for(unit, person, [event for event in wanted if may_receive(person, event)])
            await store.mark_sorted(unit, [event.id for event in events])
        return len(events)

    async def _find_person(self, unit: Unit, event: NotificationEvent) -> NotificationEvent:
        """Whoever asked for work is told how it ended; of a failure only if what they gave caused it. Of what was asked
        for at the command line, the owner of the object is told.
        """
        request_id, facts = event.facts.get("request_id"), event.facts
        concerns_asker = event.kind is NotificationKind.FINISHED or bool(facts.get("by_input"))
        if not concerns_asker or not request_id:
            return event
        user_id = await store.find_requester(unit, str(request_id), str(facts["deferred_at"]))
        if user_id is None and event.kind is NotificationKind.FAILURES:
            user_id = await self._find_owner(int(event.key), facts.get("object_kind"))
        if user_id is None:
            return event
        await store.set_event_person(unit, event.id, user_id)
        return replace(event, user_id=user_id)

    async def _find_owner(self, job_id: int, kind: str | None) -> str | None:
        if kind not in self.owners:
            return None
        try:
            about = (await self.jobs.job(job_id)).job.object
            return await self.owners[kind](about.id) if about else None
        except NotFound:
            return None

    async def _list_receivers(self, events: Sequence[NotificationEvent]) -> list[Principal]:
        """The people named by the events; everybody, if one is for whoever may see it."""
        if any(event.user_id is None for event in events):
            return [person async for person in self.people.list_active()]
        named = [await self.people.find(user_id) for user_id in sorted({event.user_id or "" for event in events})]
        return [person for person in named if person is not None]

    async def _sort_for(self, unit: Unit, person: Principal, events: Sequence[NotificationEvent]) -> None:
        if not events:
            return
        profile = await read_profile(unit, person.user_id)
        for kind, group in groupby(sorted(events, key=lambda event: event.kind), key=lambda event: event.kind):
            ids = [event.id for event in group]
            for slot in list_slots(person.user_id, kind, profile):
                await self._put(unit, person, profile, slot, ids)

    async def _put(
        self, unit: Unit, person: Principal, profile: NotificationProfile, slot: MessageSlot, ids: Sequence[str]
    ) -> None:
        now, rules = self.clock.now(), RULES[slot.kind]
        last = await store.find_last_sent(unit, slot, now - _LOOK_BACK) if rules.spacing else None
        due_at = find_due_time(now, rules, profile.settings, self.people.zone_of(person), last)
        message = await store.add_notification(unit, slot, ids, due_at=due_at, now=now)
        if message is not None:
            await self.jobs.defer(
                SEND,
                {"notification_id": message.id},
                unit=unit,
                schedule_at=due_at,
                queueing_lock=f"notification {message.id}",
            )


def _is_somebodys(event: NotificationEvent) -> bool:
    """Whether there is anybody to tell. How work ended, only who asked for it hears. Of work that failed by what
    somebody gave, that person hears; if it was given at the command line and is nobody's, whoever repairs it. A feed or
    page that is looked at again by itself was asked for by nobody.
    """
    if event.user_id is not None:
        return True
    if event.kind is NotificationKind.FINISHED:
        return False
    return not event.facts.get("by_input") or bool(event.facts.get("request_id"))


async def read_profile(unit: ReadTransaction, user_id: str) -> NotificationProfile:
    """What a person chose, their addresses and devices."""
    return NotificationProfile(
        settings=await store.find_settings(unit, user_id),
        addresses=await store.list_addresses(unit, user_id),
        devices=await store.list_devices(unit, user_id),
    )


def list_slots(user_id: str, kind: NotificationKind, profile: NotificationProfile) -> list[MessageSlot]:
    """How a person hears of a kind: each device, and each channel that has an address. An alert writes its own mail."""
    slots: list[MessageSlot] = []
    for channel in sorted(profile.settings.channels(kind)):
        if channel is NotificationChannel.PUSH:
            slots += [MessageSlot(user_id, kind, channel, device.id) for device in profile.devices]
        elif channel is NotificationChannel.MAIL:
            slots += [MessageSlot(user_id, kind, channel)] if kind is not NotificationKind.ALERTS else []
        elif channel in profile.addresses:
            slots.append(MessageSlot(user_id, kind, channel))
    return slots
