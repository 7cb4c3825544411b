"""The example in the documentation reads the sitting that it shows."""

import re
from pathlib import Path

from almanac.desks.recap.model.parliaments import registry

PAGE = (
    next(folder for folder in Path(__file__).parents if (folder / "docs").is_dir()) / "docs/how-to/add-a-parliament.md"
)


def test_the_examples_hold(monkeypatch):
    grammar, reading = re.findall(r"(?s)```python\n(.*?)```", PAGE.read_text("utf-8"))
    names = {}
    exec(grammar, names)
    monkeypatch.setitem(registry._BY_ID, "northland", names["NORTHLAND"])
    exec(reading, names)
    assert names["decision"].asked_at == 3
