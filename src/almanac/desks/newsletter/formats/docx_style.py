"""Word styles, page setup and the XML elements that python-docx has no call for: links, bookmarks, numbering."""

from typing import TYPE_CHECKING

from almanac.desks.newsletter.formats.export_file import PaperSize
from almanac.desks.newsletter.formats.publication import FrontMatter
from almanac.kit.catalogs import base_language
from almanac.kit.lazy import lazy_module

if TYPE_CHECKING:
    import docx.enum.text
    import docx.oxml
    import docx.oxml.ns
    import docx.shared
    from docx.document import Document
    from docx.oxml.xmlchemy import BaseOxmlElement
    from docx.styles.style import ParagraphStyle
else:
    docx = lazy_module("docx")
if TYPE_CHECKING:
    import docx.opc.constants
    import docx.shared
    from docx.document import Document
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run
else:
    docx = lazy_module("docx")

INK, QUIET, ACCENT = "1D2125", "5C6670", "14566B"
_PAPERS = {PaperSize.A4: (210, 297), PaperSize.LETTER: (215.9, 279.4)}
_SIDE, _TOP = 30, 28
_SERIF = "Georgia"
# A Chinese font would give Japanese and Korean characters their Chinese shapes.
_CHINESE_FONT, _ASIAN_FONTS = "Microsoft YaHei", {"ja": "Yu Gothic", "ko": "Malgun Gothic"}
_LANGUAGES = {"en": "en-GB", "zh": "zh-CN", "ms": "ms-MY", "ja": "ja-JP", "ko": "ko-KR", "ar": "ar-SA", "fr": "fr-FR"}
# Style, size in points, colour, space before and after in points.
_STYLES = [
    ("Normal", 10.5, INK, 0, 8),
    ("Title", 26, INK, 0, 6),
    ("Subtitle", 13, QUIET, 0, 6),
    ("Heading 1", 18, INK, 26, 8),
    ("Heading 2", 13.5, INK, 16, 6),
    ("Heading 3", 11.5, INK, 12, 4),
    ("Heading 4", 10.5, INK, 12, 4),
    ("Heading 5", 10.5, INK, 12, 4),
    ("Quote", 10.5, QUIET, 0, 8),
    ("Footer", 8.5, QUIET, 0, 0),
]


def apply_styles(document: "Document", front: FrontMatter, paper: PaperSize) -> None:
    """Set the page, styles, language and footer of a new document."""
    _set_page(document, paper)
    for name, size, colour, before, after in _STYLES:
        style = document.styles[name]
        _set_font(style, size, colour, _ASIAN_FONTS.get(base_language(front.language), _CHINESE_FONT))
        style.paragraph_format.space_before = docx.shared.Pt(before)
        style.paragraph_format.space_after = docx.shared.Pt(after)
    document.styles["Normal"].paragraph_format.line_spacing = 1.3
    document.styles["Quote"].paragraph_format.left_indent = docx.shared.Mm(8)
    _drop_rule(document.styles["Title"])
    _set_language(document, front.language)
    _set_footer(document, front.title, paper)


def xml_element(name: str, **attributes: str) -> "BaseOxmlElement":
    """An element of Word's XML; `w_val="x"` becomes the attribute `w:val`."""
    element = docx.oxml.OxmlElement(name)
    for attribute, value in attributes.items():
        element.set(docx.oxml.ns.qn(attribute.replace("_", ":", 1)), value)
    return element


def _set_page(document: "Document", paper: PaperSize) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = (docx.shared.Mm(side) for side in _PAPERS[paper])
    section.left_margin = section.right_margin = docx.shared.Mm(_SIDE)
    section.top_margin = section.bottom_margin = docx.shared.Mm(_TOP)


def _set_font(style: "ParagraphStyle", size: float, colour: str, asian_font: str) -> None:
    style.font.name, style.font.size = _SERIF, docx.shared.Pt(size)
    style.font.color.rgb = docx.shared.RGBColor.from_string(colour)
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(docx.oxml.ns.qn(f"w:{theme}"), None)
    fonts.set(docx.oxml.ns.qn("w:eastAsia"), asian_font)


