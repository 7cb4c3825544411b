"""Many clicks on the same drafts, two processes, kill -9, and a failing mail server: no customer gets a second mail."""

import asyncio
import json
import logging
import os
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP

from almanac.accounts.model import CONSOLE
from almanac.audit import service as audit
from almanac.audit.model import AuditFilter
from almanac.desks.reminders import store
from almanac.desks.reminders.events import publish_overdue_events
from almanac.desks.reminders.model.draft import LetterWording
from almanac.desks.reminders.model.eligibility import Eligible, check_eligibility
from almanac.desks.reminders.model.ladder import DEFAULT_RULES
from almanac.desks.reminders.model.ledger import Customer, Invoice
from almanac.desks.reminders.service.reports import check_consistency
from almanac.kit.money import Money
from almanac.tables import ensure_tables

SCRIPT = Path(__file__).parent / "race_process.py"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}
MANNERS = ["well"] * 10 + [
    "refuses",
    "puts off",
    "hangs up before",
    "silent before",
    "hangs up after",
    "hangs up unseen",
    "silent after",
    "silent unseen",
]


@dataclass
class BadOffice:
    """An SMTP server of changing manners that notes whom each mail it took was for."""

    chance: random.Random
    taken: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    url: str = ""
    never: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle_RCPT(self, server, session, envelope, address, _options):  # noqa: N802 - aiosmtpd's name
        session.manner = self.chance.choice(MANNERS)
        self.met[session.manner] += 1
        if session.manner == "hangs up before":
            server.transport.abort()
        if session.manner == "silent before":
            await self.never.wait()
        envelope.rcpt_tos.append(address)
        return "550 5.1.1 nobody here" if session.manner == "refuses" else "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 - the same
        if session.manner == "puts off":
            return "451 4.3.2 not now"
        if "unseen" not in session.manner:
            self.taken[envelope.rcpt_tos[0]] += 1
        if session.manner.startswith("hangs up"):
            server.transport.abort()
        if session.manner.startswith("silent"):
            await self.never.wait()
        return "250 2.0.0 taken"


@pytest.fixture
async def office():
    office = BadOffice(random.Random(7))
    loop = asyncio.get_running_loop()
    sessions = []

    def session():
        sessions.append(SMTP(office, hostname="mail.test"))
        return sessions[-1]

    server = await loop.create_server(session, "127.0.0.1", 0)
    office.url = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}?timeout=1&starttls=no"
    yield office
    office.never.set()
    for each in sessions:
        if each.transport is not None:
            each.transport.abort()
    server.close()
    await server.wait_closed()


@pytest.fixture
def tables_url(tmp_path):
    """The engine as a process of its own, on a file, as an installation with several machines has it."""
    command = [sys.executable, "-u", "-m", "tablature.engine", "--path", str(tmp_path / "tables.db"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as engine:
        assert engine.stdout is not None
        yield re.search(r"http://\S+", engine.stdout.readline())[0]
        engine.terminate()


@pytest.fixture
def race(module_at):
    """The code of the racing process."""
    return module_at(SCRIPT)


@pytest.fixture
def wanted(tmp_path, database_url, office, tables_url, monkeypatch):
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    return {
        "data": str(tmp_path / "data"),
        "database_url": database_url,
        "mail_url": office.url,
        "tables_url": tables_url,
    }


async def a_draft(services, number):
    """A customer of their own with one overdue invoice and the draft of its first reminder."""
    customer, now = f"c{number:03}", services.clock.now()
    record = Customer(id=customer, name=f"Customer {number}", email=f"{customer}@example.org")
    await store.create_customer(services.tables, record, now=now)
    invoice = Invoice(
        customer_id=customer,
        number=f"INV-{number}",
        amount=Money(Decimal(number + 1), "EUR"),
        issued=None,
        due=date(2026, 1, 1),
        paid=Money.zero("EUR"),
        credited=Money.zero("EUR"),
    )
    await store.save_invoices(services.tables, [invoice], rules=DEFAULT_RULES, now=now)
    decision = check_eligibility(await store.read_case(services.tables, customer, "EUR"), DEFAULT_RULES, now)
    assert isinstance(decision, Eligible)
    words = LetterWording(subject="A reminder", text="Please pay.", recipients=())
    return await store.create_draft(services.tables, decision, words, rules=DEFAULT_RULES, by=CONSOLE, now=now)


class Racer:
    """One of the processes, started again with what is left each time it is killed, unless it was killed for good."""

    def __init__(self, wanted, calls, name):
        self.wanted, self.left = {**wanted, "data": f"{wanted['data']}-{name}"}, {c["number"]: c for c in calls}
        self.kills = 0

    async def run(self, kill_after, *, for_good):
        while self.left and not (self.kills and for_good):
            await self._run_once(kill_after.pop() if kill_after else None)

    async def start(self):
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            SCRIPT,
            json.dumps(self.wanted),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **CREDENTIALS},
        )
        process.stdin.write(json.dumps(list(self.left.values())).encode())
        process.stdin.close()
        return process

    async def _run_once(self, kill_after):
        process = await self.start()
        ended = 0
        async for line in process.stdout:
            self.left.pop(int(line), None)
            ended += 1
            if ended == kill_after:
                process.kill()
                self.kills += 1
        code = await process.wait()
        assert code == (0 if kill_after is None or ended < kill_after else -9)


