"""Text that looks like markup of some format is exported as text by all of them."""

import datetime as dt
import io
import re
import zipfile

import pytest
from lxml import etree, html

from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.publication import (
    CitedSource,
    FrontMatter,
    MarkdownSection,
    iterate_spans,
    plain_text,
)
from almanac.desks.newsletter.formats.publication_builder import build_publication

PROBES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style></title><svg onload=alert(1)>",
    "<!--[if mso]><p>x</p><![endif]--> ]]>",
    '#panic("x") #{1+1} $x^2$ <label> @ref',
    '#read("/etc/passwd") #import "x.typ"',
    "{{ 7 * 7 }} {% raw %} {# x #}",
    "<w:t>x</w:t> &amp; &#x41;",
    "' OR 1=1 -- \\ \\u{41} %s {0}",
]
ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"})


@pytest.fixture(params=PROBES)
def probe(request) -> str:
    return request.param


@pytest.fixture
def publication(probe):
    """The probe in every place where a text can stand."""
    typed = probe.translate(ESCAPED)
    text = f"{typed} [@a]\n\n# {typed}\n\n- {typed}\n\n> {typed}\n\n| {typed} |\n|---|\n| **{typed}** |"
    front = FrontMatter(probe, "NL-20260126-A1B2", dt.date(2026, 1, 26), "en", probe, probe, probe)
    source = CitedSource(probe, f"By {probe}", 'https://example.org/?a="><script>')
    return build_publication(front, [MarkdownSection("1", f"A {probe}", text)], {"a": source})


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", re.sub("[\u200b\u2060\ufffe\u00ad]", "", text))


def test_in_a_pdf(publication, probe, pdf_pages):
    assert (
        squeezed("".join(pdf_pages(export_issue(publication, ExportFormat.PDF).content))).count(squeezed(probe)) >= 10
    )


def test_in_a_word_file(publication, probe, word_text):
    content = export_issue(publication, ExportFormat.DOCX).content
    assert word_text(content).count(probe) >= 10
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            if name.endswith((".xml", ".rels")):
                etree.fromstring(archive.read(name))


@pytest.mark.parametrize("wanted", [ExportFormat.HTML, ExportFormat.WEB])
def test_in_html(publication, probe, wanted):
    tree = html.fromstring(export_issue(publication, wanted).content)
    assert tree.text_content().count(probe) >= 10
    assert not tree.xpath("//script | //img | //svg | //@onerror | //@onload")
    assert {element.tag for element in tree.iter() if isinstance(element.tag, str)} <= set(
        "html head meta title style body div header p h1 h2 h3 section sup a ul li blockquote table thead tbody tr th "
        "td strong span br ol main article".split()
    )


def test_in_text(publication, probe):
    assert squeezed(export_issue(publication, ExportFormat.TEXT).content.decode()).count(squeezed(probe)) >= 10


def test_in_markdown(publication, probe):
    written = export_issue(publication, ExportFormat.MARKDOWN).content.decode().replace("[^1]", "")
    again = build_publication(publication.front, [MarkdownSection("1", "Again", written)], {})
    assert plain_text(tuple(iterate_spans(again.sections[0].blocks))).count(probe) >= 10
