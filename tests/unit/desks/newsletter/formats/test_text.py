"""Plain text export, wrapped by the rules of its language."""

from almanac.desks.newsletter.formats.plain_text import render_text, text_width, wrap_text

EXPECTED = """\
Rain & the price of goats
=========================
Climate Desk · 26 January 2026 · For researchers

Dearer goats


Introduction
------------

Rain came early to the western highlands. [1] Herders in Garissa and
Moyale sold goats at 8,400 shillings. [1, 2]

The rest is a matter of river gauges <https://rivers.example.org/juba>.


Main Content
------------

Odds, not promises

One.
Two.

- Plant sorghum. [2, 3]
  - Where rain is least certain.
- Move fodder.

1. First
2. Second

> Those who sold early were wrong.

Market   Goats
Garissa  8,400
Moyale   7,950

* * *

The last word. [4]


References
----------

[1] Seasonal outlook · Climate Centre · 26 January 2026
    https://climate.example.org/outlook?a=1&b=2

[2] Livestock prices recover · Market Monitor · 26 January 2026
    https://markets.example.org/garissa

[3] Food security bulletin · Working Group

[4] 索马里州干旱评估 · 区域气候中心
    https://climate.example.org/zh
"""


def test_an_issue_reads_well_as_text(weekly):
    assert render_text(weekly) == EXPECTED


def test_a_wide_table_names_each_cell(issue):
    cell = "quite a long cell of a table"
    text = render_text(issue(f"| Market | Remark | Other |\n|---|---|---|\n| {cell} | {cell} | {cell} |"))
    assert f"- Market: {cell}\n  Remark: {cell}\n  Other: {cell}\n" in text


def test_an_address_is_never_broken(issue):
    address = "https://example.org/" + "long/" * 40
    assert address in render_text(issue(f"See <{address}> for more."))


def test_chinese_is_wrapped_by_width_and_no_line_begins_with_a_stop():
    lines = wrap_text("雨水提前到来，价格随之上涨。" * 20, 72)
    assert all(60 < text_width(line) <= 76 for line in lines[:-1])
    assert not [line for line in lines if line[0] in "，。"]


def test_words_and_dates_are_in_the_language_of_the_issue(issue):
    assert "2026年1月26日 · 读者：农民" in render_text(issue(language="zh", audience="农民"))
    assert "26 Januari 2026 · Untuk petani" in render_text(issue(language="ms", audience="petani"))
    assert "\n参考资料\n" in render_text(issue("雨。[@outlook]", language="zh"))
