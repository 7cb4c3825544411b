"""What passes for a headline: two to eight words on one line, what happened; never a summary."""

import re

FEWEST, MOST = 2, 8
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+(?:['’.,&/-][^\W_]+)*[%°]?")
_CHARACTERS_PER_WORD = 2.5
_STOP = re.compile(r"[.。!！?？…;；]\s*$|[.。!！?？]\s+\S")


def headline_words(text: str) -> float:
    """The length of a headline in words; two and a half Chinese characters count as one."""
    return len(_CJK.findall(text)) / _CHARACTERS_PER_WORD + len(_WORD.findall(_CJK.sub(" ", text)))


def is_headline(text: str) -> bool:
    """Whether a text may stand in a headline's place."""
    plain = text.strip()
    return "\n" not in plain and not _STOP.search(plain) and FEWEST - 0.5 <= headline_words(plain) <= MOST
