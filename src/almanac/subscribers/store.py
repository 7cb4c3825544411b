"""All reads and writes of subscribers; callers check rules."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from almanac.relational import ReadTransaction, Unit, load_queries
from almanac.subscribers.model import (
    FollowedTarget,
    FollowRequest,
    MailFrequency,
    Subscriber,
    SubscriberCounts,
    Subscription,
    UntoldPart,
)

QUERIES = load_queries(__package__)
_MOST_TARGETS = 50_000


async def lock_or_add(unit: Unit, subscriber_id: str, wish: FollowRequest, now: datetime) -> Subscriber:
    """The subscriber with an address, new if there is none, locked until the unit ends."""
    row = {"id": subscriber_id, "email": wish.email, "language": wish.language, "frequency": wish.frequency}
    await unit.execute(QUERIES["add_subscriber"], {**row, "now": now, "today": now.date()})
    subscriber = await unit.one(QUERIES["lock_by_email"], {"email": wish.email}, into=Subscriber)
    assert subscriber is not None
    return subscriber


async def lock_subscriber(unit: Unit, subscriber_id: str) -> Subscriber | None:
    """A subscriber, locked until the unit ends."""
    return await unit.one(QUERIES["lock_subscriber"], {"id": subscriber_id}, into=Subscriber)


async def lock_idle_subscriber(unit: Unit, subscriber_id: str) -> Subscriber | None:
    """A subscriber, locked until the unit ends; None while somebody else has the lock."""
    return await unit.one(QUERIES["lock_idle_subscriber"], {"id": subscriber_id}, into=Subscriber)


async def find_subscriber(reading: ReadTransaction, subscriber_id: str) -> Subscriber | None:
    """A subscriber by id."""
    return await reading.one(QUERIES["find_subscriber"], {"id": subscriber_id}, into=Subscriber)


async def find_by_email(reading: ReadTransaction, email: str) -> Subscriber | None:
    """A subscriber by address."""
    return await reading.one(QUERIES["find_by_email"], {"email": email}, into=Subscriber)


async def count_request(unit: Unit, subscriber_id: str, now: datetime) -> int:
    """Count a request of today; returns how many there are."""
    return int(await unit.value(QUERIES["count_request"], {"id": subscriber_id, "today": now.date()}))


async def count_subscriptions(unit: Unit, subscriber_id: str) -> int:
    """How many things somebody follows or asked to follow."""
    return int(await unit.value(QUERIES["count_subscriptions"], {"id": subscriber_id}))


async def ask_subscription(
    unit: Unit, subscription_id: str, subscriber_id: str, wish: FollowRequest, now: datetime
) -> Subscription:
    """The subscription that is asked for; one that is confirmed stays so."""
    params = {
        "id": subscription_id,
        "subscriber_id": subscriber_id,
        "desk": wish.desk,
        "kind": wish.kind,
        "target": wish.target,
        "label": wish.label,
        "language": wish.language,
        "frequency": wish.frequency,
        "now": now,
    }
    subscription = await unit.one(QUERIES["ask_subscription"], params, into=Subscription)
    assert subscription is not None
    return subscription


async def find_owner(unit: Unit, subscription_id: str, since: datetime) -> str | None:
    """Whose a subscription is, if it was asked for since a moment or is confirmed."""
    owner = await unit.value(QUERIES["find_subscription"], {"id": subscription_id, "since": since})
    return None if owner is None else str(owner)


async def confirm_subscription(unit: Unit, subscription_id: str, *, since: datetime, now: datetime) -> None:
    """Confirm what was asked for since a moment. Idempotent."""
    await unit.execute(QUERIES["confirm_subscription"], {"id": subscription_id, "since": since, "now": now})


async def list_subscriptions(
    reading: ReadTransaction, subscriber_id: str, *, everything: bool = False
) -> list[Subscription]:
    """What somebody follows, with what nobody has confirmed if everything is asked for."""
    query = QUERIES["list_everything_asked" if everything else "list_subscriptions"]
    return await reading.all(query, {"id": subscriber_id}, into=Subscription)


async def change_subscriber(unit: Unit, subscriber_id: str, language: str, frequency: MailFrequency) -> None:
    """Change how somebody gets mail."""
    row = {"id": subscriber_id, "language": language, "frequency": frequency}
    await unit.execute(QUERIES["change_subscriber"], row)


async def renew_links(unit: Unit, subscriber_id: str) -> None:
    """Make the links to somebody's list invalid."""
    await unit.execute(QUERIES["renew_links"], {"id": subscriber_id})


