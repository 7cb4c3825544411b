"""All reads and writes of notifications; callers check rules and permissions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from almanac.kit.ids import new_id
from almanac.notifications.model import (
    MorningChoice,
    NotificationAddress,
    NotificationChannel,
    NotificationEvent,
    NotificationKind,
    NotificationSettings,
    PushDevice,
    SentNotification,
)
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)
MOST_OPEN_EVENTS = 1000


@dataclass(frozen=True, slots=True)
class MessageSlot:
    """Whom a message goes to and how; at most one message waits in each slot."""

    user_id: str
    kind: NotificationKind
    channel: NotificationChannel
    target: str = ""

    def as_params(self) -> dict[str, str]:
        return {"user_id": self.user_id, "kind": self.kind, "channel": self.channel, "target": self.target}


@dataclass(frozen=True, slots=True)
class ClaimableMessage:
    """A waiting or claimed message."""

    id: str
    slot: MessageSlot
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class WaitingMorning:
    """What a person chose about their morning mail, when, and the last day that was settled."""

    user_id: str
    choice: MorningChoice
    chosen_at: datetime
    last_day: date | None


async def add_event(
    unit: Unit,
    kind: NotificationKind,
    key: str,
    facts: Mapping[str, Any],
    *,
    user_id: str | None = None,
    actor_id: str | None = None,
) -> None:
    """Write an event, unless the same one is open already."""
    row = {"id": new_id(), "kind": kind, "key": key, "user_id": user_id, "actor_id": actor_id, "facts": dict(facts)}
    await unit.execute(QUERIES["add_event"], row)


async def settle_event(unit: Unit, kind: NotificationKind, key: str) -> None:
    """The event needs nobody any more."""
    await unit.execute(QUERIES["settle_event"], {"kind": kind, "key": key})


async def reopen_event(unit: Unit, kind: NotificationKind, key: str) -> None:
    """The event needs somebody again; whoever was told of it isn't told once more."""
    await unit.execute(QUERIES["reopen_event"], {"kind": kind, "key": key})


async def lock_unsorted_events(unit: Unit, limit: int) -> list[NotificationEvent]:
    """Events that nobody was chosen for yet, oldest first."""
    return await unit.all(QUERIES["lock_unsorted_events"], {"limit": limit}, into=_event)


async def mark_sorted(unit: Unit, ids: Iterable[str]) -> None:
    """The events have their messages."""
    await unit.execute(QUERIES["mark_sorted"], {"ids": list(ids)})


async def find_requester(unit: Unit, request_id: str, moment: str) -> str | None:
    """Who made a request around this time; None if the audit log doesn't tell."""
    user_id: str | None = await unit.value(QUERIES["find_requester"], {"request_id": request_id, "moment": moment})
    return user_id


async def set_event_person(unit: Unit, event_id: str, user_id: str) -> None:
    """The event is about one person's own work."""
    await unit.execute(QUERIES["set_event_person"], {"id": event_id, "user_id": user_id})


async def list_open_events(unit: Unit, kind: NotificationKind) -> list[NotificationEvent]:
    """What is open of a kind, newest first."""
    return await unit.all(QUERIES["list_open_events"], {"kind": kind, "limit": MOST_OPEN_EVENTS}, into=_event)


async def list_events_of(unit: Unit, notification_id: str) -> list[NotificationEvent]:
    """The events of a message that still need somebody."""
    return await unit.all(QUERIES["list_events_of"], {"id": notification_id}, into=_event)


async def find_settings(unit: ReadTransaction, user_id: str) -> NotificationSettings:
    """What a person chose; the usual settings if nothing."""
    settings = await unit.one(QUERIES["find_settings"], {"user_id": user_id}, into=_settings)
    return settings or NotificationSettings()


async def save_settings(
    unit: Unit, user_id: str, settings: NotificationSettings, *, expected: int, now: datetime
) -> bool:
    """Keep what a person chose; false if somebody changed it since version `expected`."""
    row = {
        "user_id": user_id,
        "choices": {kind.value: sorted(channels) for kind, channels in settings.choices.items()},
        "quiet_from": settings.quiet_texts[0] or None,
        "quiet_to": settings.quiet_texts[1] or None,
        "titles": settings.titles,
        "morning_hour": settings.morning.hour,
        "morning_days": sorted(settings.morning.days),
        "morning_when_empty": settings.morning.when_empty,
        "expected": expected,
        "now": now,
    }
    return await unit.execute(QUERIES["save_settings"], row) == 1


async def list_morning_choices(reading: ReadTransaction) -> list[WaitingMorning]:
    """Everybody who wants their day as a mail."""
    return await reading.all(QUERIES["list_morning_choices"], into=_waiting_morning)


