"""Writes a PDF of an issue from its data; how a PDF is set is for almanac.typesetting."""

from functools import cache
from importlib.resources import files

from almanac.desks.newsletter.exports.model import Export, Format, Paper, export_as
from almanac.desks.newsletter.exports.pdf_data import PdfData
from almanac.desks.newsletter.publication import Publication
from almanac.typesetting import set_pdf


def write_pdf(publication: Publication, paper: Paper = Paper.A4) -> Export:
    """The issue on paper. This computes, for long issues for seconds: on the event loop, call it in a thread."""
    made = set_pdf(_template(), lambda signs: PdfData(publication, paper, signs).encoded(), publication.front.date)
    return export_as(Format.PDF, made.content, publication, made.notes)


@cache
def _template() -> bytes:
    return (files(__package__) / "templates" / "issue.typ").read_bytes()
