"""What is told about demo content."""

from functools import partial

import pytest

from almanac.demo import DemoReport
from almanac.kit.text import counted

TEXTS = {kind: partial(counted, noun=kind) for kind in ("source", "newsletter", "alert")}


@pytest.mark.parametrize(
    ("counts", "summary"),
    [
        ({}, ""),
        ({"source": 0}, ""),
        ({"source": 1}, "1 source"),
        ({"source": 20, "newsletter": 0, "alert": 2}, "20 sources and 2 alerts"),
        ({"source": 2, "newsletter": 1, "alert": 3}, "2 sources, 1 newsletter and 3 alerts"),
    ],
)
def test_a_report_names_what_there_is(counts, summary):
    assert DemoReport(counts=counts, texts=TEXTS, changed=True).summary == summary
