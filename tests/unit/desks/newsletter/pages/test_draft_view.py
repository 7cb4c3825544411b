"""The draft as the page shows it: uncovered words are marked where they stand, whatever Markdown is around them."""

import pytest

from almanac.desks.newsletter.model.draft import DraftSection, ReferenceMove
from almanac.desks.newsletter.model.verification import CheckedSection
from almanac.desks.newsletter.pages.draft_view import CitedReferences, ReferenceNumbering, StyledRun, view_section
from almanac.verify import CheckedClaim, ClaimFinding, FindingKind, Verdict, VerificationReport
from almanac.verify.markers import read_claims


def view(text, *uncovered):
    """A section of one sentence in which these words are carried by nothing."""
    (placed,) = read_claims(text)
    spans = tuple((placed.claim.text.index(words), placed.claim.text.index(words) + len(words)) for words in uncovered)
    checked = CheckedClaim(
        text=placed.claim.text,
        start=placed.start,
        end=placed.end,
        references=placed.claim.references,
        verdict=Verdict.UNCONFIRMED,
        findings=(ClaimFinding(kind=FindingKind.UNCOVERED, found=uncovered[0], reason="Nothing says it."),),
        uncovered=spans,
    )
    section = DraftSection(id="s", key="s", name="News", text=text)
    (block,) = view_section(
        CheckedSection(section, VerificationReport((checked,)), ("key",)), CitedReferences({}), ReferenceNumbering(())
    ).blocks
    return [stretch for stretch in block.stretches if stretch.word]


@pytest.mark.parametrize(
    ("text", "uncovered"),
    [
        ("Western Grid is bankrupt. [@a]", ["bankrupt"]),
        ("- Western **Grid** is *soon*   bankrupt [@a].", ["soon", "bankrupt"]),
        ("The [grid is bankrupt](https://example.org/bankrupt) [@b] today. [@a]", ["bankrupt", "today"]),
        ("西部电网已经破产。[@a]", ["破产"]),
    ],
)
def test_uncovered_words_are_marked_in_the_sentence(text, uncovered):
    (sentence,) = view(text, *uncovered)
    runs = [piece for piece in sentence.pieces if isinstance(piece, StyledRun)]
    assert [run.text for run in runs if run.uncovered] == uncovered
    assert sentence.word == "Read this"
    assert f"“{uncovered[0]}”" in sentence.reason


def test_a_moved_reference_is_told_by_its_numbers():
    text = "The ministry opened 14 boreholes. [@b]"
    (placed,) = read_claims(text)
    checked = CheckedClaim(
        text=placed.claim.text, start=placed.start, end=placed.end, references=("b",), verdict=Verdict.SUPPORTED
    )
    move = ReferenceMove(sentence=placed.claim.text, old="a", new="b")
    section = DraftSection(id="s", key="s", name="News", text=text, moves=(move,))
    viewed = view_section(
        CheckedSection(section, VerificationReport((checked,)), ("key",)),
        CitedReferences({}),
        ReferenceNumbering(("b", "c", "a")),
    )
    assert viewed.blocks[0].stretches[0].move == "Reference moved from [3] to [1], which says it."
