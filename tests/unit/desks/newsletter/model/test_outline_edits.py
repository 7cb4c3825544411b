"""After any edits of an outline the record of modifications is exact."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.desks.newsletter.model.draft import NewsletterDraft, align_with_outline, set_human_text
from almanac.desks.newsletter.model.outline import (
    MAX_ITEMS,
    MAX_REMOVED,
    ItemEdit,
    NewsletterOutline,
    NewsletterOutlineSection,
    SectionEdit,
    SectionItem,
    add_item,
    add_section,
    edit_item,
    edit_section,
    move_item,
    move_section,
    remove_item,
    remove_section,
)
from almanac.desks.newsletter.model.outline_merge import (
    GeneratedItem,
    GeneratedSection,
    match_existing,
    merge_generated,
    replace_sections,
)
from almanac.desks.newsletter.model.outline_parser import parse_outline
from almanac.errors import InputError

WORDS = st.text("abcdefgh ", min_size=1, max_size=12).filter(str.strip)
GENERATED = st.lists(
    st.builds(
        GeneratedSection,
        st.sampled_from(["News", "Outlook", "Resources"]),
        st.lists(
            st.builds(GeneratedItem, WORDS, st.just(""), st.sampled_from([(), ("c1",), ("c2",), ("c1", "c3")])),
            max_size=4,
        ).map(tuple),
    ),
    max_size=3,
    unique_by=lambda section: section.name,
)
STEPS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 50), st.integers(0, 50), WORDS), max_size=25)


def start(generated):
    return merge_generated(
        NewsletterOutline(sections=(NewsletterOutlineSection(id="section-1", name="News"),)), generated
    )


def stepped(outline, step):
    """One edit, chosen by numbers so that it always concerns something that is there."""
    kind, first, second, words = step
    items, sections = outline.items, outline.sections
    section = sections[first % len(sections)].id if sections else None
    if kind == 0 and section:
        return add_item(outline, section, ItemEdit(title=words), position=second % 3)[0]
    if kind == 1 and items:
        return edit_item(outline, items[first % len(items)].id, ItemEdit(title=words))
    if kind == 2 and items:
        return edit_item(outline, items[first % len(items)].id, ItemEdit(included=bool(second % 2), notes=words))
    if kind == 3 and items:
        return remove_item(outline, items[first % len(items)].id)
    if kind == 4 and items and section:
        return move_item(outline, items[second % len(items)].id, section, second)
    if kind == 5 and section:
        return edit_section(outline, section, SectionEdit(name=words))
    if kind == 6 and section:
        return move_section(outline, section, second)
    return add_section(outline, words) if len(sections) < 8 else remove_section(outline, sections[-1].id)


def check(generated_ids, outline):
    """What the lists must hold, worked out from the items alone."""
    here = {item.id for item in outline.items}
    marks = outline.modifications
    assert len(here) == len(outline.items)
    assert set(marks.added) == {item.id for item in outline.items if item.source == "custom"}
    assert set(marks.removed) == generated_ids - here
    assert set(marks.edited) <= here & generated_ids
    assert {item.id for item in outline.removed_items} == set(marks.removed)
    for ids in (marks.added, marks.removed, marks.edited):
        assert len(set(ids)) == len(ids)


@given(GENERATED, STEPS)
def test_the_account_is_exact_after_any_edits(generated, steps):
    outline = start(generated)
    before = {item.id: item for item in outline.items}
    for step in steps:
        outline = stepped(outline, step)
    check(set(before), outline)
    changed = {item.id for item in outline.items if item.id in before and item != before[item.id]}
    assert changed <= set(outline.modifications.edited)


@given(GENERATED, STEPS, GENERATED)
def test_a_new_generation_keeps_everything_a_person_made(generated, steps, again):
    outline = start(generated)
    for step in steps:
        outline = stepped(outline, step)
    kept = {*outline.modifications.added, *outline.modifications.edited}
    after = merge_generated(outline, again)
    assert {item.id: item for item in outline.items if item.id in kept}.items() <= {
        item.id: item for item in after.items
    }.items()
    assert after.modifications == outline.modifications
    assert [section.id for section in outline.sections] == [
        section.id for section in after.sections[: len(outline.sections)]
    ]
    assert [
        [item.id for item in section.items if item.id in kept] for section in after.sections[: len(outline.sections)]
    ] == [[item.id for item in section.items if item.id in kept] for section in outline.sections]
    removed = {item.title.casefold() for item in outline.removed_items}
    fresh = [item for item in after.items if item.id not in {old_item.id for old_item in outline.items}]
    assert not removed & {item.title.casefold() for item in fresh}


@given(GENERATED, STEPS)
def test_sending_an_outline_back_as_it_is_changes_nothing(generated, steps):
    outline = start(generated)
    for step in steps:
        outline = stepped(outline, step)
    assert replace_sections(outline, outline.sections) == outline


@given(GENERATED, STEPS, STEPS)
def test_an_outline_sent_whole_is_accounted_for_like_single_edits(generated, steps, more):
    outline = start(generated)
    before = {item.id for item in outline.items}
    for step in steps:
        outline = stepped(outline, step)
    wanted = outline
    for step in more:
        wanted = stepped(wanted, step)
    check(before, replace_sections(outline, wanted.sections))


def test_an_edit_that_changes_nothing_is_no_edit():
    outline = start([GeneratedSection("News", (GeneratedItem("Rain"),))])
    assert edit_item(outline, outline.items[0].id, ItemEdit(title="Rain", included=True)) == outline


def test_generated_items_never_get_an_id_that_was_used_before():
    news = [GeneratedSection("News", (GeneratedItem("Rain"), GeneratedItem("Dust")))]
    first = start(news)
    gone = remove_item(first, first.items[0].id)
    again = merge_generated(gone, [GeneratedSection("News", (GeneratedItem("Wind"), GeneratedItem("Sun")))])
    assert not {item.id for item in again.items} & {item.id for item in first.items}


def removed_by_hand(outline):
    return remove_section(outline, outline.sections[-1].id)


def left_out_of_the_whole(outline):
    return replace_sections(outline, outline.sections[:-1])


@pytest.mark.parametrize("remove", [removed_by_hand, left_out_of_the_whole])
@pytest.mark.parametrize("name", ["Events", "Letters"])
def test_a_new_section_never_gets_the_text_of_a_removed_one(remove, name):
    outline = add_section(start([GeneratedSection("News")]), "Letters")
    draft = set_human_text(
        align_with_outline(NewsletterDraft(), outline.to_write), outline.sections[-1].id, "Dear readers!"
    )
    for again in (
        add_section(remove(outline), name),
        merge_generated(remove(outline), [GeneratedSection(name)]),
        replace_sections(remove(outline), [*outline.sections[:-1], NewsletterOutlineSection(id="", name=name)]),
    ):
        assert [section.text for section in align_with_outline(draft, again.to_write).sections] == ["", ""]


def test_what_is_pasted_and_there_already_stays_itself():
    rain = GeneratedItem("Rain in the north", "Little of it.", ("c1",))
    outline = start([GeneratedSection("News", (rain, GeneratedItem("Prices", "", ("c2",))))])
    outline = edit_section(outline, outline.sections[0].id, SectionEdit(notes="Short", included=False))
    pasted = parse_outline("# news\n- Rain in the North\n- Dust\n# News\n- Rain in the north")
    after = replace_sections(outline, match_existing(outline, pasted))
    news, other = after.sections
    assert (news.id, news.name, news.notes, news.included) == (outline.sections[0].id, "news", "Short", True)
    assert [(item.title, item.description, item.sources) for item in news.items] == [
        ("Rain in the North", "Little of it.", ("c1",)),
        ("Dust", "", ()),
    ]
    assert other.items[0].sources == ()
    marks = after.modifications
    assert (marks.edited, marks.removed) == ((outline.items[0].id,), (outline.items[1].id,))
    assert set(marks.added) == {news.items[1].id, other.items[0].id}


def test_the_same_outline_pasted_again_changes_nothing():
    outline = start([GeneratedSection("News", (GeneratedItem("Rain", "Little.", ("c1",)),)), GeneratedSection("More")])
    assert replace_sections(outline, match_existing(outline, parse_outline("## News\n- Rain\n## More"))) == outline


def test_two_generated_sections_of_one_name_are_one_with_the_items_of_both():
    after = start(
        [GeneratedSection("News", (GeneratedItem("Rain"),)), GeneratedSection("news", (GeneratedItem("Dust"),))]
    )
    assert [[item.title for item in section.items] for section in after.sections] == [["Rain", "Dust"]]


def test_a_full_section_takes_no_item_from_another():
    full = tuple(SectionItem(id=f"item-1-{number}", title=f"Item {number}") for number in range(MAX_ITEMS))
    outline = NewsletterOutline(
        sections=(NewsletterOutlineSection(id="a", name="A", items=full), NewsletterOutlineSection(id="b", name="B"))
    )
    outline, new = add_item(outline, "b", ItemEdit(title="One more"))
    with pytest.raises(InputError, match="at most 60 items"):
        move_item(outline, new.id, "a", 0)
    assert move_item(outline, full[0].id, "a", 5).item(full[0].id) == full[0]


def test_of_very_many_removed_items_the_latest_are_remembered():
    gone = tuple(SectionItem(id=f"item-1-{number}", title=f"Item {number}") for number in range(MAX_REMOVED))
    outline = replace(start([GeneratedSection("News", (GeneratedItem("Rain"),))]), removed_items=gone)
    after = remove_item(outline, outline.items[0].id)
    assert len(after.removed_items) == MAX_REMOVED
    assert after.removed_items[-1].title == "Rain"
