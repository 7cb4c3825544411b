"""Delivery events, replies and payments from other programs: authenticated, recorded once, applied to the ladder."""

import json
import re
from email import message_from_bytes, policy

import httpx
import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import service
from almanac.desks.reminders.api.events import get_webhook_key
from almanac.desks.reminders.pipeline.dispatch import update_from_mail
from almanac.jobs import JobFilter
from almanac.kit.signatures import sign_body
from almanac.mail.deliveries import SIGNATURE_HEADER
from almanac.mail.port import OutcomeUnknown

BASE = "/api/v1/reminders"


@pytest.fixture
def post_signed(nobody, services):
    """Posts as a program that has a key and no account."""

    async def post(path, news, key):
        body = json.dumps(news).encode()
        headers = {SIGNATURE_HEADER: sign_body(body, key.encode(), now=services.clock.now())}
        headers |= {"Content-Type": "application/json"}
        return await nobody.http.post(f"{BASE}/events/{path}", content=body, headers=headers)

    return post


@pytest.fixture
def listen(services):
    """Registers a program that wants to know of some events, and says what it is told."""

    async def register(*events):
        made = await services.webhooks.register(CONSOLE, url="https://example.org/hook", events=list(events))

        async def told():
            page = await services.webhooks.deliveries(CONSOLE, made.endpoint.id)
            return sorted(delivery.event for delivery in page.items)

        return told

    return register


@pytest.fixture
def sent(services, drafted):
    """A reminder that went out."""

    async def send(customer_id="acme", **more):
        draft = await drafted(customer_id, **more)
        await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
        await service.send_draft(services, CONSOLE, draft.id)
        return (await service.list_sent_to_customer(services, CONSOLE, customer_id)).items

    return send


def news_of(mail, recipient, event="delivered", **more):
    return {"events": [{"event": event, "recipient": recipient, "at": "2026-03-01T12:00:00Z", "id": mail, **more}]}


async def test_delivery_is_told_by_recipient_and_a_bounce_suppresses(services, sent, post_signed, nobody):
    [mail] = await sent(more_recipients=("books@example.org",))
    news = news_of(mail.mail_id, "acme@example.org")
    unsigned = await nobody.http.post(f"{BASE}/events/mail", json=news)
    assert unsigned.status_code == 401
    assert (await post_signed("mail", news, "a wrong key")).status_code == 403
    taken = await post_signed("mail", news, services.mail_webhook_key)
    assert taken.json() == {"new": 1, "repeated": 0, "unmatched": 0}
    bounced = news_of(mail.mail_id, "books@example.org", "bounced", permanent=True)
    for new in (1, 0):
        assert (await post_signed("mail", bounced, services.mail_webhook_key)).json()["new"] == new
    updated = await service.get_sent(services, CONSOLE, mail.id)
    assert updated.delivery == {"acme@example.org": "delivered", "books@example.org": "bounced"}
    assert updated.delivery_status == "bounced"
    assert await services.suppressions.find("books@example.org") is not None


async def test_news_that_the_mail_itself_takes_reach_the_reminder_by_a_job(services, sent, api):
    [mail] = await sent()
    await api.post("/api/v1/mail/events", json=news_of(mail.mail_id, "acme@example.org", "complained"))
    waiting = await services.jobs.jobs(JobFilter(task="reminders.news"))
    assert len(waiting.items) == 1
    await update_from_mail(services, mail.mail_id)
    assert (await service.get_sent(services, CONSOLE, mail.id)).delivery_status == "complained"


async def test_nobody_is_drafted_for_whose_every_address_bounced(services, owing):
    await owing()
    await services.suppressions.add("acme@example.org", source="bounce", reason="No such mailbox.")
    [line] = (await service.explain_customer(services, CONSOLE, "acme")).lines
    assert (line.goes_out, line.decision.rule) == (False, "address")
    assert (await service.get_plan(services, CONSOLE)).reasons == {"address": 1}


