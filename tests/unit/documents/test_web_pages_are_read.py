"""Of a web page the article is read, without its surroundings, whatever its markup is like."""

import pytest

from almanac.documents.html import html_blocks
from almanac.documents.model import ReadRequest
from almanac.documents.reader import read_document

MENU = "".join(f'<li><a href="/{name.lower()}">{name}</a></li>' for name in ("Home", "Politics", "Sport", "Weather"))


def page(paragraph, body=""):
    article = "".join(f"<p>{paragraph(i)}</p>" for i in range(3))
    return f"""<!doctype html><html lang="en"><head><title>Bridge mended | The Daily Ward</title>
    <meta property="article:published_time" content="2026-02-03T10:00:00Z">
    <script>var secret = "tracking"</script></head>
    <body><header><nav><ul>{MENU}</ul></nav></header>
    <main><article><h1>Bridge mended at last</h1>{article}<h2>What comes next</h2><p>{paragraph(9)}</p>
    <ul><li>Planks are replaced in March.</li></ul>
    <table><tr><th>Crop</th><th>Tonnes</th></tr><tr><td>Maize</td><td>1.2</td></tr></table>{body}</article></main>
    <aside><h3>Most read</h3><a href="/x">Ten things about goats</a></aside>
    <footer>© 2026 The Daily Ward. Subscribe to our newsletter. Cookie settings</footer></body></html>"""


def read_page(text, **errand):
    (document,) = read_document(text.encode(), ReadRequest(name="page.html", **errand)).documents
    return document, "\n\n".join(piece.text for piece in document.pieces)


def test_the_article_is_kept_and_its_surroundings_are_not(paragraph):
    document, words = read_page(page(paragraph), url="https://example.org/bridge")
    assert (document.title, str(document.published), document.language) == ("Bridge mended at last", "2026-02-03", "en")
    assert document.url == "https://example.org/bridge"
    for kept in (paragraph(0), paragraph(9), "Planks are replaced in March.", "Maize | 1.2"):
        assert kept in words
    for left_out in ("Politics", "goats", "Cookie", "secret", "Subscribe"):
        assert left_out not in words


def test_headings_become_paths(paragraph):
    document, _ = read_page(page(paragraph))
    assert ("Bridge mended at last", "What comes next") in [tuple(piece.heading) for piece in document.pieces]


def test_a_page_with_few_words_is_read_whole():
    document, words = read_page("<html><title>Notice</title><body><p>The office is closed on Friday.</p></body></html>")
    assert (document.title, words) == ("Notice", "The office is closed on Friday.")


def test_broken_markup_is_read_as_a_browser_would():
    _, words = read_page("<html><p>One <b>bold<p>two<table><tr><td>cell<td>next</table><div>three</p>")
    assert words == "One bold\n\ntwo\n\ncell | next\n\nthree"


def test_scripts_never_become_words():
    _, words = read_page("<html><body><p>Safe words here.</p><script>alert(1)</script><style>p{}</style></body></html>")
    assert words == "Safe words here."


def test_a_cell_is_read_as_a_page_is():
    row = "<td>H<sub>2</sub>O<script>alert(1)</script></td><td><p>One</p><p>two<br>three</p><nav>Menu</nav></td>"
    assert [block.text for block in html_blocks(f"<table><tr>{row}</tr></table>")] == ["H2O | One two three"]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<ul><li>Outer item<ul><li>Inner item</li></ul></li></ul>", "Outer item\n\nInner item"),
        (
            "<blockquote>Before it <p>A quoted paragraph.</p> and after it</blockquote>",
            "Before it\n\nA quoted paragraph.\n\nand after it",
        ),
    ],
)
def test_what_is_inside_something_alike_is_said_once(markup, expected, paragraph):
    body = f"<article><h1>Bridge</h1><p>{paragraph(1, 3)}</p>{markup}<p>{paragraph(2, 3)}</p></article>"
    _, words = read_page(f"<html><head><title>Bridge</title></head><body>{body}</body></html>")
    assert words == f"{paragraph(1, 3)}\n\n{expected}\n\n{paragraph(2, 3)}"


def test_words_are_read_as_deep_as_the_parser_goes():
    assert [block.text for block in html_blocks("<div>" * 240 + "deep" + "</div>" * 240)] == ["deep"]


def test_markup_in_words_stays_words():
    _, words = read_page("<html><body><p>Use &lt;script&gt;alert(1)&lt;/script&gt; with care.</p></body></html>")
    assert words == "Use <script>alert(1)</script> with care."


def test_a_deeply_nested_page_is_no_danger():
    depth = 30_000
    _, words = read_page(f"<html><body><p>Top.</p>{'<div>' * depth}deep{'</div>' * depth}</body></html>")
    assert words.startswith("Top.")
