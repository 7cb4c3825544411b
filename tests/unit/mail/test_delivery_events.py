"""Delivery events are recorded once per recipient, and bounces and complaints suppress the address."""

from dataclasses import replace

import pytest

from almanac.mail import DeliveryEvent
from almanac.mail.model import RecordedEvents


@pytest.fixture
async def sent(mailroom, message) -> str:
    mail_id = await mailroom.queue(message("anna@example.com", "ben@example.com"))
    await mailroom.mailer.deliver(mail_id)
    return mail_id


@pytest.fixture
def news(sent, clock) -> DeliveryEvent:
    return DeliveryEvent(
        kind="delivered",
        recipient="Anna@example.com",
        happened_at=clock.now(),
        source="ses",
        source_id="n-1",
        mail_id=sent,
    )


async def test_each_recipient_has_a_state_of_their_own(mailroom, sent, news) -> None:
    bounce = replace(news, kind="bounced", recipient="ben@example.com", permanent=True, detail="550 gone")
    assert await mailroom.deliveries.record(news, bounce) == RecordedEvents(new=2, repeated=0, unmatched=0)
    states = {s.email: (s.state, s.detail) for s in (await mailroom.mailbox.get(sent)).recipients}
    assert states == {"anna@example.com": ("delivered", ""), "ben@example.com": ("bounced", "550 gone")}


async def test_the_same_news_again_changes_nothing(mailroom, sent, news) -> None:
    await mailroom.deliveries.record(news)
    assert await mailroom.deliveries.record(news, news) == RecordedEvents(new=0, repeated=2, unmatched=0)
    assert await mailroom.kinds(sent) == ["sent", "delivered"]


@pytest.mark.parametrize(
    ("change", "source"),
    [
        ({"kind": "bounced", "permanent": True}, "bounce"),
        ({"kind": "complained"}, "complaint"),
        ({"kind": "bounced", "permanent": False}, None),
        ({"kind": "delayed"}, None),
    ],
)
async def test_only_what_is_final_suppresses(mailroom, news, change, source) -> None:
    await mailroom.deliveries.record(replace(news, detail="why", **change))
    suppression = await mailroom.suppressions.find("anna@example.com")
    assert (suppression and (suppression.source, suppression.reason)) == (source and (source, "why"))


async def test_a_mail_is_known_by_its_message_id_and_by_the_providers_id(mailroom, sent, news) -> None:
    by_message_id = replace(news, mail_id=None, message_id=f"<{sent}@example.org>", source_id="n-2")
    by_provider_id = replace(news, mail_id=None, provider_id="memory-1", source_id="n-3")
    assert (await mailroom.deliveries.record(by_message_id, by_provider_id)).new == 2


async def test_news_about_a_foreign_mail_is_counted_and_suppresses_nobody(mailroom, news) -> None:
    foreign = replace(news, kind="complained", mail_id="somebody-elses")
    assert await mailroom.deliveries.record(foreign) == RecordedEvents(new=0, repeated=0, unmatched=1)
    assert await mailroom.suppressions.find("anna@example.com") is None
