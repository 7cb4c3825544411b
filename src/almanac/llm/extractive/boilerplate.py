"""What stands in articles and records without telling anything: bylines, captions, notices, courtesies, procedure."""

import re

from almanac.llm.extractive.word_lists import alternatives

_NOTICES = re.compile(rf"\b{alternatives('notices')}\b")
_LABELS = re.compile(rf"{alternatives('labels')}\s*[:：|]", re.IGNORECASE)
_COURTESIES = re.compile(rf"{alternatives('courtesies')}\b", re.IGNORECASE)
_CJK_NOTICES = re.compile(alternatives("chinese_notices", "japanese_notices"))
_BYLINE = re.compile(r"(?:By|BY|Oleh|OLEH)\s+[A-Z][\w.'-]*(?:\s+(?:[A-Z][\w.'-]*|and|dan|bin|binti|in|di|,)){0,8}[.,]?")
_ADDRESS = re.compile(r"^©|https?://|www\.|@\w{2,}|#\w{3,}")


def is_boilerplate(text: str) -> bool:
    """Whether a sentence belongs to the frame of the text rather than to what it tells."""
    return any(
        (
            _LABELS.match(text),
            _BYLINE.fullmatch(text),
            _COURTESIES.match(text),
            _NOTICES.search(text.casefold()),
            _ADDRESS.search(text),
            not text.isascii() and _CJK_NOTICES.search(text),
        )
    )
