"""Stateful test: the rules hold for any order of people, payments, mail and time, compared with a plain model."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import store
from almanac.desks.reminders.model import transitions
from almanac.desks.reminders.model.draft import LetterWording
from almanac.desks.reminders.model.eligibility import Eligible, check_eligibility
from almanac.desks.reminders.model.invariants import find_ladder_problems
from almanac.desks.reminders.model.ladder import DEFAULT_RULES
from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice, Payment
from almanac.desks.reminders.store.drafts import list_customer_drafts
from almanac.desks.reminders.store.ladders import get_ladder
from almanac.desks.reminders.store.table import email_tracking
from almanac.errors import AlmanacError
from almanac.kit.clock import FixedClock
from almanac.kit.money import Money
from tablature import MemoryObjects
from tablature.async_database import AsyncDatabase
from tablature.transport.embedded import Embedded

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DUE = date(2026, 2, 1)
# The documented rules, written down a second time: none within so many days, and so many days after which level.
NONE_WITHIN = {"first": 7, "second": 5, "final": 3}
AFTER = {"second": ("first", 7), "final": ("second", 5)}


@dataclass
class Plain:
    """What should be so, as simply as it can be said."""

    owed: dict[str, Decimal] = field(default_factory=dict)
    held: bool = False
    cycle: int = 1
    state: str | None = None
    level: str | None = None
    text_says: dict[str, Decimal] | None = None
    draft_cycle: int = 0
    expires: datetime = START
    left: list[tuple[str, int, datetime]] = field(default_factory=list)

    @property
    def begun(self):
        return any(cycle == self.cycle for _, cycle, _ in self.left) or (self.open and self.draft_cycle == self.cycle)

    @property
    def open(self):
        return self.state in ("draft", "approved", "snoozed", "sending", "unknown")

    def settle_debt(self):
        """A debt that is gone ends the cycle and cancels what is unsent; another debt voids an approval."""
        ended = self.begun and not self.owed
        if self.state in ("draft", "approved", "snoozed") and self.owed != self.text_says:
            self.state = None if not self.owed else "snoozed" if self.state == "snoozed" else "draft"
        if ended:
            self.cycle += 1

    def lapse(self, now):
        """What nobody decided about for thirty days is given up."""
        if self.state in ("draft", "approved", "snoozed") and now >= self.expires:
            self.state = None

    def may_leave(self, level, now):
        """Whether the documented rules let a reminder of this level leave now."""
        if (
            self.held
            or not self.owed
            or any((sent_level, cycle) == (level, self.cycle) for sent_level, cycle, _ in self.left)
        ):
            return False
        if any(
            sent_level == level and now - at < timedelta(days=NONE_WITHIN[level]) for sent_level, _, at in self.left
        ):
            return False
        if level == "first":
            return True
        before, days = AFTER[level]
        earlier = [at for sent_level, cycle, at in self.left if (sent_level, cycle) == (before, self.cycle)]
        return bool(earlier) and now - earlier[-1] >= timedelta(days=days)


class Reminders(RuleBasedStateMachine):
    """One customer in one currency, and everything that can happen."""

    @initialize()
    def begin(self):
        self.runner = asyncio.Runner()
        self.clock, self.plain = FixedClock(START), Plain()
        self.transport = Embedded.memory()
        self.tables = AsyncDatabase(self.transport, objects=MemoryObjects(), clock=self.clock.now)
        self.run(self.tables.admin.create_table(email_tracking))
        customer = Customer(id="acme", name="Acme", email="acme@example.org")
        self.run(store.create_customer(self.tables, customer, now=START))
        self.number = self.paid = 0
        self.draft = None

    def teardown(self):
        if hasattr(self, "runner"):
            self.transport.__exit__(None, None, None)
            self.runner.close()

    def run(self, work):
        return self.runner.run(work)

    def now(self):
        return self.clock.now()

    def case(self):
        return self.run(store.read_case(self.tables, "acme", "EUR"))

    def change(self, change):
        """Change the open draft; a refusal is no change."""
        try:
            self.run(store.change_draft(self.tables, self.draft, change, rules=DEFAULT_RULES, now=self.now()))
        except AlmanacError:
            return False
        return True

    @rule(days=st.sampled_from([0.5, 1, 2, 3, 4, 7]))
    def time_passes(self, days):
        self.plain.lapse(self.clock.advance(days=days))

    @rule(amount=st.integers(1, 5))
    def an_invoice_comes(self, amount):
        self.number += 1
        invoice = Invoice(
            customer_id="acme",
            number=f"N{self.number}",
            amount=Money(Decimal(amount), "EUR"),
            issued=None,
            due=DUE,
            paid=Money.zero("EUR"),
            credited=Money.zero("EUR"),
        )
        self.run(store.save_invoices(self.tables, [invoice], rules=DEFAULT_RULES, now=self.now()))
        self.plain.owed[invoice.number] = Decimal(amount)
        self.plain.settle_debt()

    @precondition(lambda self: self.plain.owed)
    @rule(everything=st.booleans(), again=st.booleans())
    def a_payment_comes(self, everything, again):
        number = next(iter(self.plain.owed))
        towards = dict(self.plain.owed) if everything else {number: Decimal(1)}
        self.paid += 1
        payment = Payment(
            customer_id="acme",
            id=f"P{self.paid}",
            amount=Money(sum(towards.values()), "EUR"),
            received_at=self.now(),
            towards=towards,
        )
        for _ in range(1 + again):
            self.run(store.record_payment(self.tables, payment, rules=DEFAULT_RULES, now=self.now()))
        left = {name: owed - towards.get(name, 0) for name, owed in self.plain.owed.items()}
        self.plain.owed = {name: owed for name, owed in left.items() if owed}
        self.plain.settle_debt()

    @rule()
    def a_hold_is_placed_or_lifted(self):
        if self.plain.held:
            work = store.lift_hold(self.tables, "acme", self.hold, by="ada", rules=DEFAULT_RULES, now=self.now())
        else:
            self.hold = f"h{self.now().timestamp()}-{self.paid}-{self.number}-{self.case().customer.version}"
            hold = Hold(customer_id="acme", id=self.hold, kind="pause")
            work = store.add_hold(self.tables, hold, rules=DEFAULT_RULES, now=self.now())
        self.run(work)
        self.plain.held = not self.plain.held

    @rule()
    def it_is_drafted(self):
        decision = check_eligibility(self.case(), DEFAULT_RULES, self.now())
        expected = [level for level in NONE_WITHIN if self.plain.may_leave(level, self.now())]
        assert isinstance(decision, Eligible) == bool(expected and not self.plain.open), decision
        if not isinstance(decision, Eligible):
            return
        assert [decision.level] == expected
        words = LetterWording(subject="S", text="T", recipients=())
        self.draft = self.run(
            store.create_draft(self.tables, decision, words, rules=DEFAULT_RULES, by=CONSOLE, now=self.now())
        ).id
        self.plain.state, self.plain.level = "draft", decision.level
        self.plain.text_says, self.plain.draft_cycle = dict(self.plain.owed), self.plain.cycle
        self.plain.expires = self.now() + timedelta(days=30)

    @precondition(lambda self: self.draft)
    @rule()
    def it_is_approved(self):
        seen, now = self.run(store.find_draft(self.tables, self.draft)), self.now()
        if seen is None:
            return
        done = self.change(lambda d, c: transitions.approve(d, c, DEFAULT_RULES, seen.content_hash, CONSOLE, now))
        may = self.plain.owed == self.plain.text_says and self.plain.may_leave(self.plain.level, now)
        assert done == (self.plain.state == "approved" or (self.plain.state == "draft" and may))
        if done:
            self.plain.state = "approved"

    @precondition(lambda self: self.plain.state in ("draft", "approved", "snoozed"))
    @rule(what=st.sampled_from(["reject", "snooze", "reopen", "edit", "cancel"]))
    def a_person_changes_it(self, what):
        now = self.now()
        moved = {
            "reject": lambda d, _: transitions.reject(d, d.content_hash, CONSOLE, now, note="No."),
            "snooze": lambda d, _: transitions.snooze(d, now + timedelta(days=1), now),
            "reopen": lambda d, _: transitions.reopen(d),
            "edit": lambda d, c: transitions.rewrite(d, c, replace(d.wording, text=d.wording.text + "."), CONSOLE),
            "cancel": lambda d, _: transitions.cancel(d, "No."),
        }
        if self.change(moved[what]):
            if what == "snooze":
                self.plain.expires = max(self.plain.expires, now + timedelta(days=31))
            self.plain.state = {"snooze": "snoozed", "reopen": "draft", "edit": "draft"}.get(what)
        else:
            assert (what, self.plain.state) == ("snooze", "snoozed")

    @precondition(lambda self: self.draft)
    @rule(outcome=st.sampled_from(["sent", "unknown", "failed", "crashed"]))
    def it_is_sent(self, outcome):
        now = self.now()
        done = self.change(lambda d, c: transitions.begin_sending(d, c, DEFAULT_RULES, now))
        assert done == (self.plain.state == "approved")
        if not done:
            return
        draft = self.run(store.get_draft(self.tables, self.draft))
        may = self.plain.may_leave(self.plain.level, now) and self.plain.owed == self.plain.text_says
        assert (draft.state == "sending") == may
        self.plain.state = draft.state if draft.state in ("sending", "approved", "draft") else None
        if draft.state == "sending" and outcome != "crashed":
            self.the_mail_answers(outcome)

    @precondition(lambda self: self.plain.state in ("sending", "unknown"))
    @rule(outcome=st.sampled_from(["sent", "unknown", "failed"]))
    def the_mail_answers(self, outcome):
        now = self.now()
        if outcome == "sent":
            mail = store.SentMail(mail_id=f"m-{self.draft}", message_id="<m>", at=now, raw=b"x", delivery={})
            for _ in range(2):
                self.run(store.record_sent(self.tables, self.draft, mail))
            self.plain.left.append((self.plain.level, self.plain.draft_cycle, now))
            self.plain.state = None
        elif outcome != self.plain.state:
            assert self.change(lambda d, _: replace(d, state=outcome))
            self.plain.state = outcome if outcome == "unknown" else None

    @invariant()
    def the_table_agrees(self):
        if not hasattr(self, "tables"):
            return
        ladder = self.run(get_ladder(self.tables, "acme", "EUR"))
        drafts = self.run(list_customer_drafts(self.tables, "acme"))
        sent = self.run(store.list_sent_to_customer(self.tables, "acme", limit=100)).items
        assert find_ladder_problems(ladder, drafts, sent, DEFAULT_RULES, self.now()) == []
        assert (ladder.open.state if ladder.open and ladder.open.holds(self.now()) else None) == self.plain.state
        assert ladder.cycle == self.plain.cycle
        assert sorted((mail.level, mail.cycle) for mail in sent) == sorted((lv, cy) for lv, cy, _ in self.plain.left)


class TestAnyOrder(Reminders.TestCase):
    settings = settings(
        max_examples=40,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
