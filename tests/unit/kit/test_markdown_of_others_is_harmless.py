"""Markdown that others wrote: its marks become HTML, nothing in it runs or loads, and no word is lost."""

import pytest

from almanac.kit.markdown import markdown_text, render_markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("ただの文。", "<p>ただの文。</p>"),
        ("**太字**と*斜体*", "<p><strong>太字</strong>と<em>斜体</em></p>"),
        ("**「予算」**が**（補正）**で", "<p><strong>「予算」</strong>が<strong>（補正）</strong>で</p>"),
        ("- 一\n- 二", "<ul><li>一</li><li>二</li></ul>"),
        ("# 見出し", "<h3>見出し</h3>"),
        ("一行\n二行", "<p>一行<br>二行</p>"),
        ("[詳細](https://a.example/?b=1&c=2)", '<a href="https://a.example/?b=1&amp;c=2" rel="noreferrer nofollow">'),
        ("| 党 | 数 |\n|---|---|\n| 甲 | 1 |", "<td>甲</td>"),
    ],
)
def test_marks_become_html(text, html):
    assert html in render_markdown(text)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](//other.example/a)",
        "<javascript:alert(1)>",
        '[x](https://a.example/" onclick="alert(1))',
        "![p](https://tracker.example/p.png)",
        "**<b onclick=alert(1)>**",
    ],
)
def test_nothing_runs_and_nothing_is_loaded(text):
    html = render_markdown(text)
    for opened in ("<script", "<img", "<b ", 'href="javascript', 'href="data', 'href="//', ' onclick="'):
        assert opened not in html.lower()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**「予算」**を[可決](https://a.example)。", "「予算」を可決。"),
        ("- 一\n- 二", "一 二"),
        ("# 題\n\n本文", "題 本文"),
        ("2 < 3 & 4", "2 < 3 & 4"),
        ("ただの文。", "ただの文。"),
    ],
)
def test_plain_words_have_no_marks(text, words):
    assert markdown_text(text) == words


def test_a_text_nested_beyond_measure_keeps_its_words():
    assert "最後" in render_markdown(">" * 200 + " 最後")
