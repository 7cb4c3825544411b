"""`tablature lint` finds nothing in the five tables that was not looked at and given a reason."""

import pytest

from almanac.tables import MODULES, TABLES
from tablature.design import design_of
from tablature.lint.run import lint


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[2])
def test_every_finding_is_fixed_or_accepted_with_a_reason(module):
    standing = [
        (finding.check.code, finding.issue.subject, finding.issue.message)
        for finding in lint(design_of([module])).findings
    ]
    assert standing == []


def test_the_five_tables_are_all_looked_at():
    assert design_of(MODULES).tables == TABLES
    assert [table.name for table in TABLES] == ["newsletter", "habits", "llm_tasks", "articles", "email_tracking"]


def test_every_access_pattern_says_what_it_is_for():
    assert not [pattern.name for pattern in design_of(MODULES).patterns if not pattern.doc]
