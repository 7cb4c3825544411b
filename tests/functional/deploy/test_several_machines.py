"""docs/deploy/several-machines.md, followed step by step: PostgreSQL and nginx from Debian, our table engine, a service
that speaks S3, an SMTP server, two webs and two workers. All of them behave as one installation, also while each is
restarted under load.
"""

import asyncio
import re
import shutil
import ssl
import sys
import tempfile
import time
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest
from aiosmtpd.controller import Controller

from deployment import (
    MACHINE,
    ROOT,
    Deployment,
    free_ports,
    prepare_nginx,
    read_blocks,
    start_objects,
    start_postgres,
    wait_until_listening,
)

pytestmark = pytest.mark.lengthy
PAGE = ROOT / "docs" / "deploy" / "several-machines.md"
ADMIN_TOKEN = "a-fixed-token-for-automation"
LIMIT, BLOCK = 1200, 60
JOBS_AT_A_TIME = 4
PATIENCE = 60
# Between two requests of one person, who would else reach the limit on a fast machine.
PACE = 0.03
SOLD = (datetime.now(UTC).date() - timedelta(days=20)).isoformat()


class MailTaker:
    """Takes every mail, and counts them by recipient."""

    def __init__(self):
        self.taken = Counter()
        self.mails = []

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802 - aiosmtpd's name
        self.taken.update(envelope.rcpt_tos)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 2.0.0 taken"


def words_for(folder, ports):
    """The table: what the page says, and what stands for it here. Nothing else of the page is changed."""
    here = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
    return {
        "/opt/almanac/.venv/bin/": f"{Path(sys.executable).parent}/",
        "/opt/almanac/": f"{ROOT}/",
        "/etc/almanac.env": f"{MACHINE}/almanac.env",
        "/var/lib/almanac-tables": f"{MACHINE}/tables",
        "/var/lib/almanac": f"{MACHINE}/data",
        "https://almanac.example.org": f"https://{here['proxy']}",
        "listen 443 ssl": f"listen {here['proxy']} ssl",
        "ALMANAC_HOST=0.0.0.0": "ALMANAC_HOST=127.0.0.1",
        "ALMANAC_TRUSTED_PROXIES=10.0.0.5": "ALMANAC_TRUSTED_PROXIES=127.0.0.1",
        "smtp://user:password@mail.example.org:587": f"smtp://{here['mail']}?starttls=no",
        "objects.example.org:9000": here["objects"],
        "database:5432": here["database"],
        "tables:8001": here["tables"],
        "--port 8001": f"--port {ports['tables']}",
        "web-1:8000": here["web-1"],
        "web-2:8000": here["web-2"],
    }


@dataclass
class Installation:
    """What the page made, and clients for it: through the proxy, and past it to each web."""

    deployment: Deployment
    ports: dict
    office: MailTaker
    tls: ssl.SSLContext
    people: dict = field(default_factory=dict)

    @property
    def url(self):
        return f"https://127.0.0.1:{self.ports['proxy']}"

    @property
    def webs(self):
        return [f"http://127.0.0.1:{self.ports[name]}" for name in ("web-1", "web-2")]

    def client(self, *, base_url=None, token=None, source="127.0.0.1", **options):
        headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **options.pop("headers", {})}
        transport = httpx.AsyncHTTPTransport(verify=self.tls, local_address=source)
        return httpx.AsyncClient(
            base_url=base_url or self.url, headers=headers, timeout=30, transport=transport, trust_env=False, **options
        )

    def sql(self, statement, *values):
        address = f"postgresql://almanac:a-long-password@127.0.0.1:{self.ports['database']}/almanac"
        with psycopg.connect(address) as connection:
            return connection.execute(statement, values).fetchall()


@pytest.fixture(scope="module")
def programs(debian_program):
    return {name: debian_program(name) for name in ("PostgreSQL", "nginx")}


