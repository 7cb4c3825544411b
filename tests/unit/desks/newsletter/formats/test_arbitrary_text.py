"""Any text is exported word for word in every format."""

import re
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import html

from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.publication_builder import clean_text

ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"})
INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
SCRIPTS = "abcXYZ 0189 .,;:!?-—–“”‘’'\"()[]{}<>&%$#@*_`~^|\\/+=\n äöéñçŁİ 雨水东非。 ድሬዳዋ 한국 日本の αβγ кси 🌾🐫"

anything = st.text(st.characters(codec="utf-8"), max_size=300)
likely = st.text(st.sampled_from(SCRIPTS), max_size=600)
relaxed = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
few = settings(relaxed, max_examples=15)


def bare(text: str) -> str:
    """Without spaces and marks that no reader sees; what is compared is what is read."""
    text = INVISIBLE.sub("", clean_text(text))
    return "".join(c for c in text if not c.isspace() and unicodedata.category(c) not in {"Cc", "Zl", "Zp"})


def as_typed(text: str) -> str:
    """The text as Markdown in which every sign stands for itself."""
    return re.sub(r"\s+", " ", clean_text(text)).strip().translate(ESCAPED)


@relaxed
@given(anything)
def test_as_html_for_mail_and_web(issue, text):
    publication = issue(f"Start {as_typed(text)} end.", title=f"Title {text}")
    for wanted in (ExportFormat.HTML, ExportFormat.WEB):
        read = bare(html.fromstring(export_issue(publication, wanted).content).text_content())
        assert bare(f"Start {text} end.") in read
        assert bare(f"Title {text}") in read


@relaxed
@given(anything)
def test_as_plain_text(issue, text):
    assert bare(f"Start {text} end.") in bare(
        export_issue(issue(f"Start {as_typed(text)} end."), ExportFormat.TEXT).content.decode()
    )


@few
@given(anything)
def test_as_a_word_file(issue, word_text, text):
    publication = issue(f"Start {as_typed(text)} end.")
    assert bare(f"Start {text} end.") in bare(word_text(export_issue(publication, ExportFormat.DOCX).content))


@relaxed
@given(anything)
def test_as_markdown_and_back(issue, text):
    publication = issue(f"Start {as_typed(text)} end.")
    written = export_issue(publication, ExportFormat.MARKDOWN).content.decode()
    assert issue(written.split("## News\n\n")[1]).sections[0].blocks == publication.sections[0].blocks


@relaxed
@given(likely)
def test_as_a_pdf(issue, pdf_pages, text):
    publication = issue(f"Start {as_typed(text)} end.")
    export = export_issue(publication, ExportFormat.PDF)
    read = bare("".join(re.sub(r"Title \d+ / \d+$", "", page) for page in pdf_pages(export.content)))
    expected = bare(f"Start {text} end.".replace("🌾", "[ear of rice]").replace("🐫", "[bactrian camel]"))
    assert expected in read
    assert bool(export.notes) == bool(set(text) & {"🌾", "🐫"})


@pytest.mark.parametrize("wanted", ExportFormat)
@few
@given(text=anything)
def test_no_text_breaks_a_writer(issue, wanted, text):
    assert export_issue(issue(text + "\n\nThe end.", title=text, name=text), wanted).content