async def run_race(race, wanted, office, *, drafts, calls, kills, for_good=False):
    """The whole race; returns what became of each customer, and how many mails each got."""
    chance = random.Random(11)
    async with race.racing(wanted) as services:
        await ensure_tables(services.tables)
        made = [await a_draft(services, number) for number in range(drafts)]
        clicks = [click_on(made[number % drafts], number) for number in range(calls)]
        chance.shuffle(clicks)
        racers = [Racer(wanted, clicks[half::2], str(half)) for half in (0, 1)]
        points = [chance.randint(1, max(2, calls // (kills + 2))) for _ in range(kills)]
        await asyncio.gather(*(racer.run(points[at::2], for_good=for_good) for at, racer in enumerate(racers)))
        async with asyncio.timeout(120):
            while await race.keep_up(services):  # noqa: ASYNC110 - leases end by the clock, which no event tells of
                await asyncio.sleep(0.1)
        checked = await check_consistency(services)
        states = {draft.customer_id: await state_of(services, draft) for draft in made}
        await publish_overdue_events(services, timedelta())
        for draft in made:
            assert (await told_of(services, draft)).count("reminder.sent") == (states[draft.customer_id] == "sent")
    assert sum(racer.kills for racer in racers) == kills
    return states, checked, office.taken


def click_on(draft, number):
    return {"number": number, "draft": draft.id, "seen": draft.content_hash}


async def told_of(services, draft):
    """What the audit log has on a draft, the latest first."""
    page = await audit.list_entries(services.database, AuditFilter(object_id=draft.id), key=b"k" * 32)
    return [entry.action for entry in page.items]


async def state_of(services, draft):
    current = await store.find_draft(services.tables, draft.id)
    if current is not None:
        return current.state
    return "sent" if (await store.list_sent_to_customer(services.tables, draft.customer_id)).items else "lost"


def judge(states, checked, taken):
    """Exactly once, or in doubt for a person to settle; never twice, and never recorded against the facts."""
    assert checked.findings == ()
    assert set(states.values()) <= {"sent", "unknown", "failed"}
    for customer, state in states.items():
        mails = taken[f"{customer}@example.org"]
        assert mails <= 1, f"{customer} got {mails} mails"
        assert state == "unknown" or mails == (state == "sent"), f"{customer} is {state} and got {mails} mails"


async def test_clicks_from_two_processes_of_which_one_is_killed_send_each_mail_once(race, wanted, office):
    states, checked, taken = await run_race(race, wanted, office, drafts=10, calls=50, kills=1, for_good=True)
    judge(states, checked, taken)


async def test_what_a_killed_process_could_not_tell_is_told_once(race, wanted):
    async with race.racing(wanted) as services:
        await ensure_tables(services.tables)
        draft = await a_draft(services, 1)
        async with services.database.unit() as unit, asyncio.timeout(120):
            await unit.execute("LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE")
            process = await Racer(wanted, [click_on(draft, 1)], "0").start()
            while await state_of(services, draft) == "draft":  # noqa: ASYNC110 - another process writes it
                await asyncio.sleep(0.05)
            process.kill()
            await process.wait()
        assert await told_of(services, draft) == []
        assert [await publish_overdue_events(services, timedelta()) for _ in range(2)] == [1, 0]
        assert await told_of(services, draft) == ["reminder.approved"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_a_thousand_clicks_on_a_hundred_drafts_send_each_mail_once(race, wanted, office):
    states, checked, taken = await run_race(race, wanted, office, drafts=100, calls=1000, kills=10)
    logging.getLogger(__name__).info("%s; %s; %d mails", Counter(states.values()), office.met, taken.total())
    judge(states, checked, taken)
    assert office.met.keys() == set(MANNERS)
