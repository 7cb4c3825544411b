"""Cells of files that spreadsheets open: no text of ours begins a formula, and what was written is read back."""

_BEGINS = ("=", "@", "+", "\t", "\r")


def harmless_cell(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if _is_formula(text) else text


def original_text(cell: str) -> str:
    """What a harmless cell stands for."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def _is_formula(text: str) -> bool:
    """A sign before a digit is a number, and stays one."""
    return text.startswith(_BEGINS) or (text.startswith("-") and not text[1:2].isdigit())
