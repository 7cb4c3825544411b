"""The coverage charts show the largest sources, and the rest as one bar."""

from datetime import date

import pytest

from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.pages.topics import coverage_charts


@pytest.mark.parametrize(("sources", "last"), [(9, ("s8", 1)), (10, ("2 others", 2))])
def test_a_single_source_that_is_left_over_keeps_its_name(sources, last):
    chunks = [
        RetrievedChunk(id=str(n), topic="Livestock", source=f"s{n}", score=1, content="…") for n in range(sources)
    ]
    by_source, *_ = coverage_charts(chunks, date(2026, 3, 2))
    assert by_source.figures[-1] == last
