"""kill -9 of a web process in the middle of its requests: each is done exactly once when it is repeated at once."""

import asyncio
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest

pytestmark = pytest.mark.lengthy

SCRIPT = Path(__file__).parent / "serving_process.py"
API = "/api/v1"
GATE = 4711
SHUT_GATE = f"""
CREATE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared({GATE}); RETURN NEW; END; $$;
"""
BEFORE_ANSWER = """
CREATE TRIGGER gate BEFORE UPDATE ON idempotency_keys FOR EACH ROW WHEN (NEW.answered_at IS NOT NULL)
EXECUTE FUNCTION wait_at_the_gate();
"""
BEFORE_AUDIT = """
CREATE TRIGGER gate BEFORE UPDATE ON audit_head FOR EACH ROW EXECUTE FUNCTION wait_at_the_gate();
"""
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()"


@dataclass(frozen=True)
class Verb:
    """A request, and the list in which its work shows exactly once."""

    path: str
    body: dict = field(default_factory=dict)
    shown_at: str | None = None
    shown: str = ""

    @property
    def headers(self):
        return {"Idempotency-Key": f"key of {self.path}".replace(" ", "-")}


VERBS = [
    Verb("/users", {"email": "ada@example.org", "name": "Ada", "role": "editor"}, "/users", "ada@example.org"),
    Verb("/webhooks", {"url": "https://example.org/hook", "events": ["approval.asked"]}, "/webhooks", "/hook"),
    Verb("/saved-queries", {"name": "Water", "query": "water"}, "/saved-queries", '"Water"'),
    Verb("/news/rules", {"name": "Sun", "action": "tag", "query": "sun", "tag": "sun"}, "/news/rules", '"Sun"'),
    Verb("/news/tasks", {"task_name": "Rain", "prompt_template": "rain"}, "/news/tasks", '"Rain"'),
    Verb("/habits", {"name": "Read"}, "/habits", '"Read"'),
    Verb("/habits/groups", {"name": "Runners"}, "/habits/groups", '"Runners"'),
    Verb("/newsletters", {"title": "Weekly"}, "/newsletters", '"Weekly"'),
    Verb("/newsletters/{code}/outline/sections", {"name": "Weather"}, "/newsletters/{code}/outline", '"Weather"'),
    Verb(
        "/recap/collect", {"from": "2026-02-01", "until": "2026-02-02"}, "/jobs?task=recap.collect", '"recap.collect"'
    ),
    Verb(
        "/reminders/customers",
        {"customer_id": "ada", "name": "Ada Ltd", "email": "ada@example.org"},
        "/reminders/customers",
        '"Ada Ltd"',
    ),
    Verb(
        "/reminders/invoices",
        {"customer_id": "acme", "number": "A-2", "amount": "5.00", "currency": "EUR", "due": "2026-02-01"},
        "/reminders/customers/acme/invoices",
        '"A-2"',
    ),
    Verb(
        "/reminders/payments",
        {"customer_id": "paying", "reference": "R-1", "amount": "5.00", "currency": "EUR"},
        "/reminders/customers/paying/payments",
        '"R-1"',
    ),
    Verb(
        "/reminders/holds",
        {"customer_id": "held", "kind": "pause", "note": "Wait"},
        "/reminders/customers/held/holds",
        '"Wait"',
    ),
    Verb("/reminders/drafts", {"customer_id": "due"}, "/reminders/drafts", '"customer_id":"due"'),
    Verb(
        "/reminders/templates",
        {
            "template_id": "mine",
            "subject_template": "Bill",
            "body_template": "Please pay {overdue_amount}.",
            "version": 0,
        },
        "/reminders/templates/mine/versions",
        '"Bill"',
    ),
]


