"""A finding is accepted with a reason; an acceptance without one, or without a finding, is a finding itself."""

import pytest

from tablature import Attr, Entity, Table, attr, pattern, primary
from tablature.design import Accepted, Design, accepted
from tablature.lint.run import LintReport, lint

REASON = "There are never more than ten of them."


@pytest.fixture
def growing() -> Table:
    table = Table("things", pk="PK", sk="SK")

    class Thing(Entity, table=table):
        id: Attr[str]
        group: Attr[str]
        tags: Attr[list[str]]
        key = primary("GROUP#{group}", "THING#{id}")
        of_group = pattern(key, doc="The things of a group, in a list.")

    return table


def report(table: Table, *entries: Accepted) -> LintReport:
    return lint(Design((table,), entries))


def codes(result: LintReport) -> list[str]:
    return [finding.check.code for finding in result.findings if finding.check.severity != "advice"]


def test_an_accepted_finding_is_set_apart_with_its_reason(growing):
    result = report(growing, accepted("TAB301", "Thing.tags", REASON))
    assert not result.fails
    assert [(finding.check.code, finding.reason) for finding in result.accepted] == [("TAB301", REASON)]


@pytest.mark.parametrize("reason", ["", "   ", "ok"])
def test_an_acceptance_needs_a_reason(growing, reason):
    result = report(growing, accepted("TAB301", "Thing.tags", reason))
    assert codes(result) == ["TAB301", "TAB901"]
    assert not result.accepted


def test_an_acceptance_needs_a_finding(growing):
    matching = accepted("TAB301", "Thing.tags", REASON)
    result = report(growing, matching, accepted("TAB301", "Thing.labels", REASON), accepted("TAB999", "Thing", REASON))
    assert codes(result) == ["TAB902", "TAB902"]
    assert result.fails


def test_a_sound_design_has_no_findings():
    table = Table("things", pk="PK", sk="SK")

    class Thing(Entity, table=table):
        id: Attr[str]
        tags: Attr[list[str]] = attr(longest=10)
        key = primary("THING#{id}", "META")

    result = report(table)
    assert (result.findings, result.accepted, result.fails) == ((), (), False)
