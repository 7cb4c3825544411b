"""What stands right beside a part of a text: the cheapest sign of the place that a name has in a sentence."""

from almanac.kit.lazy_regex import lazy_regex
from almanac.language.scripts import CJK

TOKEN = lazy_regex(rf"[{CJK}]|[^\W_{CJK}]+")
_REACH = 60
_IDLE = frozenset({"and", "dan", "と", "和", "与", "the", "、"})
# Said between who and what is done, these come and go without a change of meaning.
_PASSING = frozenset(
    "also then later now too has have had will would pula juga turut telah akan 则 也 又 还 都 已 将".split()
)


def beside(text: str, start: int, end: int) -> frozenset[str]:
    """The token before and the token after, marked as such; words for `and` say nothing."""
    before = next(
        (token for token in reversed(_told(text[max(0, start - _REACH) : start])) if token not in _PASSING), ""
    )
    after = next((token for token in _told(text[end : end + _REACH]) if token not in _PASSING), "")
    return frozenset(sign + token for sign, token in (("<", before), (">", after)) if token and token not in _IDLE)


def _told(text: str) -> list[str]:
    return [match[0].casefold() for match in TOKEN.finditer(text)]
