"""Sentences of the upper levels as drafts: proposals, questions, answers and positions, each to be read by itself."""

from collections.abc import Iterator
from itertools import groupby

from almanac.desks.recap.writer.checking import Draft, draft
from almanac.desks.recap.writer.extractive.naming import called
from almanac.desks.recap.writer.extractive.phrasing import trimmed, wordings
from almanac.desks.recap.writer.extractive.sitting import LONGEST, Line, Sitting
from almanac.kit.lazy_regex import lazy_regex

_SUBJECT = lazy_regex(r"\A(?:本法律案|本案|本件|本法案|この法律案|本予算)は、")
_LONGEST_SUBJECT = 45
_CONCLUSION = lazy_regex(r"採決(?:の|いたしました|しました)結果|附帯決議が付")
_LONGEST_TOPIC, _OPENING = 24, 30
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
    named = tuple(f"{text.removesuffix('。')}（{who}）。" for text in texts[:2])
    return _about(line, named, texts) if about else draft(line.order, *named, *texts)


def question(sitting: Sitting, line: Line, *, who: bool = False) -> Draft:
    """What is asked, with its topic, and with who asks where that isn't said elsewhere."""
    texts = led(sitting, line)
    by = f"（{called(sitting.meeting.by_order[line.order])}）" if who else ""
    return _about(line, tuple(f"{text}{by}" for text in texts[:2]), texts)


def _about(line: Line, named: tuple[str, ...], otherwise: tuple[str, ...]) -> Draft:
    """With the topic in front, where it is known, short and not said already."""
    topic = line.topic
    if topic is None or len(topic.text) > _LONGEST_TOPIC or topic.text in named[0] or "について" in named[0][:_OPENING]:
        return draft(line.order, *named, *otherwise)
    orders = tuple(dict.fromkeys((topic.order, line.order)))
    return draft(orders, *(f"{topic.text}について、{text}" for text in named), *named, *otherwise)


def asked_in(sitting: Sitting, order: int) -> list[Line]:
    """The questions of a speech: the weightiest of each topic; none where it only announces one."""
    asking = [line for line in sitting.lines[order] if line.asks and len(line.text) <= LONGEST]
    by_topic: dict[str, list[Line]] = {}
    for line in asking:
        by_topic.setdefault(line.topic.text if line.topic else "", []).append(line)
    best = [min(lines, key=lambda line: (line.announces, -line.worth, line.said.at)) for lines in by_topic.values()]
    return sorted(best, key=place)


def answered_in(sitting: Sitting, order: int) -> list[Line]:
    """The weightiest statement of an answer on each of its topics."""
    by_topic: dict[str, list[Line]] = {}
    for line in sitting.statements(order):
        by_topic.setdefault(line.topic.text if line.topic else "", []).append(line)
    best = [min(lines, key=lambda line: (-line.worth, line.said.at)) for lines in by_topic.values()]
    return sorted(best, key=place)


def is_same_topic(one: Line, other: Line) -> bool:
    """Whether two lines are about the same; the answer may name it a little longer or shorter."""
    if one.topic is None or other.topic is None:
        return one.topic is other.topic
    return one.topic.text in other.topic.text or other.topic.text in one.topic.text


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


def weightiest(sitting: Sitting, most: int) -> list[Line]:
    """The best answers in their order: one for each questioner before a second to anybody's question."""
    spoken = sitting.meeting.by_order
    by_person: dict[str, list[Line]] = {}
    for reply, order in sitting.course.response_to.items():
        by_person.setdefault(spoken[order].speaker, []).extend(answered_in(sitting, reply))
    ranked = [sorted(lines, key=lambda line: (-line.worth, place(line))) for lines in by_person.values()]
    rounds = [(turn, line) for lines in ranked for turn, line in enumerate(lines)]
    chosen = sorted(rounds, key=lambda each: (each[0], -each[1].worth, place(each[1])))[:most]
    return sorted((line for _, line in chosen), key=place)


def asked_before(sitting: Sitting, line: Line) -> Line | None:
    """The question that a line of an answer answers, as far as topics tell."""
    order = sitting.course.response_to.get(line.order)
    asked = asked_in(sitting, order) if order is not None else []
    same = [each for each in asked if is_same_topic(each, line)]
    return same[0] if same else asked[0] if len(asked) == 1 else None


def by_questioner(sitting: Sitting) -> Iterator[list[int]]:
    """Questions of one person in a row."""
    spoken = sitting.meeting.by_order
    for _, group in groupby(sitting.orders_of("質問"), key=lambda order: spoken[order].speaker):
        yield list(group)


def led(sitting: Sitting, line: Line) -> tuple[str, ...]:
    """The wordings of a line, after those of the line that it leans on."""
    lead, texts = sitting.lead_of(line), wordings(line.text)
    if lead is None:
        return texts
    return (*(before + text for before, text in zip(wordings(lead.text)[:2], texts[:2], strict=True)), *texts)


def place(line: Line) -> tuple[int, int]:
    return line.order, line.said.at
