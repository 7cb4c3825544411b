"""Anybody follows a person, a bill, a body or words by mail: asked, confirmed, told once in the speaker's own words."""

import asyncio
import itertools
import json
import logging
import re
import sys
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import pytest
from aiosmtpd.smtp import SMTP

from almanac.audit.model import SYSTEM
from almanac.bootstrap import make_worker, open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.pipeline.publish import publish_recap, withdraw_meeting
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store.objects import save_record
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.kit.clock import FixedClock
from almanac.kit.ids import new_id
from almanac.mail import DeliveryEvent
from almanac.web.app import create_app

BASE = "http://testserver"
AOKI = "青木春子:あおきはるこ"
PLACES = itertools.count(1)
PROCESS = Path(__file__).parent / "mailing_process.py"


class MailServer:
    """An SMTP server on loopback that keeps what it takes, by address."""

    def __init__(self):
        self.received = {}

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802 - aiosmtpd's name
        for address in envelope.rcpt_tos:
            self.received.setdefault(address, []).append(message_from_bytes(envelope.original_content, policy=default))
        return "250 2.0.0 taken"


@pytest.fixture(scope="module")
async def mail_server():
    taken = MailServer()
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(taken, hostname="mail.test"), "127.0.0.1", 0)
    taken.url = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield taken
    server.close()
    await server.wait_closed()


@pytest.fixture(scope="module")
async def services(databases, tmp_path_factory, mail_server):
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path_factory.mktemp("data"),
            database_url=address,
            mail_url=mail_server.url,
            base_url=BASE,
            organisation="Open Records",
            public="recap",
            public_rate_limit_per_minute=100_000,
        )
        async with open_services(settings, FixedClock(datetime(2026, 3, 2, 9, tzinfo=UTC))) as services:
            yield services