async def test_a_reply_pauses_the_ladder_until_a_person_confirms(services, sent, post_signed, api):
    [mail] = await sent()
    raw = message_from_bytes(await service.get_sent_mail(services, CONSOLE, mail.id), policy=policy.default)
    reply = {"reply_id": "<r1@example.org>", "text": "We pay on Friday.", "in_reply_to": raw["Message-ID"]}
    first, second = [await post_signed("reply", reply, get_webhook_key(services)) for _ in range(2)]
    assert (first.status_code, second.json()) == (200, first.json()), first.text
    [waiting] = (await api.get(f"{BASE}/replies")).json()["items"]
    assert (waiting["customer_id"], waiting["quoted"]) == ("acme", "We pay on Friday.")
    [line] = (await api.get(f"{BASE}/customers/acme/why")).json()["lines"]
    assert line["rule"] == "hold"
    path = f"{BASE}/customers/acme/replies/{waiting['id']}/confirm"
    meant = await api.post(path, json={"meaning": "promise", "until": "2027-01-01"})
    assert meant.json()["kind"] == "promise", meant.text
    assert (await api.get(f"{BASE}/replies")).json()["items"] == []
    assert (await api.post(path, json={"meaning": "nothing"})).status_code == 409
    by_sender = {"reply_id": "<r2@example.org>", "text": "Who are you?", "sender": "Acme <ACME@example.org>"}
    assert (await post_signed("reply", by_sender, get_webhook_key(services))).json()["customer_id"] == "acme"
    stranger = {**by_sender, "reply_id": "r3", "sender": "stranger@example.org"}
    assert (await post_signed("reply", stranger, get_webhook_key(services))).status_code == 404


async def test_a_payment_by_webhook_counts_once_and_is_told_on(services, owing, post_signed, nobody, listen):
    await owing()
    delivered = await listen("payment.recorded", "invoice.paid")
    wish = {"customer_id": "acme", "reference": "bank-1", "amount": "100.00", "currency": "EUR"}
    assert (await nobody.http.post(f"{BASE}/events/payment", json=wish)).status_code == 401
    for recorded in (True, False):
        taken = await post_signed("payment", wish, get_webhook_key(services))
        assert taken.json()["recorded"] is recorded, taken.text
    assert await delivered() == ["invoice.paid", "payment.recorded"]


async def test_the_link_in_the_mail_ends_reminders(services, sent, nobody):
    [mail] = await sent()
    raw = message_from_bytes(await service.get_sent_mail(services, CONSOLE, mail.id), policy=policy.default)
    [link] = re.findall(r"<(.*)>", raw["List-Unsubscribe"])
    path = httpx.URL(link).path
    shown = await nobody.get(path)
    assert "Stop reminders?" in shown.text
    assert not (await service.get_customer(services, CONSOLE, "acme")).opted_out
    done = await nobody.http.post(path, data={"List-Unsubscribe": "One-Click"})
    assert "No more reminders" in done.text
    assert (await service.get_customer(services, CONSOLE, "acme")).opted_out
    [line] = (await service.explain_customer(services, CONSOLE, "acme")).lines
    assert line.decision.rule == "never"
    assert (await nobody.get("/reminders/opt-out/forged")).status_code == 400


async def test_what_became_of_a_reminder_is_told_to_webhooks(services, drafted, listen):
    delivered = await listen("reminder.drafted", "reminder.unknown", "reminder.sent")
    draft = await drafted()
    services.mail_transport.failures.append(OutcomeUnknown("The line went dead."))
    await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
    assert (await service.send_draft(services, CONSOLE, draft.id)).state == "unknown"
    assert (await service.settle_draft(services, CONSOLE, draft.id, "sent", why="They answered.")).state == "sent"
    assert await delivered() == ["reminder.drafted", "reminder.sent", "reminder.unknown"]
