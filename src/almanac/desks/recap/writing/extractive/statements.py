"""Sentences of the upper levels as drafts: proposals, questions, answers and positions, each to be read by itself."""

import re
from collections.abc import Iterator
from itertools import groupby

from almanac.desks.recap.writing.checking import Draft, draft
from almanac.desks.recap.writing.extractive.naming import called
from almanac.desks.recap.writing.extractive.phrasing import trimmed, wordings
from almanac.desks.recap.writing.extractive.sitting import LONGEST, Line, Sitting
from almanac.desks.recap.writing.extractive.topics import topic_of

_SUBJECT = re.compile(r"\A(?:本法律案|本案|本件|本法案|この法律案|本予算)は、")
_LONGEST_SUBJECT = 45
_CONCLUSION = re.compile(r"採決(?:の|いたしました|しました)結果|附帯決議が付")
_REMARK = 3


def proposals(sitting: Sitting, most: int) -> list[Line]:
    """Lines of every explanation and report in turn, so that each item of the agenda is told of."""
    by_speech = [_proposed(sitting, order) for order in _explaining(sitting)]
    rounds = [lines[turn] for turn in range(most) for lines in by_speech if turn < len(lines)]
    return sorted(rounds[:most], key=place)


def _explaining(sitting: Sitting) -> list[int]:
    """Explanations and reports; that of a supplementary resolution only where there is no other."""
    orders = sitting.orders_of("趣旨説明", "報告")
    main = [order for order in orders if "附帯決議案" not in sitting.meeting.by_order[order].text]
    return main or orders


def _proposed(sitting: Sitting, order: int) -> list[Line]:
    """The worthiest first; what a committee decided is left to the decision of the house, where there is one."""
    decided = bool(sitting.facts.decisions)
    lines = [line for line in sitting.lines[order] if not line.asks and len(line.text) <= LONGEST]
    usable = [line for line in lines if not (decided and _CONCLUSION.search(line.text))]
    return sorted(usable or lines, key=lambda line: (-line.worth, line.said.at))


def statement(sitting: Sitting, line: Line) -> Draft:
    """A line that stands by itself: 本案 is called by its title, and a leaning line has its lead before it."""
    item = next((item for item in sitting.business if line.order in item.orders), None)
    opening = _SUBJECT.match(wordings(line.text)[0])
    if item is None or opening is None or len(item.title) > _LONGEST_SUBJECT:
        return draft(line.order, *led(sitting, line))
    spoken = sitting.meeting.by_order
    naming = [order for order in item.orders if order <= line.order and item.title in spoken[order].text]
    orders = tuple(dict.fromkeys((*naming[-1:], line.order)))
    named = [f"{item.title}は、{trimmed(_SUBJECT.sub('', text))}" for text in wordings(line.text)[:2]] if naming else []
    return draft(orders, *named, *wordings(line.text))


def answer(sitting: Sitting, line: Line, *, about: bool = True) -> Draft:
    """A line of an answer with who gave it, and with its topic unless its question stands just before it."""
    who = called(sitting.meeting.by_order[line.order])
    texts = led(sitting, line)
    question = sitting.course.response_to.get(line.order)
    topic = sitting.topics.get(question, "") if question is not None else ""
    named = [f"{text.removesuffix('。')}（{who}）。" for text in texts[:2]]
    if not about or question is None or not topic or topic in texts[0]:
        return draft(line.order, *named, *texts)
    asked = _topic_order(sitting, question, topic)
    return draft((asked, line.order), *(f"{topic}について、{text}" for text in named), *named, *texts)


def questions(sitting: Sitting, order: int, *, who: bool = False) -> Iterator[Draft]:
    """What a speech asks, its weightiest question; none where it only announces one."""
    asked = [line for line in sitting.lines[order] if line.asks and len(line.text) <= LONGEST]
    for line in sorted(asked, key=lambda line: (bool(topic_of(line.text)), -line.worth, line.said.at))[:1]:
        texts = led(sitting, line)
        topic = sitting.topics.get(order, "")
        about = (
            [f"{topic}について、{texts[0]}"] if topic and topic not in texts[0] and "について" not in texts[0] else []
        )
        by = f"（{called(sitting.meeting.by_order[order])}）" if who else ""
        orders = tuple(dict.fromkeys((_topic_order(sitting, order, topic), order))) if about else (order,)
        named = [f"{text}{by}" for text in (*about, *texts)]
        yield draft(orders, *named, *texts)


def opinion(sitting: Sitting, line: Line) -> Draft:
    """A line of a statement that answers nobody, with who made it."""
    who, texts = called(sitting.meeting.by_order[line.order]), led(sitting, line)
    return draft(line.order, *(f"{text.removesuffix('。')}（{who}）。" for text in texts[:2]), *texts)


def stating(sitting: Sitting) -> list[int]:
    """Statements that answer nobody, such as a witness's opening words."""
    alone = [order for order in sitting.orders_of("意見", "答弁") if order not in sitting.course.response_to]
    return [order for order in alone if len(sitting.lines[order]) > _REMARK]


def position(sitting: Sitting, order: int) -> Draft:
    """Who argued for what, and the best reason given."""
    speech, reaction = sitting.meeting.by_order[order], sitting.reaction(order)
    stance = f"{called(speech)}は{reaction}の立場から討論しました。"
    reasons = sitting.best([order], 1)
    whole = [f"{stance}{text}" for line in reasons for text in wordings(line.text)[:2]]
    return draft(order, *whole, stance, *(text for line in reasons for text in wordings(line.text)))


def weight(sitting: Sitting, order: int) -> float:
    """What an exchange is worth: its best answer counts most."""
    answers = [line.worth for each in sitting.course.answers_of(order) for line in sitting.lines[each]]
    return 2 * max(answers, default=0.0) + max((line.worth for line in sitting.lines[order]), default=0.0)


def weightiest(sitting: Sitting, most: int) -> list[int]:
    """The orders of the best exchanges, one for each questioner before a second of anybody's."""
    answered = [order for order in sitting.orders_of("質問") if sitting.course.answers_of(order)]
    spoken = sitting.meeting.by_order
    ranked = sorted(answered, key=lambda order: (-weight(sitting, order), order))
    firsts = {spoken[order].speaker: order for order in reversed(ranked)}
    first = set(firsts.values())
    return sorted(sorted(ranked, key=lambda order: order not in first)[:most])


def by_questioner(sitting: Sitting) -> Iterator[list[int]]:
    """Questions of one person in a row."""
    spoken = sitting.meeting.by_order
    for _, group in groupby(sitting.orders_of("質問"), key=lambda order: spoken[order].speaker):
        yield list(group)


def _topic_order(sitting: Sitting, order: int, topic: str) -> int:
    """Where the topic was announced."""
    announced = (
        each for each in sitting.orders_of("質問")
        if each <= order and any(topic_of(line.text) == topic for line in sitting.lines[each])
    )  # fmt: skip
    return max(announced, default=order)


def led(sitting: Sitting, line: Line) -> tuple[str, ...]:
    """The wordings of a line, after those of the line that it leans on."""
    lead, texts = sitting.lead_of(line), wordings(line.text)
    if lead is None:
        return texts
    return (*(before + text for before, text in zip(wordings(lead.text)[:2], texts[:2], strict=True)), *texts)


def place(line: Line) -> tuple[int, int]:
    return line.order, line.said.at
