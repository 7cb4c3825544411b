"""The outputs for forty articles, as pages that a person has read; `ALMANAC_WRITE_SNAPSHOTS=1` writes them anew."""

import os
from pathlib import Path

PAGES = Path(__file__).parent / "snapshots"


def test_the_outputs_are_those_that_were_read(source, page):
    kept = PAGES / f"{source.id}.md"
    if os.environ.get("ALMANAC_WRITE_SNAPSHOTS"):
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(page(source), "utf-8")
    assert page(source) == kept.read_text("utf-8")
