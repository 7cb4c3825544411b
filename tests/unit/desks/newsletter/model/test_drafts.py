"""Drafts: counts are derived, sections follow the outline, and a generation never replaces a person's text."""

import pytest

from almanac.desks.newsletter.model.draft import (
    GeneratedText,
    NewsletterDraft,
    align_with_outline,
    apply_proposal_decision,
    set_generated_text,
    set_human_text,
)
from almanac.desks.newsletter.model.draft_text import count_words, reading_time
from almanac.desks.newsletter.model.outline import NewsletterOutlineSection
from almanac.errors import NotFound, TooLarge

OUTLINE = (
    NewsletterOutlineSection(id="s1", name="News & Views"),
    NewsletterOutlineSection(id="s2", name="News & Views"),
    NewsletterOutlineSection(id="s3", name="はじめに"),
)


@pytest.fixture
def draft():
    return align_with_outline(NewsletterDraft(), OUTLINE)


def generated(draft, section="s1", text="Made.", *, seen=None, mark="1:x"):
    seen = draft.version if seen is None else seen
    return set_generated_text(draft, section, GeneratedText(text=text, model="extractive"), seen=seen, rests_on=mark)


def test_each_section_has_a_key_of_its_own(draft):
    assert [section.key for section in draft.sections] == ["news_views", "news_views_2", "はじめに"]


def test_a_renamed_and_moved_section_keeps_its_text_and_key(draft):
    written = set_human_text(draft, "s2", "Mine.")
    moved = align_with_outline(
        written,
        (NewsletterOutlineSection(id="s2", name="Letters"), NewsletterOutlineSection(id="s1", name="News & Views")),
    )
    assert [(section.key, section.name, section.text) for section in moved.sections] == [
        ("news_views_2", "Letters", "Mine."),
        ("news_views", "News & Views", ""),
    ]


def test_a_generation_replaces_what_a_generation_wrote(draft):
    again = generated(generated(draft), text="Made again.", mark="2:x")
    assert (again.section("s1").text, again.section("s1").proposal) == ("Made again.", None)


def test_a_generation_leaves_a_proposal_beside_a_persons_text(draft):
    mine = set_human_text(generated(draft), "s1", "Mine.")
    after = generated(mine, text="Made again.")
    assert (after.section("s1").text, after.section("s1").proposal) == ("Mine.", "Made again.")
    assert apply_proposal_decision(after, "s1", accepted=True).section("s1").text == "Made again."
    assert apply_proposal_decision(after, "s1", accepted=False).section("s1").text == "Mine."


def test_a_text_that_changed_while_another_was_generated_is_not_replaced(draft):
    seen = generated(draft).version
    meanwhile = generated(generated(draft), text="Newer.")
    assert generated(meanwhile, text="Older.", seen=seen).section("s1").text == "Newer."


def test_a_change_counts_for_its_own_section_alone(draft):
    first = set_human_text(draft, "s1", "One.")
    second = set_human_text(first, "s2", "Two.")
    assert (second.section("s1").version, second.section("s2").version, second.version) == (1, 2, 2)


def test_a_section_that_is_too_long_is_refused(draft):
    with pytest.raises(TooLarge):
        set_human_text(draft, "s1", "x" * 30_001)


def test_a_draft_that_could_not_be_stored_is_refused():
    many = align_with_outline(
        NewsletterDraft(), tuple(NewsletterOutlineSection(id=f"s{n}", name=f"N{n}") for n in range(9))
    )
    for n in range(8):
        many = set_human_text(many, f"s{n}", "x" * 29_000)
    with pytest.raises(TooLarge):
        set_human_text(many, "s8", "x" * 29_000)


def test_a_section_that_is_not_there_is_not_found(draft):
    with pytest.raises(NotFound):
        draft.section("none")


def test_the_document_has_one_heading_for_each_section(draft):
    written = set_human_text(set_human_text(draft, "s1", "## News & Views\n\nText."), "s3", "本文。")
    assert written.markdown("Title") == (
        "# Title\n\n## News & Views\n\nText.\n\n## News & Views\n\n## はじめに\n\n本文。\n"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("Rainfall fell by 43 percent.[@c1][@c2]", 5),
        ("It's 1,250 well-known words, e-mail.", 5),
        ("See [the report](https://example.org/a-b-c) now.", 4),
        ("降雨量が43％減った。[@c1]", 8),
        ("東京 Tokyo", 3),
    ],
)
def test_words_are_counted_as_a_reader_would(text, words):
    assert count_words(text) == words


@pytest.mark.parametrize(
    ("text", "time"),
    [("", "0 minutes"), ("word", "1 minute"), ("word " * 1250, "5 minutes"), ("雨" * 1001, "3 minutes")],
)
def test_the_reading_time_is_in_whole_minutes(text, time):
    assert reading_time([text]) == time
