"""Cells of files that spreadsheets open: no text of ours begins a formula, and what was written is read back."""

import re

# Programs that expect Japanese or Chinese take the wide forms for the same signs.
_BEGINS = ("=", "@", "+", "-", "＝", "＠", "＋", "－", "\t", "\r", "\n")
_AMOUNT = re.compile(r"-\d[\w\s.,%€$£¥]*")


def harmless_cell(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if _is_formula(text) else text


def original_text(cell: str) -> str:
    """What a harmless cell stands for."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def _is_formula(text: str) -> bool:
    """A negative amount is none, and stays one; but only without what calls, adds up or reaches out of the cell."""
    return text.startswith(_BEGINS) and not _AMOUNT.fullmatch(text)