@pytest.fixture(scope="module")
def installation(programs):
    folder = Path(tempfile.mkdtemp(prefix="almanac-deploy-"))
    # The account of PostgreSQL has to get to its part of it.
    folder.chmod(0o755)
    names = ("proxy", "database", "tables", "objects", "mail", "web-1", "web-2")
    ports = dict(zip(names, free_ports(len(names)), strict=True))
    deployment = Deployment(
        folder,
        words_for(folder, ports),
        own_words={
            "web-1": {"ALMANAC_PORT=8000": f"ALMANAC_PORT={ports['web-1']}"},
            "web-2": {
                "ALMANAC_PORT=8000": f"ALMANAC_PORT={ports['web-2']}",
                "http://web-1:8000": f"http://127.0.0.1:{ports['web-2']}",
            },
        },
        # What tests need beside: a token, a limit that can be reached, and logs that can be read.
        more_settings={
            "ALMANAC_ADMIN_TOKEN": ADMIN_TOKEN,
            "ALMANAC_RATE_LIMIT_PER_MINUTE": str(LIMIT),
            "ALMANAC_LOG_LEVEL": "warning",
        },
        search_path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
    )
    office = MailTaker()
    mail = Controller(office, hostname="127.0.0.1", port=ports["mail"])
    mail.start()
    try:
        start_objects(deployment, ports["objects"])
        start_postgres(deployment, programs["PostgreSQL"], ports["database"])
        prepare_nginx(deployment, programs["nginx"])
        certificate = folder / "proxy" / "nginx" / "almanac.pem"
        deployment.environments["web-1"] = {"CURL_CA_BUNDLE": str(certificate)}
        wait_until_listening(ports["objects"])
        follow(deployment, ports)
        yield Installation(deployment, ports, office, ssl.create_default_context(cafile=certificate))
    finally:
        mail.stop()
        deployment.close()
        shutil.rmtree(folder, ignore_errors=True)


def follow(deployment, ports):
    """The page to its last step but the restart; processes are waited for where a person would wait."""
    machines = ("web-1", "web-2", "worker-1", "worker-2")
    for machine in ("tables", *machines):
        (deployment.folder / machine).mkdir()
    for block in read_blocks(PAGE):
        deployment.follow([block], machines)
        if "almanac-tables" in block.text:
            wait_until_listening(ports["tables"])
        if "reload nginx" in block.text:
            wait_until_listening(ports["proxy"], ports["web-1"], ports["web-2"])


async def person(installation, name, role="admin"):
    """Somebody of their own, with a token."""
    async with installation.client(token=ADMIN_TOKEN) as admin:
        new = {
            "email": f"{name}@staff.example.org",
            "name": name,
            "role": role,
            "password": "violet tramway under snow",
        }
        user = await admin.post("/api/v1/users", json=new)
        assert user.status_code == 201, user.text
        wish = {"name": "test", "scopes": ["read", "write", "approve", "send"], "owner_id": user.json()["id"]}
        return (await admin.post("/api/v1/tokens", json=wish)).json()["secret"]


async def until(fact, seconds=PATIENCE):
    """The first value that counts as true; fails when none comes in time."""
    end = time.monotonic() + seconds
    while not (value := await fact()):
        assert time.monotonic() < end, "it never came true"
        await asyncio.sleep(0.1)
    return value


async def sign_in(installation, client):
    """Use the one-time link that the page's last command printed, or another from the same command."""
    printed = installation.deployment.run("web-2", "almanac user link you@example.org")
    path = re.search(r"https://[^/\s]+(/\S+)", printed)[1]
    answer = await client.post(path, follow_redirects=True)
    assert answer.status_code == 200, answer.text


async def test_every_part_is_well_and_the_page_made_an_account(installation):
    printed = installation.deployment.printed
    assert '"status":"ready"' in printed
    assert re.search(rf"Added Your Name as admin.*{re.escape(installation.url)}/", printed)


async def test_a_session_counts_at_both_webs(installation):
    async with installation.client() as browser:
        await sign_in(installation, browser)
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        for web in installation.webs:
            async with installation.client(base_url=web, headers={"Cookie": cookies}) as direct:
                assert "you@example.org" in (await direct.get("/account")).text
        for _ in range(8):
            assert (await browser.get("/account")).status_code == 200
    asked = set(re.findall(r"GET /account 200 (\S+)", access_log(installation)))
    assert asked == {f"127.0.0.1:{installation.ports[name]}" for name in ("web-1", "web-2")}


