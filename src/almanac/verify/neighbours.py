"""What stands right beside a part of a text: the cheapest sign of the place that a name has in a sentence."""

import re

from almanac.language.scripts import CJK

TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
_IDLE = frozenset({"and", "dan", "と", "和", "与", "the", "、"})


def beside(text: str, start: int, end: int) -> frozenset[str]:
    """The token before and the token after, marked as such; words for and say nothing."""
    before = [*TOKEN.finditer(text[:start])][-1:]
    after = [*TOKEN.finditer(text, end)][:1]
    found = {f"<{match[0].casefold()}" for match in before} | {f">{match[0].casefold()}" for match in after}
    return frozenset(token for token in found if token[1:] not in _IDLE)