def _drop_rule(style: "ParagraphStyle") -> None:
    """Remove the line that Word draws below a title."""
    for rule in style.element.findall(".//" + docx.oxml.ns.qn("w:pBdr")):
        rule.getparent().remove(rule)


def _set_language(document: "Document", tag: str) -> None:
    """Set the language of the spell checker. Word wants a region, so a bare language gets its usual one."""
    full = tag if "-" in tag else _LANGUAGES.get(tag.lower(), tag)
    properties = document.styles["Normal"].element.get_or_add_rPr()
    properties.append(xml_element("w:lang", w_val=full, w_eastAsia=full, w_bidi=full))


def _set_footer(document: "Document", title: str, paper: PaperSize) -> None:
    """Title on the left and page number on the right, in a field that Word fills in."""
    width = docx.shared.Mm(_PAPERS[paper][0] - 2 * _SIDE)
    tabs = document.styles["Footer"].paragraph_format.tab_stops
    tabs.clear_all()
    tabs.add_tab_stop(width, docx.enum.text.WD_TAB_ALIGNMENT.RIGHT)
    paragraph = document.sections[0].footer.paragraphs[0]
    paragraph.text = f"{title}\t"
    number = xml_element("w:instrText")
    number.text = "PAGE"
    for part in (
        xml_element("w:fldChar", w_fldCharType="begin"),
        number,
        xml_element("w:fldChar", w_fldCharType="end"),
    ):
        paragraph.add_run()._r.append(part)  # noqa: SLF001 # the library has no call for fields


def add_link(paragraph: "Paragraph", address: str, text: str) -> "Run":
    """Add a run that links to an address."""
    relation = paragraph.part.relate_to(address, docx.opc.constants.RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    return _add_hyperlink(paragraph, text, r_id=relation)


def add_bookmark_link(paragraph: "Paragraph", bookmark: str, text: str) -> "Run":
    """Add a run that links to a bookmark in the same file."""
    return _add_hyperlink(paragraph, text, w_anchor=bookmark)


def add_bookmark(paragraph: "Paragraph", name: str, number: int) -> None:
    """Bookmark a paragraph, so that links can point to it."""
    paragraph._p.append(xml_element("w:bookmarkStart", w_id=str(number), w_name=name))  # noqa: SLF001 # see above
    paragraph._p.append(xml_element("w:bookmarkEnd", w_id=str(number)))  # noqa: SLF001 # see above


def add_numbering(document: "Document", style: str, start: int) -> int:
    """Add a numbering in the format of a style, starting at `start`; without it a list continues the last one."""
    numbering = document.part.numbering_part.element
    base = document.styles[style].element.pPr.numPr.numId.val
    abstract = numbering.num_having_numId(base).abstractNumId.val
    number = numbering.add_num(abstract)
    number.add_lvlOverride(ilvl=0).add_startOverride(start)
    return int(number.numId)


def set_numbering(paragraph: "Paragraph", numbering: int) -> None:
    """Number a paragraph with a numbering."""
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()  # noqa: SLF001 # see above
    properties.get_or_add_ilvl().val = 0
    properties.get_or_add_numId().val = numbering


def set_right_to_left(paragraph: "Paragraph") -> None:
    """Set a paragraph and its runs right to left."""
    paragraph._p.get_or_add_pPr().append(xml_element("w:bidi"))  # noqa: SLF001 # see above
    for run in paragraph.runs:
        run.font.rtl = True


def _add_hyperlink(paragraph: "Paragraph", text: str, **target: str) -> "Run":
    link = xml_element("w:hyperlink", **target)
    run = paragraph.add_run(text)
    link.append(run._r)  # noqa: SLF001 # see above
    paragraph._p.append(link)  # noqa: SLF001 # see above
    run.font.color.rgb = docx.shared.RGBColor.from_string(ACCENT)
    return run
