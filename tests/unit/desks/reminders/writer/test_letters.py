"""A letter states what the ledger says, next to the right invoice, or it is rejected with the reason."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from almanac.desks.reminders.model.draft import DebtFacts, InvoiceFact, ReminderTemplate
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.writer.checks import InventedFact, require_stated
from almanac.desks.reminders.writer.letters import Letter, write_by_model
from almanac.kit.clock import FixedClock
from almanac.llm.extractive.writer import ExtractiveWriter
from almanac.llm.port import StepProvenance, WrittenStep

FACTS = DebtFacts(
    currency="EUR",
    total=Decimal("1500.00"),
    invoices=(
        InvoiceFact("INV-001", Decimal("1200.00"), date(2025, 5, 3), 21),
        InvoiceFact("INV-002", Decimal("300.00"), date(2025, 5, 10), 14),
    ),
    fingerprint="f",
)
CUSTOMER = Customer(id="acme", name="Acme Ltd", email="acme@example.org")
TEMPLATE = ReminderTemplate(
    id="reminder_first", version=3, name="First", subject="Reminder", body="Dear {{customer_name}}"
)
GOOD = """Dear Acme Ltd,

INV-001 over 1,200.00 EUR was due on 3 May 2025.
INV-002 over 300.00 EUR was due on 10 May 2025.
Please pay 1,500.00 EUR."""


class Model:
    """Writes one letter, whatever it is asked."""

    def __init__(self, text, subject="Your invoices"):
        self.letter = Letter(subject=subject, text=text)

    async def write(self, step, given, *, desk, subject=""):
        self.given = given
        provenance = StepProvenance(
            model="some-model", step=step.name, prompt_version="1.0", made_at=datetime(2025, 6, 1, tzinfo=UTC)
        )
        return WrittenStep(output=self.letter, provenance=provenance)


async def written(text, **more):
    model = Model(text, **more)
    return await write_by_model(model, TEMPLATE, CUSTOMER, FACTS, level="first", sender_name="Almanac")


async def test_a_model_writes_from_the_ledger():
    wording = await written(GOOD)
    assert (wording.text, wording.written_by, wording.template_version) == (GOOD, "model", 3)


@pytest.mark.parametrize(
    ("wrong", "invented"),
    [
        (GOOD.replace("1,500.00", "1,600.00"), "1,600.00 EUR"),
        (GOOD.replace("3 May", "4 May"), "4 May 2025"),
        (GOOD + "\nA fee of 40.00 EUR is added.", "40.00 EUR"),
        (GOOD + "\nPlease pay within 7 days.", "7 days"),
        (GOOD + "\nINV-003 is open too.", "INV-003"),
        (GOOD.replace("INV-001 over 1,200.00", "INV-001 over 300.00"), "300.00 EUR"),
        (GOOD.replace("due on 10 May", "due on 3 May"), "3 May 2025"),
    ],
)
async def test_a_model_that_invents_is_refused_with_what_it_invented(wrong, invented):
    with pytest.raises(InventedFact) as failure:
        await written(wrong)
    assert failure.value.fields["text"] == f"“{invented}” is not in the ledger."


async def test_the_subject_is_checked_too():
    with pytest.raises(InventedFact) as failure:
        await written(GOOD, subject="You owe 9,999.00 EUR")
    assert "9,999.00 EUR" in failure.value.fields["subject"]


@pytest.mark.parametrize("gone", ["INV-002 over 300.00 EUR was due on 10 May 2025.\n", "Please pay 1,500.00 EUR."])
async def test_a_model_that_leaves_something_out_is_refused(gone):
    with pytest.raises(InventedFact, match="leaves out"):
        await written(GOOD.replace(gone, ""))


async def test_without_a_model_the_letter_is_that_of_the_template():
    writer = ExtractiveWriter(FixedClock(datetime(2025, 6, 1, tzinfo=UTC)))
    wording = await write_by_model(writer, TEMPLATE, CUSTOMER, FACTS, level="first", sender_name="Almanac")
    assert (wording.text, wording.written_by) == ("Dear Acme Ltd", "template")


def test_numbers_in_names_are_no_inventions():
    require_stated("Hello", "Dear Studio 54,\n4711 Records", FACTS, customer_name="Studio 54", also=("4711 Records",))
