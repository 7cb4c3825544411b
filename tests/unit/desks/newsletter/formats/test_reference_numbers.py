"""References are numbered in the order of first citation, and listed once."""

import datetime as dt

import pytest

from almanac.desks.newsletter.formats.publication import (
    Citation,
    CitedSource,
    FrontMatter,
    MarkdownSection,
    Paragraph,
    iterate_spans,
)
from almanac.desks.newsletter.formats.publication_builder import DanglingReferences, build_publication
from almanac.errors import InputError

FRONT = FrontMatter("Title", "NL-20260126-A1B2", dt.date(2026, 1, 26))


def read(*texts: str, sources: dict[str, CitedSource] | None = None):
    citable = sources or {name: CitedSource(name.upper(), url=f"https://example.org/{name}") for name in "abcd"}
    return build_publication(
        FRONT, [MarkdownSection(str(n), f"Section {n}", text) for n, text in enumerate(texts)], citable
    )


def numbers(publication) -> list[tuple[int, ...]]:
    blocks = [block for section in publication.sections for block in section.blocks]
    return [span.numbers for span in iterate_spans(tuple(blocks)) if isinstance(span, Citation)]


def test_numbers_follow_first_appearance_across_sections():
    publication = read("One. [@c] Two. [@a]", "Three. [@c] Four. [@b]")
    assert numbers(publication) == [(1,), (2,), (1,), (3,)]
    assert [(r.number, r.chunk_id) for r in publication.references] == [(1, "c"), (2, "a"), (3, "b")]


@pytest.mark.parametrize("marker", ["[@a][@b]", "[@a] [@b]", "[@a; @b]", "[@a, @b]", "[ @a;@b ]", "[@b][@a][@b]"])
def test_several_markers_become_one_citation(marker):
    first = read(f"One. {marker}")
    assert numbers(first) == [(1, 2)]
    assert {r.chunk_id for r in first.references} == {"a", "b"}


def test_a_source_that_nobody_cites_is_not_listed():
    assert [r.chunk_id for r in read("One. [@d]").references] == ["d"]


def test_a_marker_without_a_source_is_an_error_that_names_it():
    with pytest.raises(DanglingReferences) as caught:
        read("One. [@nowhere] Two. [@a; @gone]", "Three. [@nowhere]")
    assert caught.value.markers == ("nowhere", "gone")
    assert "[@nowhere], [@gone]" in caught.value.sentence
    assert "Remove each" in caught.value.sentence


def test_markers_are_found_in_lists_quotes_tables_and_headings():
    text = "# H [@a]\n\n- item [@b]\n\n> quote [@c]\n\n| x |\n|---|\n| cell [@d] |"
    assert numbers(read(text)) == [(1,), (2,), (3,), (4,)]


def test_a_marker_in_code_or_escaped_is_text():
    publication = read("Write `[@a]` or \\[@b] after a sentence.")
    assert not publication.references
    assert isinstance(block := publication.sections[0].blocks[0], Paragraph)
    assert "".join(span.text for span in block.spans) == "Write [@a] or [@b] after a sentence."


def test_the_space_before_a_marker_goes():
    (block,) = read("One. [@a] Two.").sections[0].blocks
    assert [getattr(span, "text", span) for span in block.spans] == ["One.", Citation((1,)), " Two."]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", " vbscript:x"])
def test_a_source_with_an_unsafe_address_is_listed_without_a_link(address):
    publication = read("One. [@x]", sources={"x": CitedSource("X", url=address)})
    assert publication.references[0].source.url is None
    assert publication.notes == ("Reference 1 has an address that is not a web address; it is listed without a link.",)


def test_a_source_without_a_title_is_named_by_its_publisher():
    assert read("One. [@x]", sources={"x": CitedSource(" ", "Monitor")}).references[0].source.title == "Monitor"


def test_a_language_must_be_a_tag():
    with pytest.raises(InputError, match="tag such as en"):
        build_publication(FrontMatter("T", "NL-1", dt.date(2026, 1, 26), '"><script>'), [], {})
