"""The parts of a speech by what they are about, as the speaker announces them."""

import re
from collections.abc import Sequence

from almanac.desks.recap.writing.extractive.phrasing import in_digits, trimmed
from almanac.desks.recap.writing.extractive.sitting import Line

_ANNOUNCED = re.compile(
    r"(?P<topic>[^、。]{2,36}?)(?:について|に関して|につきまして|に関しまして)(?:、?(?:大臣|総理|まず|更に|さらに|もう少し|具体的に|改めて))*(?:に)?"
    r"(?:の)?(?:お?伺|お?聞き|お?尋ね|御?質問|取り上げ|確認|質疑)[^。]{0,24}。\Z"
)
_POINTING = re.compile(r"\A(?:この|その|これ|それ|以上|次|今|本件|本案|こと|点)")
_MOST_TOPICS = 8

Part = tuple[str, list[Line]]


def topic_of(text: str) -> str:
    """What a sentence announces to be about, as in 運転者の賃金; empty when it announces nothing."""
    found = _ANNOUNCED.search(trimmed(text))
    topic = in_digits(found["topic"].strip("　 ")) if found else ""
    return "" if _POINTING.match(topic) else topic


def by_topic(lines: Sequence[Line], otherwise: str) -> list[Part]:
    """Lines under the last announced topic; what precedes any topic, or has none, is under `otherwise`."""
    parts: list[Part] = []
    for line in lines:
        topic = topic_of(line.text)
        if (topic and len(parts) < _MOST_TOPICS) or not parts:
            parts.append((f"{topic}について" if topic else otherwise, []))
        parts[-1][1].append(line)
    return parts
