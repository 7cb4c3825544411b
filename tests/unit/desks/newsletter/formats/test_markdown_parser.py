"""Markdown drafts are parsed into blocks and spans; unsafe or unknown markup stays text."""

import pytest

from almanac.desks.newsletter.formats.publication import (
    Heading,
    HorizontalRule,
    ListBlock,
    Paragraph,
    QuoteBlock,
    TableBlock,
    TextSpan,
    iterate_spans,
    numeric_columns,
    plain_text,
)


def words(publication) -> str:
    return plain_text(tuple(iterate_spans(publication.sections[0].blocks)))


def test_every_kind_of_block_is_known(issue):
    text = "p\n\n# h\n\n- a\n\n> q\n\n| t |\n|---|\n| 1 |\n\n***"
    kinds = [type(block) for block in issue(text).sections[0].blocks]
    assert kinds == [Paragraph, Heading, ListBlock, QuoteBlock, TableBlock, HorizontalRule]


def test_styles_and_links_are_runs_of_text(issue):
    (block,) = issue("a **b** *c* ***d*** `e` [f](https://example.org/)").sections[0].blocks
    assert [span for span in block.spans if span.text.strip() and span != TextSpan("a ")] == [
        TextSpan("b", bold=True),
        TextSpan("c", italic=True),
        TextSpan("d", bold=True, italic=True),
        TextSpan("e", code=True),
        TextSpan("f", link="https://example.org/"),
    ]


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html;base64,PHN2Zz4=",
        "vbscript:x",
        "//example.org",
        "/x",
    ],
)
def test_a_link_elsewhere_than_the_web_or_mail_stays_text(issue, link):
    publication = issue(f"Read [this]({link}) and <{link}>.")
    assert not [
        span for span in iterate_spans(publication.sections[0].blocks) if isinstance(span, TextSpan) and span.link
    ]
    assert f"[this]({link})" in words(publication)


def test_raw_html_is_text(issue):
    assert words(issue("<script>alert(1)</script>\n\n<b onclick=x>bold</b>")) == (
        "<script>alert(1)</script><b onclick=x>bold</b>"
    )


def test_an_image_becomes_a_link_named_by_its_description(issue):
    (block,) = issue("![A map](https://example.org/map.png)").sections[0].blocks
    assert block.spans == (TextSpan("A map", link="https://example.org/map.png"),)


def test_what_looks_like_a_link_definition_is_kept(issue):
    assert words(issue("[prices]: https://example.org")) == "[prices]: https://example.org"


def test_a_heading_that_repeats_the_name_of_its_section_is_left_out(issue):
    assert [type(b) for b in issue("## news\n\nText.", name="News").sections[0].blocks] == [Paragraph]


def test_headings_never_skip_a_level(issue):
    blocks = issue("#### a\n\n###### b\n\n## c\n\n### d").sections[0].blocks
    assert [block.level for block in blocks] == [1, 2, 1, 2]


def test_an_empty_section_is_left_out_and_noted(issue):
    publication = issue(" \n\n ", name="Resources")
    assert publication.sections == ()
    assert publication.notes == ("The section “Resources” is empty and was left out.",)


def test_lines_of_chinese_join_without_a_space(issue):
    assert words(issue("雨水提前\n到来\nand then rain\ncame")) == "雨水提前到来 and then rain came"


@pytest.mark.parametrize("text", ["> " * 200 + "deep words", "- " * 150 + "deep words", "[" * 500 + "deep words"])
def test_nesting_without_end_loses_no_word(issue, text):
    assert "deep words" in words(issue(text))


def test_a_table_that_is_too_wide_for_a_page_becomes_a_list(issue):
    names = "abcdefgh"
    rows = ["|" + "|".join(names) + "|", "|" + "---|" * 8, "|" + "|".join("12345678") + "|"]
    (block,) = issue("\n".join(rows)).sections[0].blocks
    assert isinstance(block, ListBlock)
    assert [plain_text(p.spans) for p in block.items[0]] == [f"{name}: {n}" for n, name in enumerate(names, 1)]


def test_columns_of_figures_are_recognised(issue):
    (table,) = (
        issue("| Market | Price | Change |\n|---|---|---|\n| A | 8,400 | +12% |\n| B | 7 950 | −3% |")
        .sections[0]
        .blocks
    )
    assert numeric_columns(table) == [False, True, True]


def test_controls_and_characters_that_turn_text_round_are_dropped(issue):
    assert words(issue("a\x00b\x07c\ud800d\u202ee\ufffff")) == "abcdef"
