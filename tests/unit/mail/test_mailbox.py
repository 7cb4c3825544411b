"""People can list every mail, and read one with its source, parts and history."""

import pytest

from almanac.errors import InputError, NotFound
from almanac.mail import Attachment, MessageFilter


async def test_the_list_is_paged_newest_first_without_gaps(mailroom, message) -> None:
    for number in range(5):
        await mailroom.queue(message(subject=f"Number {number}"), key=str(number))
    first = await mailroom.mailbox.list(limit=2)
    second = await mailroom.mailbox.list(limit=2, cursor=first.next_cursor)
    third = await mailroom.mailbox.list(limit=2, cursor=second.next_cursor)
    subjects = [line.subject[-1] for page in (first, second, third) for line in page.items]
    assert subjects == ["4", "3", "2", "1", "0"]
    assert third.next_cursor is None


async def test_the_list_can_be_narrowed(mailroom, message) -> None:
    await mailroom.queue(message(topic="reminders", subject="100% due"), key="1")
    await mailroom.mailer.deliver_due()
    await mailroom.queue(message("ben@example.com", subject="Hello"), key="2")

    async def subjects(**which) -> list[str]:
        return [line.subject for line in (await mailroom.mailbox.list(MessageFilter(**which))).items]

    assert await subjects(outcome="sent") == ["100% due"]
    assert await subjects(topic="test") == ["Hello"]
    assert await subjects(text="BEN@") == ["Hello"]
    assert await subjects(text="0% d") == ["100% due"]
    assert await subjects(text="1_0") == []


async def test_a_cursor_of_another_list_is_refused(mailroom, message) -> None:
    for number in range(2):
        await mailroom.queue(message(), key=str(number))
    cursor = (await mailroom.mailbox.list(limit=1)).next_cursor
    with pytest.raises(InputError, match="start again from the first page"):
        await mailroom.mailbox.list(MessageFilter(outcome="sent"), cursor=cursor)


async def test_a_sent_mail_is_shown_from_its_exact_bytes(mailroom, message) -> None:
    attachment = Attachment("a.pdf", "application/pdf", b"%PDF")
    mail_id = await mailroom.queue(message(html="<p>Hi</p>", attachments=(attachment,)))
    await mailroom.mailer.deliver(mail_id)
    detail = await mailroom.mailbox.get(mail_id)
    assert (detail.content.text.strip(), detail.content.html.strip()) == ("Hi", "<p>Hi</p>")
    assert detail.content.attachments == [attachment]
    assert ("Message-ID", f"<{mail_id}@example.org>") in detail.content.headers


async def test_a_waiting_mail_is_shown_as_its_author_gave_it(mailroom, message) -> None:
    detail = await mailroom.mailbox.get(await mailroom.queue(message(html="<p>Hi</p>")))
    assert (detail.raw, detail.message_id, detail.line.status) == (None, None, "queued")
    assert (detail.content.text, detail.content.html) == ("Hi\n", "<p>Hi</p>")
    assert ("From", "Almanac <almanac@example.org>") in detail.content.headers


async def test_counts_tell_how_many_stand_where(mailroom, message) -> None:
    await mailroom.queue(message(), key="1")
    await mailroom.mailer.deliver_due()
    await mailroom.queue(message(), key="2")
    assert await mailroom.mailbox.counts() == {"sent": 1, "queued": 1}


async def test_a_mail_that_does_not_exist_is_not_found(mailroom) -> None:
    with pytest.raises(NotFound, match="There is no mail with this id"):
        await mailroom.mailbox.get("nothing")
