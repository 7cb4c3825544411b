"""Places at which long words and addresses may be broken, so that no text leaves its column."""

import re

_MAY_BREAK_HERE = "\u200b"
# Chinese, Japanese and Korean break by themselves, and have rules of their own about where.
_UNBROKEN = re.compile(r"[^\s\u200b\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]+")
_AFTER_A_JOINT = re.compile(r"(?<=[/?&=#_.,:;@-])(?=\w)")


def breakable(text: str, fits: int) -> str:
    """The text with places to break every word of more characters than fit."""
    return _UNBROKEN.sub(lambda found: _broken(found[0], fits), text)


def _broken(word: str, fits: int) -> str:
    if len(word) < fits:
        return word
    pieces = _AFTER_A_JOINT.sub(_MAY_BREAK_HERE, word).split(_MAY_BREAK_HERE)
    return _MAY_BREAK_HERE.join(piece if len(piece) < fits else _MAY_BREAK_HERE.join(piece) for piece in pieces)
