"""An event reaches who chose it, signed, once it is committed; whatever fails is tried again and written down."""

import asyncio
import contextlib
import json
from datetime import timedelta

import pytest

from almanac.accounts.model import CONSOLE
from almanac.errors import Conflict
from almanac.kit.signatures import BadSignature, verify_body
from almanac.webhooks import WebhookDeliveryState
from almanac.webhooks.jobs import PRUNE, RETRIES


async def test_an_event_reaches_who_chose_it_and_nobody_else(hooks):
    await hooks.register("news.added")
    await hooks.register("newsletter.exported")
    event_id = await hooks.publish("news.added", link="https://example.org", count=3)
    await hooks.jobs.drain()
    [(headers, body)] = hooks.receiver.seen
    assert json.loads(body) == {
        "id": event_id,
        "event": "news.added",
        "created_at": "2026-03-02T09:00:00Z",
        "data": {"link": "https://example.org", "count": 3},
    }
    assert (headers["Almanac-Event"], headers["Content-Type"]) == ("news.added", "application/json")


async def test_the_body_is_signed_with_the_secret_that_was_shown(hooks):
    made = await hooks.register()
    await hooks.publish()
    await hooks.jobs.drain()
    [(headers, body)] = hooks.receiver.seen
    verify_body(body, headers["Almanac-Signature"], made.secret.encode(), now=hooks.clock.now())
    with pytest.raises(BadSignature):
        verify_body(body + b" ", headers["Almanac-Signature"], made.secret.encode(), now=hooks.clock.now())
    later = hooks.clock.now() + timedelta(minutes=6)
    with pytest.raises(BadSignature, match="too old"):
        verify_body(body, headers["Almanac-Signature"], made.secret.encode(), now=later)


async def test_nothing_is_told_of_what_was_rolled_back(hooks):
    await hooks.register()
    with contextlib.suppress(ConnectionError):
        async with hooks.database.unit() as unit:
            await hooks.webhooks.publish(unit, "news.added", {})
            raise ConnectionError
    await hooks.jobs.drain()
    assert hooks.receiver.seen == []


async def test_an_event_that_nobody_chose_leaves_no_trace(hooks):
    await hooks.register("newsletter.exported")
    assert await hooks.publish("news.added") is None


async def test_an_event_that_was_never_registered_is_a_mistake_in_the_program(hooks):
    with pytest.raises(ValueError, match="not registered"):
        await hooks.publish("news.invented")


async def test_a_failing_receiver_gets_the_same_body_again(hooks):
    made = await hooks.register()
    hooks.receiver.answer(500, 302, 404)
    await hooks.publish(n=1)
    for _ in range(4):
        await hooks.jobs.drain()
        hooks.clock.advance(hours=1)
    assert len(hooks.receiver.seen) == 4
    assert len({body for _, body in hooks.receiver.seen}) == 1
    assert len({headers["Almanac-Delivery"] for headers, _ in hooks.receiver.seen}) == 1
    detail = await hooks.latest(made.endpoint.id)
    assert detail.delivery.state is WebhookDeliveryState.DELIVERED
    assert [attempt.answer for attempt in detail.attempts] == [204, 404, 302, 500]
    assert [attempt.succeeded for attempt in detail.attempts] == [True, False, False, False]
    assert detail.attempts[-1].reason == "127.0.0.1 answered 500."
    assert (await hooks.webhooks.get(CONSOLE, made.endpoint.id)).failing_since is None


async def test_a_receiver_that_asks_for_patience_gets_it(hooks):
    await hooks.register()
    hooks.receiver.answer(503, **{"Retry-After": "7200"})
    await hooks.publish()
    await hooks.jobs.drain()
    hooks.clock.advance(hours=1)
    await hooks.jobs.drain()
    assert len(hooks.receiver.seen) == 1
    hooks.clock.advance(hours=1.1)
    await hooks.jobs.drain()
    assert len(hooks.receiver.seen) == 2


async def test_a_receiver_that_is_not_there_is_written_down_too(hooks):
    made = await hooks.register(url="http://127.0.0.1:9/hook")
    await hooks.publish()
    await hooks.jobs.drain()
    detail = await hooks.latest(made.endpoint.id)
    assert (detail.delivery.state, detail.attempts[0].answer) == (WebhookDeliveryState.WAITING, None)
    assert detail.attempts[0].reason


async def test_after_the_last_attempt_the_delivery_has_failed_for_good(hooks):
    made = await hooks.register()
    hooks.receiver.answer(*[500] * 20)
    await hooks.publish()
    for _ in range(RETRIES.attempts + 2):
        await hooks.jobs.drain()
        hooks.clock.advance(hours=7)
    assert len(hooks.receiver.seen) == RETRIES.attempts
    detail = await hooks.latest(made.endpoint.id)
    assert (detail.delivery.state, detail.delivery.reason) == (WebhookDeliveryState.FAILED, "127.0.0.1 answered 500.")


