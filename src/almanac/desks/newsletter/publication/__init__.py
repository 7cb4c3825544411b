"""A finished issue as a typed tree with numbered references: what every export is written from.

Pure: from the text of a draft and the facts of its sources to a `Publication`. How one is written is left to `exports`.
"""

from almanac.desks.newsletter.publication.assembly import DanglingReferences, publication_of
from almanac.desks.newsletter.publication.tree import (
    Block,
    Citation,
    DraftSection,
    FrontMatter,
    Heading,
    LineBreak,
    ListBlock,
    Paragraph,
    Publication,
    Quote,
    Reference,
    Rule,
    Section,
    Source,
    Span,
    Table,
    Text,
)

__all__ = [
    "Block",
    "Citation",
    "DanglingReferences",
    "DraftSection",
    "FrontMatter",
    "Heading",
    "LineBreak",
    "ListBlock",
    "Paragraph",
    "Publication",
    "Quote",
    "Reference",
    "Rule",
    "Section",
    "Source",
    "Span",
    "Table",
    "Text",
    "publication_of",
]