async def delete_subscription(unit: Unit, subscriber_id: str, subscription_id: str) -> None:
    """Stop one alert of somebody."""
    await unit.execute(QUERIES["delete_subscription"], {"id": subscription_id, "subscriber_id": subscriber_id})


async def delete_subscriber(unit: Unit, subscriber_id: str) -> None:
    """Delete an address with all that belongs to it."""
    await unit.execute(QUERIES["delete_subscriber"], {"id": subscriber_id})


async def delete_if_idle(unit: Unit, subscriber_id: str) -> bool:
    """Delete an address that follows nothing; whether it did."""
    return await unit.execute(QUERIES["delete_if_idle"], {"id": subscriber_id}) == 1


async def list_unconfirmed(unit: Unit, before: datetime, limit: int) -> list[str]:
    """Whose requests nobody confirmed in time."""
    rows = await unit.all(QUERIES["list_unconfirmed"], {"before": before, "limit": limit})
    return [row["subscriber_id"] for row in rows]


async def delete_unconfirmed(unit: Unit, subscriber_id: str, before: datetime) -> None:
    """Delete somebody's requests that nobody confirmed in time."""
    await unit.execute(QUERIES["delete_unconfirmed"], {"subscriber_id": subscriber_id, "before": before})


async def delete_old_items(unit: Unit, before: datetime) -> None:
    """Forget what was told long ago."""
    await unit.execute(QUERIES["delete_old_items"], {"before": before})


async def list_targets(
    reading: ReadTransaction, desk: str, kind: str, among: Collection[str] | None = None
) -> set[str]:
    """What anybody follows of a kind, among some targets or at all."""
    if among is None:
        rows = await reading.all(QUERIES["list_all_targets"], {"desk": desk, "kind": kind, "limit": _MOST_TARGETS})
    else:
        rows = await reading.all(QUERIES["list_targets"], {"desk": desk, "kind": kind, "targets": list(among)})
    return {row["target"] for row in rows}


async def add_items(unit: Unit, desk: str, item: str, matches: Iterable[tuple[str, str, str]], now: datetime) -> int:
    """Note parts of an item, each as (kind, target, part), for whoever follows the target; returns how many rows."""
    rows = list(matches)
    params = {
        "desk": desk,
        "item": item,
        "kinds": [kind for kind, _, _ in rows],
        "targets": [target for _, target, _ in rows],
        "parts": [part for _, _, part in rows],
        "now": now,
    }
    return await unit.execute(QUERIES["add_items"], params)


async def list_due(reading: ReadTransaction, *, day_began: datetime, after: str, limit: int) -> list[str]:
    """Who has something to be told now, by id from one on."""
    rows = await reading.all(QUERIES["list_due"], {"day_began": day_began, "after": after, "limit": limit})
    return [row["id"] for row in rows]


async def list_untold(reading: ReadTransaction, subscriber_id: str, limit: int) -> list[UntoldPart]:
    """What somebody has not been told, the oldest first."""
    return await reading.all(QUERIES["list_untold"], {"id": subscriber_id, "limit": limit}, into=_untold)


def _untold(*, follows: list[list[str]], **rest: Any) -> UntoldPart:
    return UntoldPart(follows=tuple(FollowedTarget(*row) for row in follows), **rest)


async def mark_told(
    unit: Unit, subscriber_id: str, parts: Sequence[UntoldPart], now: datetime
) -> set[tuple[str, str, str]]:
    """Mark parts as told; returns those that nobody had marked, as (desk, item, part)."""
    params = {
        "id": subscriber_id,
        "desks": [part.desk for part in parts],
        "items": [part.item for part in parts],
        "parts": [part.part for part in parts],
        "now": now,
    }
    return {(row["desk"], row["item"], row["part"]) for row in await unit.all(QUERIES["mark_told"], params)}


async def record_mail(unit: Unit, subscriber_id: str, now: datetime) -> None:
    """Record when somebody last got a mail."""
    await unit.execute(QUERIES["record_mail"], {"id": subscriber_id, "now": now})


async def refuse(unit: Unit, hashed: str, now: datetime) -> None:
    """Remember by a hash that an address wants no mail."""
    await unit.execute(QUERIES["refuse"], {"hash": hashed, "now": now})


async def is_refused(reading: ReadTransaction, hashed: str) -> bool:
    """Whether an address wants no mail."""
    return bool(await reading.value(QUERIES["is_refused"], {"hash": hashed}))


async def count_all(reading: ReadTransaction) -> SubscriberCounts:
    """How many people, alerts and unconfirmed requests there are."""
    counts = await reading.one(QUERIES["count_all"], into=SubscriberCounts)
    assert counts is not None
    return counts