async def test_an_endpoint_that_fails_for_days_is_disabled_with_the_reason(hooks):
    made = await hooks.register()
    hooks.receiver.answer(*[500] * 20)
    await hooks.publish()
    for _ in range(2):
        await hooks.jobs.drain()
        hooks.clock.advance(days=4)
    endpoint = await hooks.webhooks.get(CONSOLE, made.endpoint.id)
    assert not endpoint.active
    assert "Every delivery has failed since 2 March 2026, 09:00 UTC" in endpoint.disabled_why
    assert "answered 500" in endpoint.disabled_why
    assert await hooks.publish() is None
    await hooks.jobs.drain()
    assert (await hooks.latest(made.endpoint.id)).delivery.reason == "The endpoint is disabled."


async def test_an_endpoint_that_is_gone_is_disabled_at_once(hooks):
    made = await hooks.register()
    hooks.receiver.answer(410)
    await hooks.publish()
    await hooks.jobs.drain()
    endpoint = await hooks.webhooks.get(CONSOLE, made.endpoint.id)
    assert (endpoint.active, "410" in endpoint.disabled_why) == (False, True)
    assert (await hooks.latest(made.endpoint.id)).delivery.state is WebhookDeliveryState.FAILED


async def test_a_failed_delivery_can_be_sent_again(hooks):
    made = await hooks.register()
    hooks.receiver.answer(410)
    await hooks.publish()
    await hooks.jobs.drain()
    failed = await hooks.latest(made.endpoint.id)
    with pytest.raises(Conflict, match="enable it first"):
        await hooks.webhooks.redeliver(CONSOLE, failed.delivery.id)
    await hooks.webhooks.enable(CONSOLE, made.endpoint.id)
    await hooks.webhooks.redeliver(CONSOLE, failed.delivery.id)
    with pytest.raises(Conflict, match="still in progress"):
        await hooks.webhooks.redeliver(CONSOLE, failed.delivery.id)
    await hooks.jobs.drain()
    again = await hooks.latest(made.endpoint.id)
    assert (again.delivery.state, len(again.attempts)) == (WebhookDeliveryState.DELIVERED, 2)


async def test_of_two_who_ask_at_once_one_sends_it_again(hooks):
    made = await hooks.register()
    await hooks.publish()
    await hooks.jobs.drain()
    first = (await hooks.latest(made.endpoint.id)).delivery.id
    asked = [hooks.webhooks.redeliver(CONSOLE, first) for _ in range(4)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict"] * 3 + ["WebhookDelivery"]


async def test_a_ping_reaches_one_endpoint_whatever_it_chose(hooks):
    made = await hooks.register("newsletter.exported")
    await hooks.register("news.added")
    await hooks.webhooks.ping(CONSOLE, made.endpoint.id)
    await hooks.jobs.drain()
    [(headers, body)] = hooks.receiver.seen
    assert headers["Almanac-Event"] == "ping"
    assert json.loads(body)["data"] == {"endpoint_id": made.endpoint.id}


async def test_after_a_change_of_secret_both_fit_for_a_day(hooks):
    made = await hooks.register()
    changed = await hooks.webhooks.rotate(CONSOLE, made.endpoint.id)
    assert changed.secret != made.secret
    await hooks.publish()
    await hooks.jobs.drain()
    headers, body = hooks.receiver.seen[0]
    for secret in (made.secret, changed.secret):
        verify_body(body, headers["Almanac-Signature"], secret.encode(), now=hooks.clock.now())
    hooks.clock.advance(hours=25)
    await hooks.publish()
    await hooks.jobs.drain()
    headers, body = hooks.receiver.seen[1]
    verify_body(body, headers["Almanac-Signature"], changed.secret.encode(), now=hooks.clock.now())
    with pytest.raises(BadSignature):
        verify_body(body, headers["Almanac-Signature"], made.secret.encode(), now=hooks.clock.now())


async def test_events_published_at_once_each_arrive_once(hooks):
    await hooks.register()
    await asyncio.gather(*(hooks.publish(n=n) for n in range(20)))
    await hooks.jobs.drain()
    numbers = [json.loads(body)["data"]["n"] for _, body in hooks.receiver.seen]
    assert sorted(numbers) == list(range(20))


async def test_old_deliveries_are_forgotten_and_waiting_ones_are_not(hooks):
    made = await hooks.register()
    await hooks.publish(n="old")
    await hooks.jobs.drain()
    hooks.receiver.answer(500)
    await hooks.publish(n="waiting")
    await hooks.jobs.drain()
    hooks.clock.advance(days=31)
    await hooks.jobs.run_schedule(PRUNE.name)
    hooks.receiver.answer(500)
    await hooks.jobs.drain()
    page = await hooks.webhooks.deliveries(CONSOLE, made.endpoint.id)
    assert len(page.items) == 1