@pytest.fixture(scope="module")
async def public(services):
    transport = httpx.ASGITransport(create_app(services, DESKS), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        yield client


@pytest.fixture(scope="module")
def publish(services):
    """Publishes a sitting, and finds who follows it."""

    async def run(record, **changes):
        meeting = parse_meeting(record)
        recap = await write_recap(meeting, writer=services.writer, clock=services.clock, pack_store=NoPackStore())
        url = await save_record(services, task_pk(meeting), json.dumps(record).encode())
        await publish_recap(services, meeting, recap, record_url=url, **changes)
        await make_worker(services).drain()
        return meeting

    return run


@pytest.fixture(scope="module")
def numbers():
    return iter(range(1, 100))


@pytest.fixture(scope="module", autouse=True)
async def first(publish, numbers, sitting):
    """A meeting that is there before anybody follows anything."""
    return await publish(sitting(next(numbers)))


@pytest.fixture
def another(sitting, numbers):
    """Makes a sitting that was not there before."""

    def make(**changes):
        return sitting(next(numbers), **changes)

    return make


class Reader:
    """Somebody with an address and without an account."""

    def __init__(self, services, public, mail_server):
        self.services, self.public, self.mail_server = services, public, mail_server
        self.address = f"reader-{new_id()}@example.org"

    async def ask(self, kind="person", target=AOKI, **values):
        # Each from another place, since one place sends no more than some forms an hour.
        self.public._transport.client = (f"198.51.{next(PLACES)}.7", 1)
        sent = {"email": self.address, "kind": kind, "target": target, "frequency": "at_once", **values}
        return await self.public.post("/public/en/recap/alerts/new", data=sent)

    async def mails(self):
        await make_worker(self.services).drain()
        return self.mail_server.received.get(self.address, [])

    async def told(self):
        """The mails after those that asked for a confirmation."""
        await self.services.alert_mails.send_due()
        return [mail for mail in await self.mails() if "/alerts/confirm/" not in text_of(mail)]

    async def link(self, name):
        mail = (await self.mails())[-1]
        url = re.search(rf"{BASE}\S+/alerts/{name}/\S+", text_of(mail)).group()
        return url.removeprefix(BASE)

    async def follow(self, kind="person", target=AOKI, **values):
        await self.ask(kind, target, **values)
        answer = await self.public.post(await self.link("confirm"))
        assert answer.status_code == 303
        return answer.headers["location"]


def text_of(mail):
    return mail.get_body(("plain",)).get_content()


@pytest.fixture
def reader(services, public, mail_server):
    return Reader(services, public, mail_server)


async def count(services, statement, **params):
    async with services.database.reading() as reading:
        return await reading.value(statement, params)


async def test_a_reader_asks_confirms_and_is_told_in_the_speakers_own_words(reader, publish, another, public):
    answer = await reader.ask()
    assert (answer.status_code, answer.headers["location"]) == (303, "/public/en/recap/alerts/asked")
    (mail,) = await reader.mails()
    assert mail["Subject"] == "Confirm: mail about 青木春子"
    assert reader.address not in answer.headers["location"]
    await publish(another())
    assert await reader.told() == []
    assert (await public.post(await reader.link("confirm"))).status_code == 303
    assert await reader.told() == []
    meeting = await publish(another())
    (mail,) = await reader.told()
    assert mail["Subject"] == "青木春子: 1 new speech"
    text = text_of(mail)
    assert "予算は三億円で足りるのでしょうか。" in text
    assert "青木春子（みらい会）" in text
    assert "House of Representatives 文教委員会" in text
    assert "石田健" not in text
    link = f"{BASE}/public/en/recap/articles/{quote(meeting.issue_id)}/speeches/1"
    assert link in text
    assert (await public.get(link.removeprefix(BASE))).status_code == 302


async def test_following_a_link_in_a_mail_changes_nothing(reader, public, publish, another):
    """Programs that look through mail follow every link, some of them also with HEAD."""
    await reader.ask()
    path = await reader.link("confirm")
    for method in ("GET", "HEAD", "GET"):
        answer = await public.request(method, path)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-robots-tag"] == "noindex"
    await publish(another())
    assert await reader.told() == []
    await public.post(path)
    await publish(another())
    (mail,) = await reader.told()
    for name in ("mine", "stop"):
        url = re.search(rf"{BASE}\S+/alerts/{name}/\S+", text_of(mail)).group()
        assert (await public.get(url.removeprefix(BASE))).status_code == 200
    await publish(another())
    assert len(await reader.told()) == 2


@pytest.mark.parametrize(
    ("kind", "target", "quoted", "missing"),
    [
        ("meeting", "衆議院/文教委員会", "三億円で足りる", "zzz"),
        ("meeting", "/文教委員会", "三億円で足りる", "zzz"),
        ("words", "読書環境", "地方の読書環境が改善される", "三億円の予算で"),
        ("words", "予算　五十館", "三億円の予算で五十館を整備する", "読書環境"),
    ],
)
async def test_bodies_and_words_are_followed(reader, publish, another, kind, target, quoted, missing):
    await reader.follow(kind, target)
    await publish(another(house="参議院", meeting="予算委員会", texts=("○青木春子君　別の話をします。",)))
    await publish(another())
    (mail,) = await reader.told()
    assert quoted in text_of(mail)
    assert missing not in text_of(mail)
    assert "別の話" not in text_of(mail)


async def test_a_bill_is_followed_through_its_meetings(reader, services, publish, sitting):
    key = await count(
        services,
        "SELECT spellings[1] FROM recap_values WHERE facet = 'bill' AND articles > 0 ORDER BY id LIMIT 1",
    )
    await reader.follow("bill", key)
    meeting = await publish(sitting(1, day="2026-02-12"))
    (mail,) = await reader.told()
    assert "読書環境が改善される" in text_of(mail)
    assert set(re.findall(r"/articles/([^/]+)/", text_of(mail))) == {quote(meeting.issue_id)}


async def test_a_mail_speaks_the_language_that_was_chosen(reader, publish, another):
    await reader.follow(language="de")
    meeting = await publish(another())
    (mail,) = await reader.told()
    assert mail["Subject"] == "青木春子: 1 neue Rede"
    assert f"{BASE}/public/de/recap/articles/{quote(meeting.issue_id)}/speeches/1" in text_of(mail)
    assert "予算は三億円で足りるのでしょうか。" in text_of(mail)


async def test_once_a_day_gathers_what_happened(reader, services, publish, another):
    await reader.follow(frequency="daily")
    await publish(another())
    await publish(another())
    (mail,) = await reader.told()
    assert "2 new speeches" in mail["Subject"]
    await publish(another())
    services.clock.advance(hours=2)
    assert len(await reader.told()) == 1
    services.clock.advance(hours=22)
    assert len(await reader.told()) == 2


async def test_a_speech_is_told_once_however_often_the_article_is_written(reader, services, publish, another):
    record = another()
    await reader.follow()
    await reader.follow("words", "図書館整備法案")
    await publish(record)
    mails = await reader.told()
    orders = re.findall(r"/speeches/(\d+)", "".join(text_of(mail) for mail in mails))
    assert len(orders) == len(set(orders))
    changed = {**record, "speechRecord": [{**s, "speech": s["speech"] + "以上です。"} for s in record["speechRecord"]]}
    await publish(changed, reason="again")
    await publish(changed)
    assert len(await reader.told()) == len(mails)


async def test_what_was_withdrawn_is_told_to_nobody(reader, services, publish, another):
    await reader.follow()
    meeting = await publish(another())
    await withdraw_meeting(services, meeting)
    assert await reader.told() == []


async def test_two_senders_tell_it_once(reader, services, publish, another):
    await reader.follow()
    await publish(another())
    await asyncio.gather(*(services.alert_mails.send_due() for _ in range(6)))
    assert len(await reader.told()) == 1


async def test_a_killed_sender_tells_it_once(reader, services, publish, another):
    """Processes that are killed while they queue mails leave each reader with one mail about each speech."""
    await reader.follow()
    await publish(another())
    settings = {"data": str(services.settings.data), "database_url": services.database.url}
    for _ in range(2):
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(PROCESS), json.dumps(settings), stdout=asyncio.subprocess.PIPE
        )
        assert await process.stdout.readline() == b"queued\n"
        process.kill()
        await process.wait()
    assert len(await reader.told()) == 1


