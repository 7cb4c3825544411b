"""One sentence is marked as own or dropped, and nothing else in the text changes."""

import pytest

from almanac.desks.newsletter.model.sentence_edits import drop_from_text, mark_own_in_text, unmark_own_in_text
from almanac.errors import InputError
from almanac.verify.markers import read_claims


def find(text, words):
    return next(placed for placed in read_claims(text) if words in placed.claim.text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Hello all. It rained. [@a]", "Hello all. [@own] It rained. [@a]"),
        ("Hello all.[@a][@b] It rained. [@a]", "Hello all.[@own] It rained. [@a]"),
        ("Hello all [@a]. It rained. [@a]", "Hello all [@own]. It rained. [@a]"),
        ("- Hello all\n- It rained. [@a]", "- Hello all [@own]\n- It rained. [@a]"),
        ("皆様、こんにちは。[@a]雨が降った。[@a]", "皆様、こんにちは。[@own]雨が降った。[@a]"),
    ],
)
def test_a_sentence_is_marked_as_own_in_place_of_its_references(before, after):
    words = "こんにちは" if "皆様" in before else "Hello"
    assert mark_own_in_text(before, find(before, words)) == after
    unmarked = unmark_own_in_text(after, find(after, words))
    assert "own" not in unmarked
    assert unmarked.replace(" ", "").endswith(after.rsplit("[@own]", 1)[1].replace(" ", ""))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("One. [@a] Two. [@b] Three. [@c]", "One. [@a] Three. [@c]"),
        ("One.[@a]\n\nTwo.[@b]\n\nThree.[@c]", "One.[@a]\n\nThree.[@c]"),
        ("- One. [@a]\n- Two. [@b]\n- Three. [@c]", "- One. [@a]\n- Three. [@c]"),
        ("Two. [@b] Three. [@c]", "Three. [@c]"),
        ("One. [@a] Two. [@b]", "One. [@a]"),
        ("Two [@b].", ""),
    ],
)
def test_a_dropped_sentence_goes_with_its_markers_and_its_empty_line(before, after):
    assert drop_from_text(before, find(before, "Two")) == after


@pytest.mark.parametrize("text", ["# Two\n\nOne. [@a]", "| A | B |\n|---|---|\n| Two | 2 |\n\n[@a]"])
def test_headings_and_rows_are_edited_by_hand(text):
    for edit in (drop_from_text, mark_own_in_text):
        with pytest.raises(InputError, match="edit the section"):
            edit(text, find(text, "Two"))
