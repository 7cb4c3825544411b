"""Asking one check about a few small tables."""

from collections.abc import Callable

import pytest

from tablature import Index, Table
from tablature.design import Design
from tablature.lint.checks import LintIssue
from tablature.lint.run import CHECKS

Ask = Callable[..., list[LintIssue]]


def issues(code: str, *tables: Table, **options: int) -> list[LintIssue]:
    (check,) = [check for check in CHECKS if check.code == code]
    return list(check.find(Design(tables, **options)))


@pytest.fixture
def finds() -> Ask:
    """The issues that a check finds; there must be one at least."""

    def ask(code: str, *tables: Table, **options: int) -> list[LintIssue]:
        matches = issues(code, *tables, **options)
        assert matches, f"{code} finds nothing"
        return matches

    return ask


@pytest.fixture
def passes() -> Callable[..., None]:
    """A check that must find nothing."""

    def ask(code: str, *tables: Table, **options: int) -> None:
        assert issues(code, *tables, **options) == []

    return ask


@pytest.fixture
def table() -> Table:
    return Table("things", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")], ttl="expires_at")


@pytest.fixture
def other_table() -> Table:
    return Table("others", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")], ttl="expires_at")
