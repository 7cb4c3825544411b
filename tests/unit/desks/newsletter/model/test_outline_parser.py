"""Pasted outlines are parsed: Markdown, numbers, indentation, plain lines."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.desks.newsletter.model.outline_parser import parse_outline
from almanac.errors import InputError


def read(text):
    return [(section.name, [item.title for item in section.items]) for section in parse_outline(text)]


WANTED = [("News", ["Rain", "Prices"]), ("Outlook", ["Forecast"])]


@pytest.mark.parametrize(
    "text",
    [
        "## News\n- Rain\n- Prices\n## Outlook\n- Forecast",
        "# The title\n\n## News\n\n* Rain\n* Prices\n\n## Outlook\n\n* Forecast\n",
        "# News\n## Rain\n## Prices\n# Outlook\n## Forecast",
        "1. News\n   1.1 Rain\n   1.2 Prices\n2. Outlook\n   2.1 Forecast",
        "1. News\n1.1 Rain\n1.2 Prices\n2. Outlook\n2.1 Forecast",
        "1) News\n\ta) Rain\n\tb) Prices\n2) Outlook\n\ta) Forecast",
        "- News\n  - Rain\n  - Prices\n- Outlook\n  - Forecast",
        "News\n    Rain\n    Prices\nOutlook\n    Forecast",
        "News\n- Rain\n- Prices\nOutlook\n- Forecast",
        "1\tNews\n1.1\tRain\n1.2\tPrices\n2\tOutlook\n2.1\tForecast",
        "News\n‣ Rain\n▪ Prices\nOutlook\n◦ Forecast",
        "• News\n\to\tRain\n\to\tPrices\n• Outlook\n\to\tForecast",
        "News\n— Rain\n— Prices\nOutlook\n— Forecast",
        "I. News\n  (a) Rain\n  (b) Prices\nII. Outlook\n  (a) Forecast",
        "一、News\n　（１）Rain\n　（２）Prices\n二、Outlook\n　①Forecast",
        "**News:**\n- [ ] Rain\n- [x] *Prices*\n\n---\n\n**Outlook:**\n- Forecast",
    ],
)
def test_the_same_outline_is_read_from_every_form(text):
    assert read(text) == WANTED


def test_text_below_an_item_describes_it():
    (section,) = parse_outline("## News\n- Rain\n  In the north it was dry.\n- Prices")
    assert [(item.title, item.description) for item in section.items] == [
        ("Rain", "In the north it was dry."),
        ("Prices", ""),
    ]


def test_other_scripts_are_read_alike():
    assert read("1．はじめに\n　・雨\n2．まとめ") == [("はじめに", ["雨"]), ("まとめ", [])]


def test_a_number_that_belongs_to_the_words_stays():
    assert read("3 ways to save water\n2026 in figures") == [("3 ways to save water", []), ("2026 in figures", [])]


def test_lines_alone_are_sections():
    assert read("News\nOutlook\n") == [("News", []), ("Outlook", [])]


@given(st.text(max_size=400) | st.text("#-*+ 1.a)\t\n:", max_size=60))
def test_anything_is_read_or_refused_with_a_sentence(text):
    sections = ()
    with suppress(InputError):
        sections = parse_outline(text)
    assert all(section.name.strip() for section in sections)
    assert all(item.title.strip() for section in sections for item in section.items)
