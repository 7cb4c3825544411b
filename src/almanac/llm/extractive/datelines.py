"""What stands before a sentence as place, date, agency or speaker: taken off, so that it begins where it tells."""

import re

_CITY = r"[A-Z][A-Z'.-]+(?:[ ,/][ ]?[A-Z][A-Z'.-]+){0,3}"
_DATE = r"(?:\d{1,2} [A-Z]\w+\.?(?: \d{4})?|[A-Z]\w+\.? \d{1,2}(?:, \d{4})?)"
_DATELINE = re.compile(
    rf"(?:{_CITY}(?:,? {_DATE})?(?: ?\([^()]{{2,40}}\))?|[A-Z]\w+(?: [A-Z]\w+)?, {_DATE}(?: ?\([^()]{{2,40}}\))?)"
    r"(?:\s*[—–:]+\s*|\s+-{1,2}\s+)"
    r"|(?:The |Mr|Mrs|Ms|Dr|Sir|Senator|Tuan|Puan|Datuk|Dato|YB|Menteri)[^:.!?“\"]{2,70}:\s+"
    r"|[（(【\[［][^（）()【】\[\]［］]{2,30}[）)】\]］]\s*[-－—–]*\s*"
    r"|\S{2,12}社\S{2,10}\d{1,2}月\d{1,2}日电(?:[（(][^（）()]{2,30}[）)])?\s*"
    r"|(?:本报|本報|中新网|中新社|中央社)\S{0,12}(?:日电|日訊|日讯|讯|訊|日電)\s*(?:[（(][^（）()]{2,30}[）)])?\s*[：:]?\s*"
)


def without_dateline(text: str) -> str:
    """The text from where it begins to tell."""
    found = _DATELINE.match(text)
    return text[found.end() :] if found and found.end() < len(text) else text