async def test_asking_tells_nobody_whether_an_address_is_known(reader, services, publish, another, mail_server, public):
    fresh = await reader.ask()
    pending = await reader.ask()
    await public.post(await reader.link("confirm"))
    confirmed = await reader.ask()
    bounced = Reader(services, public, mail_server)
    await services.suppressions.add(bounced.address, source="bounce", reason="gone")
    blocked = await bounced.ask()
    answers = [fresh, pending, confirmed, blocked]
    assert {(answer.status_code, answer.headers["location"], answer.text) for answer in answers} == {
        (303, "/public/en/recap/alerts/asked", "")
    }
    assert await bounced.mails() == []
    assert (await reader.mails())[-1]["Subject"] == "You already get mail about 青木春子"
    assert await count(services, "SELECT count(*) FROM subscribers WHERE email = %(e)s", e=bounced.address) == 0


async def test_no_form_floods_an_address(services, public, mail_server, another):
    """Many senders together have at most five mails sent to one address in a day."""
    reader = Reader(services, public, mail_server)
    for number in range(9):
        assert (await reader.ask("words", f"図書館{number}")).status_code == 303
    assert len(await reader.mails()) == 5


async def test_an_address_that_nobody_confirms_is_deleted_with_its_mail(reader, services, public):
    await reader.ask()
    path = await reader.link("confirm")
    services.clock.advance(days=2, hours=23)
    await services.subscribers.prune()
    assert await count(services, "SELECT count(*) FROM subscribers WHERE email = %(e)s", e=reader.address) == 1
    services.clock.advance(hours=2)
    assert "no longer valid" in (await public.get(path)).text
    assert (await public.post(path)).status_code == 404
    await services.subscribers.prune()
    await assert_no_trace(services, reader.address)