async def claim_morning(unit: Unit, user_id: str, day: date, *, sent: bool, now: datetime) -> bool:
    """Claim the one morning mail of a person's day; false if it was claimed before."""
    row = {"user_id": user_id, "day": day, "sent": sent, "now": now}
    return await unit.execute(QUERIES["claim_morning"], row) == 1


async def list_addresses(unit: ReadTransaction, user_id: str) -> dict[NotificationChannel, NotificationAddress]:
    """The addresses of a person, by channel."""
    rows = await unit.all(QUERIES["list_addresses"], {"user_id": user_id}, into=_address)
    return {row.channel: row for row in rows}


async def find_address(unit: Unit, user_id: str, channel: NotificationChannel) -> tuple[bytes, int] | None:
    """An address, sealed, with the generation of its secret."""
    row = await unit.one(QUERIES["find_address"], {"user_id": user_id, "channel": channel})
    return (bytes(row["sealed"]), int(row["generation"])) if row else None


async def save_address(
    unit: Unit, user_id: str, channel: NotificationChannel, *, sealed: bytes, shown: str, now: datetime
) -> int:
    """Set an address; returns the generation of its secret."""
    row = {"user_id": user_id, "channel": channel, "sealed": sealed, "shown": shown, "now": now}
    return int(await unit.value(QUERIES["save_address"], row))


async def delete_address(unit: Unit, user_id: str, channel: NotificationChannel) -> bool:
    """Forget an address; false if there was none."""
    return await unit.execute(QUERIES["delete_address"], {"user_id": user_id, "channel": channel}) == 1


async def list_devices(unit: ReadTransaction, user_id: str) -> tuple[PushDevice, ...]:
    """The browsers of a person that get push messages."""
    return tuple(await unit.all(QUERIES["list_devices"], {"user_id": user_id}, into=PushDevice))


async def find_device(unit: Unit, user_id: str, device_id: str) -> bytes | None:
    """The sealed subscription of a browser."""
    sealed = await unit.value(QUERIES["find_device"], {"id": device_id, "user_id": user_id})
    return bytes(sealed) if sealed is not None else None


async def save_device(
    unit: Unit,
    *,
    user_id: str,
    session_id: str,
    endpoint_hash: str,
    sealed: bytes,
    service: str,
    user_agent: str,
    now: datetime,
) -> str:
    """Add a browser, or take it over from whoever used it before; returns its id."""
    row = {"id": new_id(), "user_id": user_id, "session_id": session_id, "endpoint_hash": endpoint_hash}
    row |= {"service": service, "user_agent": user_agent}
    return str(await unit.value(QUERIES["save_device"], {**row, "sealed": sealed, "now": now}))


async def delete_device(unit: Unit, user_id: str, device_id: str) -> bool:
    """Forget a browser; false if it isn't this person's."""
    return await unit.execute(QUERIES["delete_device"], {"id": device_id, "user_id": user_id}) == 1


async def mark_target(unit: Unit, slot: MessageSlot, why: str, now: datetime) -> None:
    """Note how the last message to a device or address went; empty if well."""
    await unit.execute(QUERIES["mark_device"], {"id": slot.target, "why": why, "now": now})
    row = {"user_id": slot.user_id, "channel": slot.channel, "why": why, "now": now}
    await unit.execute(QUERIES["mark_address"], row)


async def find_last_sent(unit: Unit, slot: MessageSlot, since: datetime) -> datetime | None:
    """When the last message of this slot left, if not before `since`."""
    moment: datetime | None = await unit.value(QUERIES["last_sent"], {**slot.as_params(), "since": since})
    return moment


async def add_notification(
    unit: Unit, slot: MessageSlot, event_ids: Iterable[str], *, due_at: datetime, now: datetime
) -> ClaimableMessage | None:
    """Put events into the message that waits in a slot; None if the person got all of them already."""
    row = await unit.one(
        QUERIES["add_notification"], {**slot.as_params(), "id": new_id(), "due_at": due_at, "now": now}
    )
    assert row is not None
    added = 0
    for event_id in event_ids:
        item = {**slot.as_params(), "event_id": event_id, "id": row["id"]}
        added += await unit.execute(QUERIES["add_item"], item)
    if not added:
        await unit.execute(QUERIES["delete_if_empty"], {"id": row["id"]})
        return None
    return ClaimableMessage(str(row["id"]), slot)


async def lock_to_claim(unit: Unit, notification_id: str, now: datetime) -> ClaimableMessage | None:
    """A message that waits and is due; None if not, or if somebody else claims it."""
    return await unit.one(QUERIES["lock_to_claim"], {"id": notification_id, "now": now}, into=_claimable)


async def list_due(unit: Unit, now: datetime, limit: int) -> list[str]:
    """Messages that should have been sent by now."""
    return [str(row["id"]) for row in await unit.all(QUERIES["list_due"], {"now": now, "limit": limit})]


