"""Nobody on the suppression list gets mail, and the list says why."""

import pytest

from almanac.errors import InputError, NotFound


async def test_a_suppressed_recipient_gets_nothing_and_the_mail_says_why(mailroom, message) -> None:
    await mailroom.suppressions.add("anna@example.com", source="manual", reason="She asked us.", by="ben")
    mail_id = await mailroom.queue(message("Anna <ANNA@Example.com>"))
    delivery = await mailroom.mailer.deliver(mail_id)
    assert delivery.status == "failed"
    assert delivery.reason == "Every recipient is on the suppression list (manual): She asked us."
    assert (await mailroom.mailbox.get(mail_id)).line.failure == "suppressed"
    assert mailroom.transport.sent == []


async def test_suppression_is_checked_at_the_claim_and_not_before(mailroom, message) -> None:
    mail_id = await mailroom.queue(message())
    await mailroom.suppressions.add("anna@example.com", source="bounce", reason="No such mailbox.")
    assert (await mailroom.mailer.deliver(mail_id)).status == "failed"


async def test_the_others_get_the_mail_without_the_suppressed_one_in_its_headers(mailroom, message) -> None:
    await mailroom.suppressions.add("anna@example.com", source="complaint", reason="Spam.")
    mail_id = await mailroom.queue(message("anna@example.com", "ben@example.com"))
    await mailroom.mailer.deliver(mail_id)
    [sent] = mailroom.transport.sent
    assert sent.recipients == ("ben@example.com",)
    assert b"anna" not in sent.raw
    states = {state.email: state.state for state in (await mailroom.mailbox.get(mail_id)).recipients}
    assert states == {"anna@example.com": "suppressed", "ben@example.com": "sent"}


async def test_a_topic_holds_back_bulk_mail_of_that_topic_only(mailroom, message) -> None:
    await mailroom.suppressions.add("anna@example.com", source="unsubscribe", reason="Enough.", topic="newsletter")
    held = await mailroom.queue(message(topic="newsletter", bulk=True), key="1")
    other = await mailroom.queue(message(topic="alerts", bulk=True), key="2")
    personal = await mailroom.queue(message(topic="newsletter"), key="3")
    outcomes = {d.id: d.status for d in await mailroom.mailer.deliver_due()}
    assert outcomes == {held: "failed", other: "sent", personal: "sent"}


async def test_a_lifted_suppression_lets_mail_through_again(mailroom, message) -> None:
    await mailroom.suppressions.add("anna@example.com", source="manual", reason="A mistake.")
    await mailroom.suppressions.lift("Anna@example.com", by="ben", why="It was a mistake.")
    assert await mailroom.suppressions.find("anna@example.com") is None
    assert (await mailroom.mailer.deliver(await mailroom.queue(message()))).status == "sent"


async def test_adding_twice_is_one_entry_and_lifting_twice_is_not_found(mailroom) -> None:
    assert await mailroom.suppressions.add("anna@example.com", source="manual", reason="One.")
    assert not await mailroom.suppressions.add("ANNA@example.com", source="bounce", reason="Two.")
    [entry] = (await mailroom.suppressions.list()).items
    assert (entry.source, entry.reason) == ("manual", "One.")
    await mailroom.suppressions.lift("anna@example.com", by="ben", why="Fine again.")
    with pytest.raises(NotFound, match="not on the suppression list"):
        await mailroom.suppressions.lift("anna@example.com", by="ben", why="Again.")


async def test_both_steps_need_a_reason_and_an_address(mailroom) -> None:
    with pytest.raises(InputError, match="Give a reason for blocking this address"):
        await mailroom.suppressions.add("anna@example.com", source="manual", reason=" ")
    with pytest.raises(InputError, match="Give a reason for allowing this address again"):
        await mailroom.suppressions.lift("anna@example.com", by="ben", why="")
    with pytest.raises(InputError, match="isn't a mail address"):
        await mailroom.suppressions.add("anna", source="manual", reason="x")


async def test_the_list_is_paged_newest_first_and_searched(mailroom) -> None:
    for number in range(5):
        await mailroom.suppressions.add(f"p{number}@example.com", source="manual", reason="x")
    first = await mailroom.suppressions.list(limit=3)
    rest = await mailroom.suppressions.list(limit=3, cursor=first.next_cursor)
    assert [e.email[:2] for e in first.items + rest.items] == ["p4", "p3", "p2", "p1", "p0"]
    assert rest.next_cursor is None
    assert [e.email for e in (await mailroom.suppressions.list(text="P3@")).items] == ["p3@example.com"]


async def test_a_cursor_of_another_list_is_refused(mailroom) -> None:
    for number in range(2):
        await mailroom.suppressions.add(f"p{number}@example.com", source="manual", reason="x")
    cursor = (await mailroom.suppressions.list(limit=1)).next_cursor
    with pytest.raises(InputError, match="start again from the first page"):
        await mailroom.suppressions.list(text="p1", cursor=cursor)


async def test_every_spelling_of_an_address_is_told(mailroom):
    await mailroom.suppressions.add("anna@example.com", source="bounce", reason="No such mailbox.")
    asked = ["anna@example.com", "Anna@Example.com", "ben@example.com"]
    assert await mailroom.suppressions.find_suppressed(asked) == {"anna@example.com", "Anna@Example.com"}
