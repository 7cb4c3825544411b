"""A tool writes figures into a page between its marks and leaves everything else as it is."""

import pytest

PAGE = "Before.\n<!-- figures: soak -->\nold\n<!-- end of figures: soak -->\nAfter.\n"


def test_only_what_is_between_the_marks_is_replaced(documented):
    written = documented.with_block(PAGE, "soak", "new \\1 figures\n")
    assert written == PAGE.replace("old\n", "new \\1 figures\n\n")


def test_writing_twice_is_the_same_as_writing_once(documented):
    once = documented.with_block(PAGE, "soak", "new")
    assert documented.with_block(once, "soak", "new") == once


def test_figures_without_a_place_are_refused(documented):
    with pytest.raises(ValueError, match="no place for figures called growth"):
        documented.with_block(PAGE, "growth", "new")


def test_the_page_about_load_has_a_place_for_everything_that_is_measured(documented):
    page = documented.LOAD.read_text("utf-8")
    for name in ("read-mostly", "write-heavy", "soak", "growth"):
        documented.with_block(page, name, "figures")
