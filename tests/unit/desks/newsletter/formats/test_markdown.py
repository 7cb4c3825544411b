"""Markdown export, which parses back to the same publication."""

import re

import pytest

from almanac.desks.newsletter.formats.markdown import render_blocks, render_markdown

EXPECTED = """\
# Rain & the price of goats

Climate Desk · 26 January 2026 · For researchers

*Dearer goats*

## Introduction

Rain came early to the western highlands.[^1] Herders in **Garissa** and *Moyale* sold goats at 8,400 shillings.[^1][^2]

The rest is a matter of [river gauges](https://rivers.example.org/juba).

## Main Content

### Odds, not promises

One.\\
Two.

- Plant sorghum.[^2][^3]
  - Where rain is least certain.
- Move fodder.

1. First
2. Second

> Those who sold early were wrong.

| Market | Goats |
| --- | --- |
| Garissa | 8,400 |
| Moyale | 7,950 |

***

The last word.[^4]

## References

[^1]: [Seasonal outlook](https://climate.example.org/outlook?a=1&b=2). Climate Centre, 26 January 2026.

[^2]: [Livestock prices recover](https://markets.example.org/garissa). Market Monitor, 26 January 2026.

[^3]: Food security bulletin. Working Group.

[^4]: [索马里州干旱评估](https://climate.example.org/zh). 区域气候中心.
"""


def test_an_issue_reads_well_as_markdown(weekly):
    assert render_markdown(weekly) == EXPECTED


@pytest.mark.parametrize(
    "text",
    [
        "# not a heading\n\n1986\\. A year.\n\n\\- no item\n\n\\> no quote",
        "snake_case, 2 * 3 * 4, \\*stars\\*, \\_low\\_, [brackets], `code with \\``",
        "&amp;amp; &amp;lt;b&amp;gt; <b>",
        "- a\n- b\n\n* other list\n\n1. x\n\n1) y",
        "- item\n\n  more of it\n\n  > quoted\n\n  1. inner\n     - innermost\n- last",
        "> quote\n>\n> - with list\n>\n> end",
        "| a \\| b | **c** |\n|---|---|\n| `x` | y |",
        "[a](https://example.org/x_(y)) and <https://example.org/?q=1&r=2> and [b*c*](https://example.org)",
        "7. seven\n8. eight",
        "## h1\n\n### h2\n\ntext\\\nbroken",
        "\\### not one\n\n\\+ plus\n\n\\=== equals\n\nx\\\n\\# y",
    ],
)
def test_what_was_written_reads_as_before(issue, text):
    (section,) = issue(text).sections
    again = issue(render_blocks(section.blocks)).sections[0]
    assert again.blocks == section.blocks


def test_references_survive_the_way_back(weekly):
    written = render_blocks(weekly.sections[1].blocks)
    assert re.findall(r"\[\^(\d)\]", written) == ["2", "3", "4"]
