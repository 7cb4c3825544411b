import json

import psycopg
import pytest

from almanac.kit.signatures import sign_body
from almanac.mail.message import Address, Message


@pytest.fixture
async def sent(services):
    """A mail that left, with HTML that tries to misbehave."""
    message = Message(
        to=(Address.parse("grace@example.org"),),
        subject="Hello <Grace>",
        text="Plain & simple.",
        html="<p>Rich</p><script>alert(1)</script>",
        topic="account",
    )
    async with services.database.unit() as unit:
        mail = await services.mailer.queue(message, key="mail", unit=unit)
    await services.mailer.deliver(mail.id)
    return mail.id


async def test_a_message_shows_its_text_source_and_history(admin, sent):
    assert "Hello &lt;Grace&gt;" in (await admin.get("/mail")).text
    page = (await admin.get(f"/mail/{sent}")).text
    assert "Plain &amp; simple." in page
    assert "grace@example.org" in page
    assert "Message-ID:" in (await admin.get(f"/mail/{sent}?part=source")).text


async def test_html_of_a_mail_is_shown_in_a_sandbox_only(admin, sent):
    page = (await admin.get(f"/mail/{sent}?part=html")).text
    assert "<script>alert" not in page
    assert f'src="/mail/{sent}/html"' in page
    assert "sandbox" in page
    alone = await admin.get(f"/mail/{sent}/html")
    assert alone.headers["content-security-policy"].startswith("sandbox; default-src 'none'")


async def test_messages_are_found_by_recipient(admin, sent):
    assert sent in (await admin.get("/mail?q=grace")).text
    assert "No messages match" in (await admin.get("/mail?q=nobody")).text


async def test_an_address_is_suppressed_with_a_reason_and_lifted_with_one(admin):
    missing = await admin.post("/mail/suppressions", {"email": "gone@example.org", "reason": ""})
    assert missing.status_code == 422
    assert "Give a reason" in missing.text
    await admin.post("/mail/suppressions", {"email": "gone@example.org", "reason": "Left the company."})
    assert "Left the company." in (await admin.get("/mail/suppressions")).text
    lifted = await admin.post(
        "/mail/suppressions/lift", {"email": "gone@example.org", "topic": "", "why": "Came back."}
    )
    assert "The list is empty" in lifted.text


async def test_a_reader_unsubscribes_with_one_click(services, nobody):
    token = services.suppressions._links.token("reader@example.org", "newsletter")
    assert "Unsubscribe?" in (await nobody.get(f"/unsubscribe/{token}")).text
    answer = await nobody.http.post(f"/unsubscribe/{token}", data={"List-Unsubscribe": "One-Click"})
    assert "You are unsubscribed" in answer.text
    assert await services.suppressions.find("reader@example.org", topic="newsletter")


async def test_a_damaged_unsubscribe_link_says_what_to_do(nobody):
    answer = await nobody.http.post("/unsubscribe/damaged")
    assert answer.status_code == 400
    assert "copy it whole from the mail" in answer.text


def bounced(mail_id):
    event = {"event": "bounced", "id": mail_id, "recipient": "grace@example.org", "at": "2026-03-02T09:00:00Z"}
    return json.dumps({"events": [{**event, "permanent": True, "reason": "No such mailbox."}]}).encode()


async def test_a_signed_event_suppresses_a_bounced_address(services, nobody, clock, sent):
    body = bounced(sent)
    signature = sign_body(body, services.mail_webhook_key.encode(), now=clock.now())
    answer = await nobody.http.post("/api/v1/mail/events", content=body, headers={"X-Almanac-Signature": signature})
    assert answer.json() == {"new": 1, "repeated": 0, "unmatched": 0}
    assert await services.suppressions.find("grace@example.org")


BOUNCE = """\
From: MAILER-DAEMON@mx.example.org
Message-ID: <bounce-1@mx.example.org>
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
MIME-Version: 1.0

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; grace@example.org
Action: failed
Status: 5.1.1
--b
Content-Type: text/rfc822-headers

X-Almanac-Id: {mail_id}
--b--
"""


