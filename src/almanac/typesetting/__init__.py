"""Sets a PDF by typst from a template and data; what stands in it is for whoever brings both."""

from almanac.typesetting.breaking import breakable
from almanac.typesetting.fonts import is_east_asian, sans_families, text_families
from almanac.typesetting.pdf import SetPdf, set_pdf

__all__ = ["SetPdf", "breakable", "is_east_asian", "sans_families", "set_pdf", "text_families"]
