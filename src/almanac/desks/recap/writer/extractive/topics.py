"""Topics as speakers announce them: 運転者の賃金について伺います (“I ask about drivers' wages”)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from almanac.desks.recap.model.facts.debate import DebateCourse
from almanac.desks.recap.model.facts.keywords import idle_words
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.writer.extractive.plain_language import kanji_to_digits, trim_openers
from almanac.kit.lazy import lazy_regex
from almanac.language.terms import content_words

_ABOUT = r"(?P<topic>[^、。]{2,36}?)(?:について|に関して|につきまして|に関しまして|につき)"
_ANNOUNCED = lazy_regex(
    rf"{_ABOUT}(?:、?(?:大臣|総理|まず|更に|さらに|もう少し|具体的に|改めて|[一二三四五六七八九]問))*(?:に|も)?(?:の)?"
    r"(?:お?伺|お?聞き|お?尋ね|御?質問|取り上げ|確認|質疑)[^。]{0,24}。\Z"
)
_NAMED = lazy_regex(rf"\A{_ABOUT}(?:です|であります|でございます)。\Z")
_POINTING = lazy_regex(r"\A(?:この|その|これ|それ|以上|次|今|本件|本案|こと|点)|(?:点|件|こと|もの)\Z")
_ADDRESSES = lazy_regex(r"\A(?:次に|続いて|最後に|話題を変え)|(?:総理|大臣|参考人|政府|局長)に(?:お)?(?:伺|聞|尋)")
_OPENING_CHARACTERS, _SHARED_WORDS = 60, 2


class SpeechTopic(NamedTuple):
    """A topic and the order of the speech that announced it."""

    text: str
    order: int


SentencesByOrder = Mapping[int, Sequence[str]]


def announced_topic(text: str) -> str:
    """The topic that a sentence announces, such as 運転者の賃金; empty if it announces none."""
    alone = trim_openers(text)
    match = _ANNOUNCED.search(alone) or _NAMED.match(alone)
    topic = kanji_to_digits(match["topic"].strip("　 ")) if match else ""
    return "" if _POINTING.match(topic) else topic


def topics_by_line(
    meeting: Meeting, course: DebateCourse, sentences: SentencesByOrder
) -> dict[int, list[SpeechTopic | None]]:
    """The topic of each sentence: announced before it, or taken from the question that it answers or continues."""
    own = {order: list(_announced(order, texts)) for order, texts in sentences.items()}
    carried = _carried_topics(meeting, course, sentences, own)
    for answer, question in course.response_to.items():
        asked = {topic for topic in (*own[question], carried.get(question)) if topic}
        if len(asked) == 1:
            carried[answer] = asked.pop()
    return {order: [topic or carried.get(order) for topic in topics] for order, topics in own.items()}


def _announced(order: int, texts: Sequence[str]) -> Iterator[SpeechTopic | None]:
    current: SpeechTopic | None = None
    for text in texts:
        topic = announced_topic(text)
        current = SpeechTopic(topic, order) if topic else current
        yield current


def _carried_topics(
    meeting: Meeting, course: DebateCourse, sentences: SentencesByOrder, own: Mapping[int, Sequence[SpeechTopic | None]]
) -> dict[int, SpeechTopic]:
    """Topics of questions that announce none and continue the previous question of the same person."""
    asked = [speech for speech in meeting.spoken if course.reactions[speech.order] == "質問"]
    carried: dict[int, SpeechTopic] = {}
    for _, group in groupby(asked, key=lambda speech: speech.speaker):
        orders = [speech.order for speech in group]
        for before, order in pairwise(orders):
            last = own[before][-1] if own[before] else None
            topic = last or carried.get(before)
            if topic and not any(own[order]) and _continues_exchange(meeting, course, sentences[order], before):
                carried[order] = topic
    return carried


def _continues_exchange(meeting: Meeting, course: DebateCourse, texts: Sequence[str], before: int) -> bool:
    """Whether a question repeats words of the exchange before it and addresses no one new."""
    text = "".join(texts)
    if not text or _ADDRESSES.search(text[:_OPENING_CHARACTERS]):
        return False
    heard = "".join(meeting.by_order[each].text for each in (before, *course.answers_of(before)))
    shared = set(content_words(text, "ja")) & set(content_words(heard, "ja")) - idle_words()
    return len(shared) >= _SHARED_WORDS
