"""What questions are about, as those who ask announce it."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from almanac.desks.recap.derive.reactions import Course
from almanac.desks.recap.derive.word_lists import idle_words
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.writing.extractive.phrasing import in_digits, trimmed
from almanac.language import words

_ANNOUNCED = re.compile(
    r"(?P<topic>[^、。]{2,36}?)(?:について|に関して|につきまして|に関しまして)(?:、?(?:大臣|総理|まず|更に|さらに|もう少し|具体的に|改めて))*(?:に)?"
    r"(?:の)?(?:お?伺|お?聞き|お?尋ね|御?質問|取り上げ|確認|質疑)[^。]{0,24}。\Z"
)
_POINTING = re.compile(r"\A(?:この|その|これ|それ|以上|次|今|本件|本案|こと|点)")
_LONGEST_TOPIC = 24
_ADDRESSES = re.compile(r"\A(?:次に|続いて|最後に|話題を変え)|(?:総理|大臣|参考人|政府|局長)に(?:お)?(?:伺|聞|尋)")
_OPENING_CHARACTERS, _SHARED_WORDS = 60, 2


def topic_of(text: str) -> str:
    """What a sentence announces to be about, as in 運転者の賃金; empty when it announces nothing."""
    found = _ANNOUNCED.search(trimmed(text))
    topic = in_digits(found["topic"].strip("　 ")) if found else ""
    return "" if _POINTING.match(topic) else topic


def question_topics(meeting: Meeting, course: Course, texts: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """What each question is about: what it announces last, or what its questioner announced before and goes on with."""
    asked = [speech for speech in meeting.spoken if course.reactions[speech.order] == "質問"]
    found: dict[int, str] = {}
    for _, group in groupby(asked, key=lambda speech: speech.speaker):
        orders = [speech.order for speech in group]
        for before, order in zip([None, *orders], orders, strict=False):
            announced = [topic for text in texts[order] if (topic := topic_of(text))]
            if announced:
                found[order] = announced[-1] if len(announced[-1]) <= _LONGEST_TOPIC else ""
            else:
                goes_on = before is not None and _goes_on(meeting, course, texts[order], before)
                found[order] = found[before] if goes_on and before is not None else ""
    return found


def _goes_on(meeting: Meeting, course: Course, texts: Sequence[str], before: int) -> bool:
    """Whether a question takes up words of the exchange before it, and addresses nobody anew."""
    text = "".join(texts)
    if not text or _ADDRESSES.search(text[:_OPENING_CHARACTERS]):
        return False
    heard = "".join(meeting.by_order[each].text for each in (before, *course.answers_of(before)))
    shared = set(words(text, "ja")) & set(words(heard, "ja")) - idle_words()
    return len(shared) >= _SHARED_WORDS