def access_log(installation):
    return (installation.deployment.folder / "proxy" / "access.log").read_text()


async def test_a_live_page_gets_events_of_work_that_a_worker_does(installation):
    token = await person(installation, "librarian")
    async with installation.client(token=token) as client, client.stream("GET", "/live") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.aiter_lines()
        await next_event(lines)
        added = await upload(client, "bridge.txt", "The bridge near the market was mended in March.")
        assert added.status_code == 201, added.text
        assert await next_event(lines)
        source = added.json()["id"]

        async def is_read():
            return (await client.get(f"/api/v1/knowledge/{source}")).json()["source"]["status"] == "ready"

        await until(is_read)
        assert await next_event(lines)


async def next_event(lines):
    async with asyncio.timeout(PATIENCE):
        async for line in lines:
            if line.startswith("data:"):
                return line
    raise AssertionError("the stream ended")


async def upload(client, name, text):
    return await client.post("/api/v1/knowledge", files={"file": (name, text.encode())})


async def test_what_is_uploaded_at_one_web_is_read_by_a_worker_and_shown_by_the_other(installation):
    token = await person(installation, "archivist")
    first, second = installation.webs
    async with (
        installation.client(base_url=first, token=token) as there,
        installation.client(base_url=second, token=token) as here,
    ):
        text = "Bridge number seven was repainted in April, after the rains."
        source = (await upload(there, "paint.txt", text)).json()["id"]

        async def passages():
            return (await here.get(f"/api/v1/knowledge/{source}/chunks")).json()["items"]

        assert text in (await until(passages))[0]["text"]


async def test_a_large_upload_passes_the_proxy_and_one_too_large_is_refused_there(installation):
    token = await person(installation, "collector")
    async with installation.client(token=token) as client:
        large = await upload(client, "scan.pdf", "%PDF-1.7 broken off" + " " * (21 * 1024 * 1024))
        assert large.status_code == 201, large.text
        refused = await client.post("/api/v1/knowledge", content=b"x" * (51 * 1024 * 1024))
        assert refused.status_code == 413


async def test_a_key_that_one_web_has_seen_is_a_repetition_at_the_other(installation):
    token = await person(installation, "clerk")
    wish = {"customer_id": "twice", "name": "Twice", "email": "twice@example.org"}
    headers = {"Idempotency-Key": uuid4().hex}
    async with asyncio.TaskGroup() as group:
        calls = [group.create_task(add_customer(installation, web, token, wish, headers)) for web in installation.webs]
    statuses = sorted(call.result().status_code for call in calls)
    assert statuses in ([201, 201], [201, 409])
    again = [await add_customer(installation, web, token, wish, headers) for web in installation.webs]
    assert [answer.status_code for answer in again] == [201, 201]
    assert all(answer.headers["Idempotency-Replayed"] == "true" for answer in again)


async def add_customer(installation, web, token, wish, headers):
    async with installation.client(base_url=web, token=token, headers=headers) as client:
        return await client.post("/api/v1/reminders/customers", json=wish)


async def test_an_approval_at_one_web_is_seen_at_the_other_and_mailed_once(installation):
    token = await person(installation, "approver")
    first, second = installation.webs
    async with (
        installation.client(base_url=first, token=token) as there,
        installation.client(base_url=second, token=token) as here,
    ):
        draft = await draft_reminder(there, "approved-once")
        path = f"/api/v1/reminders/drafts/{draft['id']}"
        wish = {"content_hash": draft["content_hash"]}
        approved = await there.post(f"{path}/approve", json=wish)
        assert approved.status_code == 200, approved.text
        assert (await here.post(f"{path}/approve", json=wish)).status_code in (200, 404, 409)

        async def history():
            return (await here.get("/api/v1/reminders/customers/approved-once/history")).json()["items"]

        await until(history)
    assert installation.office.taken["approved-once@example.org"] == 1


