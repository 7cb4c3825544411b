"""The length of an issue is divided completely among its sections."""

import pytest

from almanac.desks.newsletter.model.configuration import LENGTHS, Configuration
from almanac.desks.newsletter.model.outline import DEFAULT_SECTIONS, NewsletterOutlineSection, SectionItem
from almanac.desks.newsletter.pipeline.draft import section_word_count

OPENING, *BODY, CLOSE = DEFAULT_SECTIONS


def outline(*sections):
    """Sections by name and number of items."""
    return [
        NewsletterOutlineSection(
            id=name, name=name, items=tuple(SectionItem(id=f"{name} {at}", title="A") for at in range(items))
        )
        for name, items in sections
    ]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    "sections",
    [
        [("News", 1)],
        [(OPENING, 1), (BODY[0], 1), (CLOSE, 1)],
        [(OPENING, 1), (BODY[0], 1), (BODY[2], 1), (CLOSE, 1)],
        [(OPENING, 1), (BODY[0], 8), (BODY[1], 1), (CLOSE, 1)],
        [(name, 1) for name in DEFAULT_SECTIONS],
        [("Rains", 2), ("Prices", 0), ("Grants", 3)],
    ],
)
def test_all_sections_together_are_as_long_as_was_asked_for(length, sections):
    planned, wanted = outline(*sections), LENGTHS[length]
    configuration = Configuration(title="A", length_preference=length)
    words = sum(section_word_count(configuration, section, planned) for section in planned)
    middle = (wanted.fewest + wanted.most) // 2
    assert middle - len(planned) <= words <= wanted.most


def test_a_section_with_more_items_is_longer_and_opening_and_close_are_short():
    planned = outline((OPENING, 1), (BODY[0], 4), (BODY[1], 1), (CLOSE, 1))
    opening, long, short, close = (
        section_word_count(Configuration(title="A"), section, planned) for section in planned
    )
    assert opening == close < short < long
