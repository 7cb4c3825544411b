"""Rules for templates that no page shows by itself."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "src" / "almanac"


def test_a_template_that_is_extended_sets_no_names():
    """They would replace the names of the same spelling in every page."""
    texts = {path: path.read_text() for path in TEMPLATES.rglob("templates/**/*.html")}
    extended = {name for text in texts.values() for name in re.findall(r'{%-?\s*extends\s+"([^"]+)"', text)}
    assert "layout.html" in extended

    outside = {
        path: re.sub(r"{%-?\s*block.*?endblock\s*\w*\s*-?%}", "", text, flags=re.DOTALL) for path, text in texts.items()
    }
    bases = {path for path in texts if any(path.as_posix().endswith(f"templates/{name}") for name in extended)}
    assert [path.name for path in sorted(bases) if re.search(r"{%-?\s*set\s", outside[path])] == []


def test_a_number_in_a_table_has_its_label_on_a_phone():
    """There a table has no head: a number would stand alone."""
    cells = [
        f"{path.name}: {cell}"
        for path in TEMPLATES.rglob("templates/**/*.html")
        for cell in re.findall(r'<td\s+class="[^"]*\bnumber\b[^"]*"[^>]*>', path.read_text())
    ]
    assert len(cells) > 10
    assert [cell for cell in cells if "data-label" not in cell] == []