async def assert_no_trace(services, address):
    """The address is in no table."""
    async with services.database.reading() as reading:
        tables = await reading.all("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for row in tables:
            left = await reading.value(
                f'SELECT count(*) FROM "{row["tablename"]}" AS kept WHERE kept::text LIKE %(e)s', {"e": f"%{address}%"}
            )
            assert left == 0, row["tablename"]


async def test_one_click_of_a_mail_program_stops_everything_and_leaves_no_trace(
    reader, services, public, publish, another
):
    await reader.follow()
    await publish(another())
    (mail,) = await reader.told()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = mail["List-Unsubscribe"].strip("<>")
    path = urlsplit(url).path
    assert (await public.get(path)).status_code == 200
    assert await count(services, "SELECT count(*) FROM subscribers WHERE email = %(e)s", e=reader.address) == 1
    answer = await public.post(path, files={"List-Unsubscribe": (None, "One-Click")})
    assert answer.request.headers["content-type"].startswith("multipart/form-data")
    assert answer.status_code == 303
    await assert_no_trace(services, reader.address)
    assert (await public.post(path, data={"List-Unsubscribe": "One-Click"})).status_code == 303
    await publish(another())
    assert len(await reader.told()) == 1


async def test_what_waits_to_be_sent_is_cancelled_when_somebody_stops(reader, services, public, publish, another):
    await reader.follow()
    await publish(another())
    token = services.subscribers.links.tokens.stop(
        await count(services, "SELECT id FROM subscribers WHERE email = %(e)s", e=reader.address)
    )
    await services.alert_mails.send_due()
    await public.post(f"/public/en/recap/alerts/stop/{token}")
    assert [mail for mail in await reader.mails() if "/alerts/confirm/" not in text_of(mail)] == []


async def test_whoever_wants_no_mail_ever_is_asked_by_no_form_again(reader, services, public):
    await reader.follow()
    before = len(await reader.mails())
    subscriber = await count(services, "SELECT id FROM subscribers WHERE email = %(e)s", e=reader.address)
    token = services.subscribers.links.tokens.stop(subscriber)
    await public.post(f"/public/en/recap/alerts/stop/{token}", data={"forever": "yes"})
    await assert_no_trace(services, reader.address)
    assert (await reader.ask()).headers["location"] == "/public/en/recap/alerts/asked"
    assert len(await reader.mails()) == before


async def test_a_reader_changes_and_stops_what_they_follow(reader, services, public, publish, another):
    path = urlsplit(await reader.follow()).path
    path = urlsplit(await reader.follow("words", "読書環境")).path
    page = (await public.get(path)).text
    assert "青木春子" in page
    assert "「読書環境」" in page
    assert reader.address not in page
    await public.post(path, data={"language": "ja", "frequency": "daily"})
    stop = re.search(r'name="stop"\s+value="([^"]+)"', page).group(1)
    answer = await public.post(path, data={"stop": stop})
    assert answer.headers["location"].endswith("?done=stopped")
    await publish(another())
    (mail,) = await reader.told()
    assert "読書環境" in text_of(mail)
    assert "三億円で足りる" not in text_of(mail)
    assert "新しいことがあったときに" in text_of(mail)
    left = re.search(r'name="stop"\s+value="([^"]+)"', (await public.get(path)).text).group(1)
    assert (await public.post(path, data={"stop": left})).headers["location"] == "/public/en/recap/alerts/stopped"
    await assert_no_trace(services, reader.address)


async def test_links_to_a_list_can_be_made_invalid(reader, public):
    old = urlsplit(await reader.follow()).path
    answer = await public.post(old, data={"renew": "yes"})
    new = urlsplit(answer.headers["location"]).path
    assert new != old
    assert "no longer valid" in (await public.get(old)).text
    assert (await public.post(old, data={"frequency": "daily"})).status_code == 404
    assert "青木春子" in (await public.get(new)).text


@pytest.mark.parametrize("name", ["confirm", "mine", "stop"])
async def test_a_link_cant_be_made_up(reader, public, services, name):
    await reader.follow()
    subscriber = await count(services, "SELECT id FROM subscribers WHERE email = %(e)s", e=reader.address)
    tokens = services.subscribers.links.tokens
    made_up = {
        f"{subscriber}.1.AAAAAAAAAAAAAAAAAAAAAAAA",
        tokens.confirm(subscriber) if name != "confirm" else tokens.stop(subscriber),
        tokens.listed(subscriber, 1) if name != "mine" else tokens.stop(subscriber),
        tokens.stop(subscriber)[:-1] + ("A" if not tokens.stop(subscriber).endswith("A") else "B"),
        "x",
        "é.1.x",
    }
    for token in made_up:
        answer = await public.post(f"/public/en/recap/alerts/{name}/{quote(token)}", data={"forever": "yes"})
        assert answer.status_code == 404, token
    assert await count(services, "SELECT count(*) FROM subscribers WHERE email = %(e)s", e=reader.address) == 1


async def test_a_bounce_or_a_complaint_ends_it(reader, services, publish, another):
    await reader.follow()
    await publish(another())
    assert len(await reader.told()) == 1
    mail_id = await count(
        services,
        "SELECT max(id) FROM mail_messages WHERE %(e)s = ANY(recipients) AND status = 'sent'",
        e=reader.address,
    )
    event = DeliveryEvent(
        kind="complained", recipient=reader.address, happened_at=services.clock.now(), source="webhook", mail_id=mail_id
    )
    await services.deliveries.record(event)
    await publish(another())
    assert len(await reader.told()) == 1
    assert await count(services, "SELECT count(*) FROM subscribers WHERE email = %(e)s", e=reader.address) == 0


@pytest.mark.parametrize(
    "values",
    [
        {"email": "nobody"},
        {"email": ""},
        {"email": "a@b\r\nBcc: victim@example.org"},
        {"email": "a b@example.org"},
        {"email": "x" * 260 + "@example.org"},
    ],
)
async def test_a_wrong_address_is_shown_again_with_what_was_chosen(reader, public, services, values):
    answer = await reader.ask(**values, frequency="at_once", language="ms")
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert re.search(r'<option value="at_once"\s+selected', answer.text)
    assert re.search(r'<option value="ms"\s+selected', answer.text)
    assert "青木春子" in answer.text


@pytest.mark.parametrize(
    ("kind", "target"), [("person", "だれも"), ("bill", "x"), ("meeting", "無"), ("words", "a"), ("all", "x"), ("", "")]
)
async def test_nothing_is_followed_that_isnt_there(reader, public, kind, target):
    page = await public.get("/public/en/recap/alerts/new", params={"kind": kind, "target": target})
    assert page.status_code == 404
    answer = await reader.ask(kind, target)
    assert answer.status_code in (404, 422)
    assert await reader.mails() == []


async def test_pages_lead_to_the_form(public, first):
    person = await public.get(f"/public/en/recap/people/{quote('青木春子')}")
    listed = await public.get(f"/public/en/recap/articles?meeting={quote('文教委員会')}")
    words = await public.get(f"/public/ja/recap/articles?q={quote('図書館')}")
    for page, kind in ((person, "person"), (listed, "meeting"), (words, "words")):
        path = re.search(rf'href="(/public/\w+/recap/alerts/new\?kind={kind}[^"]+)"', page.text).group(1)
        assert (await public.get(path.replace("&amp;", "&"))).status_code == 200
    both = await public.get(f"/public/en/recap/articles?meeting={quote('文教委員会')}&q=x")
    assert "/alerts/new" not in both.text


async def test_no_address_is_logged_or_audited(reader, services, public, publish, another, caplog):
    caplog.set_level(logging.DEBUG)
    await reader.follow()
    await publish(another())
    await reader.told()
    await services.subscribers.erase(reader.address, SYSTEM)
    ours = [record for record in caplog.records if record.name.startswith("almanac")]
    assert not any(reader.address in str(vars(record)) for record in ours)
    await assert_no_trace(services, reader.address)
    assert await count(services, "SELECT count(*) FROM audit_entries WHERE action = 'subscriber.erased'") >= 1


async def test_a_mail_tells_how_many_speeches_there_are_and_leads_to_all(reader, publish, another, public):
    """青木春子 speaks in every third turn: six times here, of which a mail quotes the five longest."""
    await reader.follow()
    texts = [f"○発言者　第{at}の論点として図書館の蔵書と職員の配置について申し述べます。" for at in range(1, 19)]
    texts[3] = "○青木春子君　短く述べますが、反対であります。"
    meeting = await publish(another(day="2026-02-20", texts=tuple(texts)))
    (mail,) = await reader.told()
    assert mail["Subject"] == "青木春子: 6 new speeches"
    text = text_of(mail)
    assert len(re.findall(rf"{quote(meeting.issue_id)}/speeches/\d+", text)) == 5
    assert "短く述べます" not in text
    assert "These are the 5 longest of 6." in text
    page = await public.get(re.search(rf"{BASE}(\S+/recap/speeches\?\S+)", text).group(1))
    assert "6 speeches" in page.text
    assert "短く述べます" in page.text
    assert "5 longest of 6" in mail.get_body(("html",)).get_content()


async def test_an_address_without_a_domain_is_refused(reader):
    reader.address = "a@b"
    answer = await reader.ask()
    assert answer.status_code == 422
    assert "use the form name@example.org" in answer.text
