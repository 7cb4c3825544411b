"""The list of checks: codes that never repeat, an example of each both ways, and an up-to-date reference page."""

import re
from pathlib import Path

import pytest

from tablature.lint.checks import LintCheck
from tablature.lint.report import reference_page
from tablature.lint.run import CHECKS

HERE = Path(__file__).parent
ROOT = Path(__file__).resolve().parents[4]
SOURCES = "\n".join(path.read_text("utf-8") for path in HERE.glob("test_*.py") if path != Path(__file__))
OF_SCHEMAS = [check for check in CHECKS if not check.code.startswith("TAB9")]


def test_codes_are_well_formed_and_never_repeat():
    codes = [check.code for check in CHECKS]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"TAB\d{3}", code) for code in codes)


@pytest.mark.parametrize("check", OF_SCHEMAS, ids=lambda check: check.code)
def test_every_check_has_an_example_of_each_kind(check: LintCheck):
    assert f'finds("{check.code}"' in SOURCES
    assert f'passes("{check.code}"' in SOURCES


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_every_check_says_why_and_what_to_do(check: LintCheck):
    assert check.title[0].isupper()
    assert not check.title.endswith(".")
    assert check.why.endswith(".")
    assert check.fix.endswith(".")


def test_the_reference_page_is_up_to_date():
    page = (ROOT / "docs/reference/tablature-lint.md").read_text("utf-8")
    assert page == reference_page(), "Write it again: tablature lint --reference > docs/reference/tablature-lint.md"