async def draft_reminder(client, customer):
    """A customer with an overdue invoice, and the draft of a reminder."""

    async def send(path, body):
        answer = await client.post(f"/api/v1/reminders/{path}", json=body, headers={"Idempotency-Key": uuid4().hex})
        assert answer.status_code == 201, answer.text
        return answer.json()

    await send("customers", {"customer_id": customer, "name": customer, "email": f"{customer}@example.org"})
    owed = {"customer_id": customer, "number": f"INV-{customer}", "amount": "100.00", "currency": "EUR", "due": SOLD}
    await send("invoices", owed)
    return await send("drafts", {"customer_id": customer, "reminder_type": "first"})


async def test_both_webs_together_allow_the_limit_and_no_more_than_a_block_beyond(installation):
    async with installation.client(source="127.0.0.8", limits=httpx.Limits(max_connections=16)) as client:
        begun = time.monotonic()

        async def ask():
            answers = Counter()
            while time.monotonic() - begun < 8 and answers[429] < 5:
                answers[(await client.get("/api/v1/me")).status_code] += 1
            return answers

        totals = sum(await asyncio.gather(*(ask() for _ in range(16))), Counter())
        seconds = time.monotonic() - begun
    allowed = totals[401]
    assert totals[429] > 0, totals
    assert LIMIT <= allowed <= LIMIT + BLOCK + seconds * LIMIT / 60, totals


async def test_nobody_but_the_proxy_is_believed_about_addresses(installation):
    claimed = {"X-Forwarded-For": "203.0.113.9"}
    async with installation.client(source="127.0.0.3", headers=claimed) as client:
        await client.get("/api/v1/me")
    async with installation.client(base_url=installation.webs[0], source="127.0.0.4", headers=claimed) as client:
        await client.get("/api/v1/me")

    async def callers():
        seen = {row[0] for row in await asyncio.to_thread(installation.sql, "SELECT caller FROM rate_limit_buckets")}
        return seen if {"address:127.0.0.3", "address:127.0.0.4"} <= seen else None

    assert "address:203.0.113.9" not in await until(callers)


async def test_figures_are_for_the_proxys_own_machine(installation):
    for source, status in (("127.0.0.1", 200), ("127.0.0.5", 403)):
        async with installation.client(source=source) as client:
            assert (await client.get("/metrics")).status_code == status


