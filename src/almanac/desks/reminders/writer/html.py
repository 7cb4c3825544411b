"""The letter's text as a plain and quiet HTML part, for readers whose mail program prefers one. It adds no words."""

import re
from html import escape

LONGEST = 90_000
_BODY = "margin:0;padding:24px;background:#ffffff;color:#1a1a1a"
_COLUMN = "max-width:36em;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
_PARAGRAPHS = re.compile(r"\n\s*\n")


def letter_html(text: str, language: str = "en") -> str | None:
    """Paragraphs and lines as they are in the text; None for a letter too long to be worth it."""
    paragraphs = [part.strip("\n") for part in _PARAGRAPHS.split(text.strip()) if part.strip()]
    inner = "\n".join(f'<p style="margin:0 0 1em">{_lines(part)}</p>' for part in paragraphs)
    page = (
        f'<!doctype html>\n<html lang="{escape(language, quote=True)}">\n<head><meta charset="utf-8"></head>\n'
        f'<body style="{_BODY}">\n<div style="{escape(_COLUMN, quote=True)}">\n{inner}\n</div>\n</body>\n</html>\n'
    )
    return page if len(page.encode()) <= LONGEST else None


def _lines(paragraph: str) -> str:
    return "<br>\n".join(escape(line.rstrip()) for line in paragraph.splitlines())