async def test_a_bounce_mail_does_the_same(services, api, sent):
    body, headers = BOUNCE.format(mail_id=sent), {"Content-Type": "message/rfc822"}
    answer = await api.post("/api/v1/mail/events", content=body, headers=headers)
    assert answer.json() == {"new": 1, "repeated": 0, "unmatched": 0}
    assert await services.suppressions.find("grace@example.org")


async def test_a_mail_that_is_no_bounce_is_refused_with_a_sentence(api):
    answer = await api.post(
        "/api/v1/mail/events", content="Subject: Re: Hello\r\n\r\nThanks!", headers={"Content-Type": "message/rfc822"}
    )
    assert answer.status_code == 400
    assert "isn't a delivery status notification" in answer.text


async def test_an_unsigned_or_forged_event_is_refused(nobody, sent):
    body = bounced(sent)
    assert (await nobody.http.post("/api/v1/mail/events", content=body)).status_code == 401
    forged = {"X-Almanac-Signature": "t=1,v1=00"}
    assert (await nobody.http.post("/api/v1/mail/events", content=body, headers=forged)).status_code == 403


async def test_programs_read_mail(api, sent):
    (line,) = (await api.get("/api/v1/mail")).json()["items"]
    assert (line["id"], line["status"]) == (sent, "sent")
    assert (await api.get(f"/api/v1/mail/{sent}")).json()["text"].strip() == "Plain & simple."


async def test_a_message_of_a_foreign_sns_topic_is_not_believed(nobody):
    message = {
        "Type": "Notification",
        "MessageId": "1",
        "TopicArn": "arn:aws:sns:eu-west-1:1:theirs",
        "Message": "{}",
        "Timestamp": "2026-03-02T09:00:00Z",
        "Signature": "x",
        "SignatureVersion": "1",
        "SigningCertURL": "https://sns.eu-west-1.amazonaws.com/cert.pem",
    }
    answer = await nobody.http.post("/api/v1/mail/events/ses", json=message)
    assert answer.status_code == 403
    assert "not one of ours" in answer.json()["detail"]


async def test_what_programs_decide_about_mail_is_on_record(api, sent, database_url):
    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        await connection.execute("UPDATE mail_messages SET status = 'unknown', finished_at = NULL")
    settled = await api.post(f"/api/v1/mail/{sent}/settle", json={"outcome": "not_sent", "why": "It is in no log."})
    retried = await api.post(f"/api/v1/mail/{sent}/retry")
    listed = await api.post("/api/v1/mail/suppressions", json={"email": "gone@example.org", "reason": "Asked for it."})
    assert [answer.status_code for answer in (settled, retried, listed)] == [204, 204, 204]
    entries = (await api.get("/api/v1/audit")).json()["items"]
    assert [(entry["action"], entry["why"]) for entry in reversed(entries)] == [
        ("mail.settled", "It is in no log."),
        ("mail.retried", ""),
        ("suppression.added", "Asked for it."),
    ]
    assert "gone@example.org" not in str(entries)


async def test_a_mail_in_doubt_waits_for_an_administrator_to_settle_it(admin, services, sent, database_url):
    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        await connection.execute("UPDATE mail_messages SET status = 'unknown', finished_at = NULL")
    assert "1 mail in doubt" in (await admin.get("/")).text
    assert "This mail may or may not have been sent" in (await admin.get(f"/mail/{sent}")).text
    listed = (await admin.get("/mail?status=unknown")).text
    assert ("In doubt" in listed, "Unknown" in listed) == (True, False)
    settled = await admin.post(f"/mail/{sent}/settle", {"outcome": "sent", "why": "It is in the service's log."})
    assert "Saved." in settled.text
    assert (await services.mailbox.get(sent)).line.status == "sent"
