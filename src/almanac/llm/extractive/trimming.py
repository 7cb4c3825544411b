"""Shorter forms of a sentence that are still a contiguous part of it: without who said it, or a trailing clause."""

import re

from almanac.llm.extractive.reading import size

_SAID = r"(?:said|says|added|noted|explained|told \w+|wrote|announced|reported|estimated|suggests?|warned|showed)"
_SAID_IN_MALAY = r"(?:katanya|kata beliau|ujarnya|tambahnya|tambah beliau|ujar beliau)"
_PRONOUN_SAID = re.compile(rf",\s+(?:(?:he|she|they|it|who)\s+{_SAID}|{_SAID_IN_MALAY})\b[^,.“”\"]*\.$")
_NAMED_SAID = re.compile(
    rf",\s+(?:[^,.“”\"]{{3,60}}\s)?{_SAID}\b[^“”\"]*\.$"
    r"|,\s+according to [^,.“”\"]+\.$|,\s+(?:kata|ujar|menurut)\s+[^,.“”\"]+\.$"
)
_CLAUSE = re.compile(
    r",\s+(?:which|while|although|though|as|after|with|including|amid|despite|compared with|up from|down from|whereas|"
    r"manakala|sementara|walaupun|selepas|termasuk|berbanding|sekali gus|susulan|[a-z]+ing)\b[^“”\"]*\.$"
)
_CJK_CLAUSE = re.compile(r"，[^，“”「」（）]*。$")
_CJK_SOURCE = re.compile(r"^[^、。，「」“”]{2,30}(?:によると|によれば|显示|表示|指出|透露|介绍|称|顯示)[、，：]")
_LEAST = 6.0


def trimmed(text: str, limit: float) -> str:
    """The text, cut where it may be until it is no longer than the limit; the full text where no cut is long enough."""
    text = _cut(text, _PRONOUN_SAID)
    for pattern in (_CLAUSE, _NAMED_SAID, _CJK_CLAUSE, _CJK_CLAUSE):
        if size(text) <= limit:
            return text
        text = _cut(text, pattern)
    if size(text) > limit and (source := _CJK_SOURCE.match(text)) and size(text[source.end() :]) >= _LEAST:
        return text[source.end() :]
    return text


def _cut(text: str, pattern: re.Pattern[str]) -> str:
    found = pattern.search(text)
    if found is None or size(text[: found.start()]) < _LEAST or "“" in text[: found.start()]:
        return text
    return text[: found.start()]
