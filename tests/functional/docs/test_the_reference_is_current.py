"""The generated reference pages say what the code says, and every page is reachable and has no dead link."""

import re

from almanac.config import describe_settings

LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


def test_generated_pages_are_current(generator):
    assert generator["stale_pages"]() == [], "run `make docs`"


def test_a_stale_page_would_be_found(generator, tmp_path, monkeypatch):
    (tmp_path / "settings.md").write_text("old")
    monkeypatch.setitem(generator["stale_pages"].__globals__, "REFERENCE", tmp_path)
    assert "settings.md" in generator["stale_pages"]()


def test_links_between_pages_lead_somewhere(page):
    dead = [
        target
        for target, _ in LINK.findall(page.text)
        if "://" not in target and not target.startswith("mailto:") and not (page.path.parent / target).exists()
    ]
    assert not dead


def test_every_page_is_listed_in_the_index(root):
    index = (root / "docs" / "README.md").read_text("utf-8")
    unlisted = [
        path.relative_to(root / "docs").as_posix()
        for path in sorted((root / "docs").rglob("*.md"))
        if path.name != "README.md" and path.relative_to(root / "docs").as_posix() not in index
    ]
    assert not unlisted


def test_every_setting_is_documented(root):
    text = (root / "docs" / "reference" / "settings.md").read_text("utf-8")
    assert not [line.variable for line in describe_settings({}) if f"`{line.variable}`" not in text]
