"""Load at the reminders desk: debts, drafts, many clicks on one approval, payments; and what arrives by mail."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from calling import Caller, InDoubt, Refused
from report import Report
from stage import Stage

CUSTOMERS, INVOICES, PAYMENTS, APPROVED = "customers", "invoices", "payments", "approved reminders"
DUE = (datetime.now(UTC).date() - timedelta(days=20)).isoformat()
UNDER_WAY = ("sending", "approved")
CLICKS = 3


class Reminders:
    """Four clerks, each with customers of their own; two people click on every approval."""

    writers = 4

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.clerks: list[Caller] = []
        self.count = 0
        self.drafts: dict[str, str] = {}

    async def set_up(self) -> None:
        self.clerks = [await self.stage.person(f"clerk-{number}", "admin") for number in range(2)]

    async def write(self, writer: int) -> None:
        number, clerk, journal = self.count, self.clerks[writer % 2], self.stage.journal
        self.count += 1
        customer = f"c{number:05}"
        wish = {"customer_id": customer, "name": f"Customer {number}", "email": f"{customer}@example.org"}
        with journal.doubting(CUSTOMERS, customer):
            await clerk.post("/reminders/customers", wish)
        journal.keep(CUSTOMERS, customer, wish["email"])
        for part in range(2):
            await self._owe(clerk, customer, f"INV-{number}-{part}", f"{100 + number + part}.50")
        draft = await clerk.post("/reminders/drafts", {"customer_id": customer, "reminder_type": "first"})
        self.drafts[customer] = draft["id"]
        if number % 5 == 0:
            await self._pay(clerk, customer, f"early {number}")
        clicks = [self._approve(self.clerks[click % 2], customer, draft) for click in range(CLICKS)]
        await asyncio.gather(*clicks)
        if number % 3 == 0:
            await self._pay(clerk, customer, f"late {number}")

    async def _owe(self, clerk: Caller, customer: str, number: str, amount: str) -> None:
        wish = {"customer_id": customer, "number": number, "amount": amount, "currency": "EUR", "due": DUE}
        with self.stage.journal.doubting(INVOICES, f"{customer} {number}"):
            await clerk.post("/reminders/invoices", wish)
        self.stage.journal.keep(INVOICES, f"{customer} {number}", amount)

    async def _pay(self, clerk: Caller, customer: str, reference: str) -> None:
        wish = {"customer_id": customer, "reference": reference, "amount": "10.00", "currency": "EUR"}
        with self.stage.journal.doubting(PAYMENTS, f"{customer} {reference}"):
            await clerk.post("/reminders/payments", wish)
        self.stage.journal.keep(PAYMENTS, f"{customer} {reference}", "10.00")

    async def _approve(self, clerk: Caller, customer: str, draft: dict[str, Any]) -> None:
        """One click of several. A refusal is an answer too: the debt has changed, or another click was quicker, perhaps
        so much that the reminder is gone."""
        try:
            await clerk.post(f"/reminders/drafts/{draft['id']}/approve", {"content_hash": draft["content_hash"]})
            self.stage.journal.keep(APPROVED, customer, draft["id"])
        except InDoubt:
            pass
        except Refused as refusal:
            self.stage.met["approvals refused"] += 1
            text = " 409 " in str(refusal) or "it may have been sent" in str(refusal)
            self.stage.trouble += [] if text else [str(refusal)]

    async def is_at_rest(self) -> bool:
        for status in UNDER_WAY:
            if (await self.clerks[0].get("/reminders/drafts", status=status))["items"]:
                return False
        return True

    async def check(self, report: Report) -> None:
        await self._check_ledger(report)
        states = {customer: await self._state(customer) for customer in self.drafts}
        stuck = [f"{customer}: {states[customer]}" for customer in states if states[customer] in UNDER_WAY]
        approved = self.stage.journal.certain(APPROVED)
        report.claim(
            "reminders: nothing that was approved is left half-way",
            len(approved),
            holds=not stuck,
            detail="\n".join(stuck),
        )
        taken = self.stage.office.taken
        mails = {customer: taken[f"{customer}@example.org"] for customer in states}
        twice = [f"{customer}: {count} mails" for customer, count in mails.items() if count > 1]
        report.claim(
            "reminders: nobody got one level of one cycle twice",
            f"{sum(mails.values())} mails, {len(twice)} twice",
            holds=not twice,
            detail="\n".join(twice),
        )
        wrong = [
            f"{customer} is {states[customer]} and got {mails[customer]}"
            for customer in states
            if states[customer] != "unknown" and mails[customer] != (states[customer] == "sent")
        ]
        text = ", ".join(f"{count} {state}" for state, count in sorted(Counter(states.values()).items()))
        report.claim(
            "reminders: who is recorded as reminded was, and nobody else",
            text,
            holds=not wrong,
            detail="\n".join(wrong),
        )

    async def _state(self, customer: str) -> str:
        """How the reminder stands: the draft says so, until it gives way to the history."""
        clerk = self.clerks[0]
        if (await clerk.get(f"/reminders/customers/{customer}/history"))["items"]:
            return "sent"
        try:
            status: str = (await clerk.get(f"/reminders/drafts/{self.drafts[customer]}"))["status"]
        except Refused:
            return "gone"
        return status

    async def _check_ledger(self, report: Report) -> None:
        journal, clerk, lost = self.stage.journal, self.clerks[0], list[str]()
        payments: dict[str, Any] = {}
        for customer in {*journal.certain(CUSTOMERS), *(name.split()[0] for name in journal.certain(INVOICES))}:
            existing = await clerk.get(f"/reminders/customers/{customer}")
            invoices = (await clerk.get(f"/reminders/customers/{customer}/invoices"))["items"]
            paid = (await clerk.get(f"/reminders/customers/{customer}/payments"))["items"]
            payments |= {f"{customer} {item['reference']}": item["amount"] for item in paid}
            stored = {f"{customer} {invoice['number']}": invoice["amount"] for invoice in invoices}
            mine = {name: value for name, value in journal.certain(INVOICES).items() if name.split()[0] == customer}
            lost += [name for name, value in mine.items() if stored.get(name) != value]
            lost += [] if existing["email"] == f"{customer}@example.org" else [customer]
            if sum(float(invoice["paid"]) for invoice in invoices) != sum(float(invoice["amount"]) for invoice in paid):
                lost.append(f"{customer}: what invoices say was paid is not what came in")
        lost += [name for name, amount in journal.certain(PAYMENTS).items() if payments.get(name) != amount]
        count = sum(len(journal.certain(kind)) for kind in (CUSTOMERS, INVOICES, PAYMENTS))
        report.claim(
            "reminders: customers, invoices and payments are as acknowledged",
            f"{count}, {len(lost)} lost",
            holds=not lost,
            detail="\n".join(lost),
        )