@asynccontextmanager
async def shut_gate(database_url, trigger):
    """Requests that reach the trigger wait until the block ends; only then may they go on."""
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        await connection.execute(SHUT_GATE + trigger)
        await connection.execute(f"SELECT pg_advisory_lock({GATE})")
        yield connection
        await connection.execute(f"SELECT pg_advisory_unlock({GATE})")
        await connection.execute("DROP FUNCTION wait_at_the_gate CASCADE")


@pytest.fixture
def web_process(settings, clock):
    given = [settings.database_url, str(settings.data), clock.now().isoformat(), settings.admin_token]
    with subprocess.Popen([sys.executable, SCRIPT, *given], stdout=subprocess.PIPE, text=True) as process:
        process.port = int(process.stdout.readline())
        yield process
        process.kill()


async def prepare(api):
    """What the requests are about."""
    newsletter = (await api.post(f"{API}/newsletters", json={"title": "Outlined"})).json()["code"]
    for name in ("acme", "paying", "held", "due"):
        customer = {"customer_id": name, "name": name, "email": f"{name}@example.org"}
        assert (await api.post(f"{API}/reminders/customers", json=customer)).status_code == 201
    for name in ("paying", "due"):
        invoice = {"customer_id": name, "number": f"{name}-1", "amount": "5.00", "currency": "EUR", "due": "2026-01-05"}
        assert (await api.post(f"{API}/reminders/invoices", json=invoice)).status_code == 201
    return newsletter


async def send_all_and_kill(process, token, verbs, code, connection, *, reaching):
    """Send every request to the process, wait until so many are at the gate, and kill it."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{process.port}", headers=headers, timeout=60) as client:
        sent = [
            asyncio.create_task(
                client.post(API + verb.path.replace("{code}", code), json=verb.body, headers=verb.headers)
            )
            for verb in verbs
        ]
        async with asyncio.timeout(60):
            while True:
                if await count_waiting(connection) >= reaching or any(task.done() for task in sent):
                    break
                await asyncio.sleep(0.02)
        process.kill()
        process.wait()
        answers = await asyncio.gather(*sent, return_exceptions=True)
    assert [answer.text for answer in answers if isinstance(answer, httpx.Response)] == []


async def count_waiting(connection):
    return (await (await connection.execute(WAITING)).fetchone())[0]


async def repeat(api, verb, code):
    """A lost holder is known within moments; until then it counts as running."""
    async with asyncio.timeout(5):
        while True:
            answer = await api.post(API + verb.path.replace("{code}", code), json=verb.body, headers=verb.headers)
            if "still running" not in answer.text:
                return answer
            await asyncio.sleep(0.02)


async def assert_done_once(api, verb, code, answer):
    assert answer.status_code in (200, 201, 202), (verb.path, answer.text)
    listed = (await api.get(API + verb.shown_at.replace("{code}", code))).text.replace('": "', '":"')
    assert listed.count(verb.shown) == 1, (verb.path, listed)
    again = await api.post(API + verb.path.replace("{code}", code), json=verb.body, headers=verb.headers)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.content == answer.content


async def test_work_whose_answer_was_lost_is_done_once(api, settings, database_url, web_process):
    code = await prepare(api)
    async with shut_gate(database_url, BEFORE_ANSWER) as connection:
        await send_all_and_kill(web_process, settings.admin_token, VERBS, code, connection, reaching=len(VERBS))
    for verb in VERBS:
        await assert_done_once(api, verb, code, await repeat(api, verb, code))


async def test_work_that_was_cut_off_half_way_is_done_once(api, settings, database_url, web_process):
    code = await prepare(api)
    cut_off = [verb for verb in VERBS if verb.path in ("/users", "/newsletters", "/reminders/customers", "/webhooks")]
    async with shut_gate(database_url, BEFORE_AUDIT) as connection:
        # The head of the audit log is one row: the first waits at the gate, the others for the first.
        await send_all_and_kill(web_process, settings.admin_token, cut_off, code, connection, reaching=1)
    for verb in cut_off:
        await assert_done_once(api, verb, code, await repeat(api, verb, code))
