"""A template that others extend sets no names: they would replace the names of the same spelling in every page."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "src" / "almanac"


def test_a_template_that_is_extended_sets_no_names():
    texts = {path: path.read_text() for path in TEMPLATES.rglob("templates/**/*.html")}
    extended = {name for text in texts.values() for name in re.findall(r'{%-?\s*extends\s+"([^"]+)"', text)}
    assert "layout.html" in extended

    outside = {
        path: re.sub(r"{%-?\s*block.*?endblock\s*\w*\s*-?%}", "", text, flags=re.DOTALL) for path, text in texts.items()
    }
    bases = {path for path in texts if any(path.as_posix().endswith(f"templates/{name}") for name in extended)}
    assert [path.name for path in sorted(bases) if re.search(r"{%-?\s*set\s", outside[path])] == []
