"""Figures in pages of the documentation: a block between two marks is replaced, the rest is written by hand."""

import re
from pathlib import Path

REFERENCE = Path(__file__).parent.parent.parent / "docs" / "reference"
LOAD = REFERENCE / "load.md"


def write_block(name: str, text: str, page: Path = LOAD) -> None:
    """Put the text between the marks of a name."""
    page.write_text(with_block(page.read_text("utf-8"), name, text), "utf-8")


def with_block(whole: str, name: str, text: str) -> str:
    begin, end = f"<!-- figures: {name} -->\n", f"<!-- end of figures: {name} -->"
    block = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if not block.search(whole):
        raise ValueError(f"The page has no place for figures called {name}.")
    return block.sub(lambda _: f"{begin}{text.rstrip()}\n\n{end}", whole)
