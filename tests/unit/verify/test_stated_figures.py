"""A letter about money has no figure that the ledger doesn't state."""

import pytest

from almanac.verify import FindingKind, check_stated_figures

LEDGER = """The customer is Studio 54 GmbH.
The customer owes 1,500.00 EUR in total.
Invoice INV-001: 1,200.00 EUR is owed, due on 2025-05-03, 21 days overdue.
Invoice INV-002: 300.00 EUR is owed, due on 2025-05-10, 14 days overdue."""


@pytest.mark.parametrize(
    "line",
    [
        "Dear Studio 54 GmbH,",
        "Our records show that €1,500 is overdue.",
        "INV-001: 1,200.00 EUR, due 3 May 2025, 21 days overdue",
        "Rechnung INV-001 über 1.200,00 EUR",
        "发票 INV-001：1,200.00 EUR，2025年5月3日到期，逾期 21 天。",
        "This is our second reminder; please pay today.",
    ],
)
def test_what_the_ledger_states_may_be_said_in_any_form(line):
    assert check_stated_figures(line, [LEDGER]) == []


@pytest.mark.parametrize(
    ("line", "kind", "figure"),
    [
        ("Please pay 1,600.00 EUR at once.", FindingKind.AMOUNT, "1,600.00 EUR"),
        ("Please pay USD 1,500.00.", FindingKind.AMOUNT, "USD 1,500.00"),
        ("INV-003 is still open.", FindingKind.NUMBER, "INV-003"),
        ("A late fee of 5% applies.", FindingKind.PERCENTAGE, "5%"),
        ("Please pay within 10 days.", FindingKind.NUMBER, "10 days"),
        ("Please pay by 1 June 2025.", FindingKind.DATE, "1 June 2025"),
        ("逾期 22 天。", FindingKind.NUMBER, "22 天"),
    ],
)
def test_a_figure_of_its_own_is_found(line, kind, figure):
    finding = check_stated_figures(line, [LEDGER])[0]
    assert (finding.kind, finding.found) == (kind, figure)


def test_a_second_text_may_state_more():
    assert check_stated_figures("Please pay within 10 days.", [LEDGER, "Please pay within 10 days."]) == []