@dataclass
class Load:
    """Steady work of several people, and what became of each request."""

    installation: Installation
    failures: list = field(default_factory=list)
    answers: Counter = field(default_factory=Counter)
    customers: list = field(default_factory=list)
    approved: list = field(default_factory=list)
    streams: int = 0
    slowest: float = 0.0
    killed_at: datetime | None = None
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, client, method, path, body=None):
        """One request, sent once: whatever isn't answered well is a failure."""
        headers = {"Idempotency-Key": uuid4().hex} if method == "POST" else {}
        begun = time.monotonic()
        try:
            answer = await client.request(method, path, json=body, headers=headers)
        except httpx.TransportError as error:
            self.failures.append(f"{method} {path}: {error!r}")
            return None
        self.slowest = max(self.slowest, time.monotonic() - begun)
        self.answers[method] += 1
        if not answer.is_success:
            self.failures.append(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
            return None
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    async def read(self, token):
        async with self.installation.client(token=token) as client:
            while not self.over.is_set():
                for path in ("/api/v1/me", "/api/v1/reminders/customers", "/reminders", "/api/v1/jobs"):
                    await self.send(client, "GET", path)
                    await asyncio.sleep(PACE)

    async def write(self, token, name):
        async with self.installation.client(token=token) as client:
            while not self.over.is_set():
                await self.remind(client, f"{name}-{len(self.customers)}")

    async def remind(self, client, customer):
        """A customer, an invoice, a draft and its approval; acknowledged step by step."""
        new = {"customer_id": customer, "name": customer, "email": f"{customer}@example.org"}
        owed = {
            "customer_id": customer,
            "number": f"INV-{customer}",
            "amount": "100.00",
            "currency": "EUR",
            "due": SOLD,
        }
        self.customers.append(customer)
        for path, body in (("customers", new), ("invoices", owed)):
            await self.send(client, "POST", f"/api/v1/reminders/{path}", body)
        wish = {"customer_id": customer, "reminder_type": "first"}
        if draft := await self.send(client, "POST", "/api/v1/reminders/drafts", wish):
            path = f"/api/v1/reminders/drafts/{draft['id']}/approve"
            if await self.send(client, "POST", path, {"content_hash": draft["content_hash"]}):
                self.approved.append(customer)

    async def follow(self, token):
        """A live page, which connects again when its stream ends, as browsers do."""
        async with self.installation.client(token=token) as client:
            while not self.over.is_set():
                try:
                    async with client.stream("GET", "/live") as stream:
                        self.streams += stream.is_success
                        async for _ in stream.aiter_lines():
                            if self.over.is_set():
                                break
                except httpx.TransportError as error:
                    self.failures.append(f"live page: {error!r}")


@asynccontextmanager
async def under_load(installation):
    load, people = Load(installation), [await person(installation, f"busy-{number}") for number in range(6)]
    async with asyncio.TaskGroup() as group:
        for token in people[:3]:
            group.create_task(load.read(token))
        for number, token in enumerate(people[3:5]):
            group.create_task(load.write(token, f"restart-{number}"))
        group.create_task(load.follow(people[5]))
        try:
            yield load
        finally:
            load.over.set()


async def test_every_process_is_restarted_under_load_without_a_failed_request(installation):
    """And one worker is killed. Nothing is lost, nothing is done twice."""
    deployment = installation.deployment
    async with under_load(installation) as load:
        await until(lambda: reached(load, 5))
        deployment.processes["worker-2", "almanac-worker@1"].kill()
        deployment.processes["worker-2", "almanac-worker@1"].wait()
        load.killed_at = datetime.now(UTC)
        deployment.start("worker-2", "almanac-worker@1")
        for block in read_blocks(PAGE):
            for machine in block.places if block.kind == "restart" else ():
                before = len(load.approved)
                await asyncio.to_thread(deployment.run, machine, block.text)
                await until(lambda before=before: reached(load, before + 3))
    assert load.failures == []
    assert load.streams >= 2, "the live page was never sent elsewhere"
    assert load.slowest < 5
    await check_nothing_lost_or_done_twice(installation, load)


async def reached(load, approvals):
    assert load.failures == []
    return len(load.approved) >= approvals


async def check_nothing_lost_or_done_twice(installation, load):
    """Who was approved got one mail; only what the killed worker was handing over is in doubt, and never repeated."""
    taken, approved = installation.office.taken, {f"{customer}@example.org" for customer in load.approved}

    async def in_doubt():
        held = "SELECT envelope_to FROM mail_messages WHERE status IN ('sending', 'unknown') AND claimed_at <= %s"
        rows = await asyncio.to_thread(installation.sql, held, load.killed_at)
        doubted = {address for [addresses] in rows for address in addresses}
        return (doubted,) if {address for address in approved if not taken[address]} <= doubted else None

    (doubted,) = await until(in_doubt)
    assert len(doubted) <= JOBS_AT_A_TIME
    assert {taken[address] for address in approved - doubted} == {1}
    assert {taken[address] for address in doubted} <= {0, 1}
    token = await person(installation, "auditor")
    async with installation.client(token=token) as client:
        for customer in load.customers:
            invoices = (await client.get(f"/api/v1/reminders/customers/{customer}/invoices")).json()["items"]
            assert [invoice["number"] for invoice in invoices] == [f"INV-{customer}"], customer


async def test_schedules_ran_once_with_two_workers(installation):
    """By now a minute has passed, in which several schedules are due; both workers look for them every five seconds."""
    counted = "SELECT schedule, due_at, count(*) FROM job_details WHERE schedule IS NOT NULL GROUP BY schedule, due_at"

    async def runs():
        rows = await asyncio.to_thread(installation.sql, counted)
        return rows if {"mail.keep-up", "reminders.keep-up"} <= {schedule for schedule, _, _ in rows} else None

    rows = await until(runs, seconds=90)
    assert {count for _, _, count in rows} == {1}
