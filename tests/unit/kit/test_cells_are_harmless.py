"""A text that a spreadsheet would take for a formula is written so that it stays a text."""

import pytest

from almanac.kit.text import escape_cell, unescape_cell

FORMULAS = [
    "=1+1",
    '=HYPERLINK("http://evil.example")',
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-cmd",
    "\t=1",
    "\r=1",
    "\n=1",
    "-2+3+cmd|' /C calc'!A0",
    "-1*HYPERLINK(A1)",
    "＝1+1",
    "＋cmd",
    "－cmd",
    "＠SUM(A1)",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_begins_like_a_formula_becomes_plain_text(text):
    assert escape_cell(text) == "'" + text


@pytest.mark.parametrize("text", ["", "Reading", "-12.50", "-1,200.00 EUR", "-5 %", "a=b", "'tis", "5 km"])
def test_anything_else_stays_as_it_is(text):
    assert escape_cell(text) == unescape_cell(text) == text


@pytest.mark.parametrize("text", [*FORMULAS, "plain", "'quoted'"])
def test_what_was_written_is_read_back(text):
    assert unescape_cell(escape_cell(text)) == text
