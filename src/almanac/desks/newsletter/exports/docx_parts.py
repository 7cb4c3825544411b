"""What Word has and python-docx has no call for: links, bookmarks, numbered lists that begin anew, right to left."""

from typing import TYPE_CHECKING

from almanac.desks.newsletter.exports.docx_look import ACCENT, element
from almanac.kit.lazy import lazy_module

if TYPE_CHECKING:
    import docx.opc.constants
    import docx.shared
    from docx.document import Document
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run
else:
    docx = lazy_module("docx")


def link_to_address(paragraph: "Paragraph", address: str, text: str) -> "Run":
    """A run that opens an address."""
    relation = paragraph.part.relate_to(address, docx.opc.constants.RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    return _linked(paragraph, text, r_id=relation)


def link_to_bookmark(paragraph: "Paragraph", bookmark: str, text: str) -> "Run":
    """A run that leads to another place in the same file."""
    return _linked(paragraph, text, w_anchor=bookmark)


def bookmark(paragraph: "Paragraph", name: str, number: int) -> None:
    """Names a paragraph, so that a link can lead to it."""
    paragraph._p.append(element("w:bookmarkStart", w_id=str(number), w_name=name))  # noqa: SLF001 # see above
    paragraph._p.append(element("w:bookmarkEnd", w_id=str(number)))  # noqa: SLF001 # see above


def numbering_from(document: "Document", style: str, start: int) -> int:
    """A new numbering in the form of a style, that begins at `start`; without one, a list would go on counting."""
    numbering = document.part.numbering_part.element
    base = document.styles[style].element.pPr.numPr.numId.val
    abstract = numbering.num_having_numId(base).abstractNumId.val
    number = numbering.add_num(abstract)
    number.add_lvlOverride(ilvl=0).add_startOverride(start)
    return int(number.numId)


def number_by(paragraph: "Paragraph", numbering: int) -> None:
    """Counts a paragraph in a numbering."""
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()  # noqa: SLF001 # see above
    properties.get_or_add_ilvl().val = 0
    properties.get_or_add_numId().val = numbering


def set_right_to_left(paragraph: "Paragraph") -> None:
    """A paragraph that begins at the right, and the runs in it."""
    paragraph._p.get_or_add_pPr().append(element("w:bidi"))  # noqa: SLF001 # see above
    for run in paragraph.runs:
        run.font.rtl = True


def _linked(paragraph: "Paragraph", text: str, **target: str) -> "Run":
    link = element("w:hyperlink", **target)
    run = paragraph.add_run(text)
    link.append(run._r)  # noqa: SLF001 # see above
    paragraph._p.append(link)  # noqa: SLF001 # see above
    run.font.color.rgb = docx.shared.RGBColor.from_string(ACCENT)
    return run