async def mark_sending(unit: Unit, notification_id: str, claim: str, lease_until: datetime) -> None:
    """Claim a message."""
    await unit.execute(QUERIES["mark_sending"], {"id": notification_id, "claim": claim, "lease_until": lease_until})


async def finish_unclaimed(unit: Unit, notification_id: str, state: str, reason: str, now: datetime) -> None:
    """End a waiting message."""
    row = {"id": notification_id, "state": state, "reason": reason, "now": now}
    await unit.execute(QUERIES["finish_unclaimed"], row)


async def finish_claim(unit: Unit, notification_id: str, claim: str, *, state: str, reason: str, now: datetime) -> bool:
    """Record the outcome of a claim; false if the claim was lost."""
    row = {"id": notification_id, "claim": claim, "state": state, "reason": reason, "now": now}
    return await unit.execute(QUERIES["finish_claim"], row) == 1


async def lock_lost_claims(unit: Unit, now: datetime) -> list[ClaimableMessage]:
    """Messages whose sender vanished."""
    return await unit.all(QUERIES["lock_lost_claims"], {"now": now}, into=_claimable)


async def lock_sending(unit: Unit, notification_id: str, claim: str) -> ClaimableMessage | None:
    """A claimed message; None if the claim was lost."""
    return await unit.one(QUERIES["lock_sending"], {"id": notification_id, "claim": claim}, into=_claimable)


async def return_to_queue(unit: Unit, message: ClaimableMessage, *, due_at: datetime, reason: str) -> bool:
    """Let a claimed message wait again; false if a newer one waits, which then tells of its events too."""
    newer = await unit.value(QUERIES["find_newer_waiting"], message.slot.as_params())
    row = {"id": message.id, "reason": reason, "due_at": due_at, "now": due_at}
    if newer is None:
        await unit.execute(QUERIES["end_sending"], {**row, "state": "waiting"})
        return True
    await unit.execute(QUERIES["move_items"], {"id": message.id, "target_id": newer})
    await unit.execute(QUERIES["end_sending"], {**row, "state": "dropped"})
    return False


async def leave_unknown(unit: Unit, message: ClaimableMessage, reason: str, now: datetime) -> None:
    """End a claimed message of which nobody knows whether it arrived."""
    row = {"id": message.id, "state": "unknown", "reason": reason, "due_at": None, "now": now}
    await unit.execute(QUERIES["end_sending"], row)


async def list_notifications(unit: ReadTransaction, user_id: str, limit: int) -> list[SentNotification]:
    """The latest messages to a person."""
    return await unit.all(QUERIES["list_notifications"], {"user_id": user_id, "limit": limit}, into=_sent)


async def prune(unit: Unit, before: datetime) -> int:
    """Delete old events and messages; returns how many."""
    events = await unit.execute(QUERIES["prune_events"], {"before": before})
    events += await unit.execute(QUERIES["prune_morning_mails"], {"before": before})
    return events + await unit.execute(QUERIES["prune_notifications"], {"before": before})


def _event(*, kind: str, **rest: Any) -> NotificationEvent:
    return NotificationEvent(kind=NotificationKind(kind), **rest)


def _claimable(*, user_id: str, kind: str, channel: str, target: str, **rest: Any) -> ClaimableMessage:
    slot = MessageSlot(user_id, NotificationKind(kind), NotificationChannel(channel), target)
    return ClaimableMessage(slot=slot, **rest)


def _sent(*, kind: str, channel: str, **rest: Any) -> SentNotification:
    return SentNotification(kind=NotificationKind(kind), channel=NotificationChannel(channel), **rest)


def _address(*, channel: str, **rest: Any) -> NotificationAddress:
    return NotificationAddress(channel=NotificationChannel(channel), **rest)


def _waiting_morning(
    *, user_id: str, hour: int, days: list[int], when_empty: bool, chosen_at: datetime, last_day: date | None
) -> WaitingMorning:
    return WaitingMorning(user_id, _morning(hour, days, when_empty), chosen_at, last_day)


def _morning(hour: int | None, days: list[int], when_empty: bool) -> MorningChoice:
    return MorningChoice(hour=hour, days=frozenset(days), when_empty=when_empty)


def _settings(
    *, choices: dict[str, list[str]], quiet_from: str | None, quiet_to: str | None, **row: Any
) -> NotificationSettings:
    """Kinds and channels of another version are left out."""
    kinds, channels = set(NotificationKind), set(NotificationChannel)
    return NotificationSettings(
        choices={
            NotificationKind(kind): frozenset(NotificationChannel(name) for name in chosen if name in channels)
            for kind, chosen in choices.items()
            if kind in kinds
        },
        quiet_from=time.fromisoformat(quiet_from) if quiet_from else None,
        quiet_to=time.fromisoformat(quiet_to) if quiet_to else None,
        titles=row["titles"],
        morning=_morning(row["morning_hour"], row["morning_days"], row["morning_when_empty"]),
        version=row["version"],
    )
