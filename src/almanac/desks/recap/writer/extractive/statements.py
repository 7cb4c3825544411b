"""Sentences of the upper levels as drafts: proposals, questions, answers and positions, each to be read by itself."""

from collections.abc import Iterator
from itertools import groupby

from almanac.desks.recap.model.record import HouseDecision, Vote
from almanac.desks.recap.writer.evidence import SentenceDraft, new_draft
from almanac.desks.recap.writer.extractive.labels import speaker_name
from almanac.desks.recap.writer.extractive.phrasing import simplify, trim_openers, wording_options
from almanac.desks.recap.writer.extractive.sitting import LONGEST_LINE, Sitting, SittingLine
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import format_kanji_number

_SUBJECT = lazy_regex(r"\A(?:本法律案|本案|本件|本法案|この法律案|本予算)は、")
_LONGEST_SUBJECT = 45
_CONCLUSION = lazy_regex(r"採決(?:の|いたしました|しました)結果|附帯決議が付")
_LONGEST_TOPIC, _OPENING = 24, 30
_REMARK = 3
_VERBS = {
    "passed": ("可決すべきものと決まりました", "可決されました"),
    "approved": ("承認すべきものと決まりました", "承認されました"),
    "rejected": ("否決すべきものと決まりました", "否決されました"),
    "consented": ("同意すべきものと決まりました", "同意することに決まりました"),
}
_COMMITTEE = "すべきもの"
_GOES_WITH = lazy_regex(r"に対する(?:附帯決議|修正案)\Z")
_BY_MANNER = {"異議なし": "異議なしで"}


def select_proposals(sitting: Sitting, most: int) -> list[SittingLine]:
    """Lines of every explanation and report in turn, so that each item of the agenda is told of."""
    by_speech = [_proposed(sitting, order) for order in _explaining(sitting)]
    rounds = [lines[turn] for turn in range(most) for lines in by_speech if turn < len(lines)]
    return sorted(rounds[:most], key=line_position)


def _explaining(sitting: Sitting) -> list[int]:
    """Explanations and reports; that of a supplementary resolution only where there is no other."""
    orders = sitting.orders_of("趣旨説明", "報告")
    main = [order for order in orders if "附帯決議案" not in sitting.meeting.by_order[order].text]
    return main or orders


def _proposed(sitting: Sitting, order: int) -> list[SittingLine]:
    """The worthiest first; what a committee decided is left to the decision of the house, where there is one."""
    decided = bool(sitting.facts.decisions)
    lines = [line for line in sitting.lines[order] if not line.asks and len(line.text) <= LONGEST_LINE]
    usable = [line for line in lines if not (decided and _CONCLUSION.search(line.text))]
    return sorted(usable or lines, key=lambda line: (-line.worth, line.said.at))


def draft_statement(sitting: Sitting, line: SittingLine) -> SentenceDraft:
    """A line that stands by itself: 本案 is called by its title, and a leaning line has its lead before it."""
    item = next((item for item in sitting.business if line.order in item.orders), None)
    opening = _SUBJECT.match(wording_options(line.text)[0])
    if item is None or opening is None or len(item.title) > _LONGEST_SUBJECT:
        return new_draft(line.order, *wordings_with_lead(sitting, line))
    spoken = sitting.meeting.by_order
    naming = [order for order in item.orders if order <= line.order and item.title in spoken[order].text]
    orders = tuple(dict.fromkeys((*naming[-1:], line.order)))
    named = (
        [f"{item.title}は、{trim_openers(_SUBJECT.sub('', text))}" for text in wording_options(line.text)[:2]]
        if naming
        else []
    )
    return new_draft(orders, *named, *wording_options(line.text))


def draft_answer(sitting: Sitting, line: SittingLine, *, about: bool = True) -> SentenceDraft:
    """A line of an answer with who gave it, and with its topic unless its question stands just before it."""
    who = speaker_name(sitting.meeting.by_order[line.order])
    texts = wordings_with_lead(sitting, line)
    named = tuple(f"{text.removesuffix('。')}（{who}）。" for text in texts[:2])
    return _about(line, named, texts) if about else new_draft(line.order, *named, *texts)


def draft_question(sitting: Sitting, line: SittingLine, *, who: bool = False) -> SentenceDraft:
    """What is asked, with its topic, and with who asks where that isn't said elsewhere."""
    texts = wordings_with_lead(sitting, line)
    by = f"（{speaker_name(sitting.meeting.by_order[line.order])}）" if who else ""
    return _about(line, tuple(f"{text}{by}" for text in texts[:2]), texts)


def _about(line: SittingLine, named: tuple[str, ...], otherwise: tuple[str, ...]) -> SentenceDraft:
    """With the topic in front, where it is known, short and not said already."""
    topic = line.topic
    if topic is None or len(topic.text) > _LONGEST_TOPIC or topic.text in named[0] or "について" in named[0][:_OPENING]:
        return new_draft(line.order, *named, *otherwise)
    orders = tuple(dict.fromkeys((topic.order, line.order)))
    return new_draft(orders, *(f"{topic.text}について、{text}" for text in named), *named, *otherwise)


def best_questions_by_topic(sitting: Sitting, order: int) -> list[SittingLine]:
    """The questions of a speech: the weightiest of each topic; none where it only announces one."""
    asking = [line for line in sitting.lines[order] if line.asks and len(line.text) <= LONGEST_LINE]
    by_topic: dict[str, list[SittingLine]] = {}
    for line in asking:
        by_topic.setdefault(line.topic.text if line.topic else "", []).append(line)
    best = [min(lines, key=lambda line: (line.announces, -line.worth, line.said.at)) for lines in by_topic.values()]
    return sorted(best, key=line_position)


def best_answers_by_topic(sitting: Sitting, order: int) -> list[SittingLine]:
    """The weightiest statement of an answer on each of its topics."""
    by_topic: dict[str, list[SittingLine]] = {}
    for line in sitting.statements(order):
        by_topic.setdefault(line.topic.text if line.topic else "", []).append(line)
    best = [min(lines, key=lambda line: (-line.worth, line.said.at)) for lines in by_topic.values()]
    return sorted(best, key=line_position)


def is_same_topic(one: SittingLine, other: SittingLine) -> bool:
    """Whether two lines are about the same; the answer may name it a little longer or shorter."""
    if one.topic is None or other.topic is None:
        return one.topic is other.topic
    return one.topic.text in other.topic.text or other.topic.text in one.topic.text


def draft_opinion(sitting: Sitting, line: SittingLine) -> SentenceDraft:
    """A line of a statement that answers nobody, with who made it."""
    who, texts = speaker_name(sitting.meeting.by_order[line.order]), wordings_with_lead(sitting, line)
    return new_draft(line.order, *(f"{text.removesuffix('。')}（{who}）。" for text in texts[:2]), *texts)


def list_unprompted_speeches(sitting: Sitting) -> list[int]:
    """Statements that answer nobody, such as a witness's opening words."""
    alone = [order for order in sitting.orders_of("意見", "答弁") if order not in sitting.course.response_to]
    return [order for order in alone if len(sitting.lines[order]) > _REMARK]


def draft_position(sitting: Sitting, order: int) -> SentenceDraft:
    """Who argued for what, and the best reason given."""
    speech, reaction = sitting.meeting.by_order[order], sitting.reaction(order)
    stance = f"{speaker_name(speech)}は{reaction}の立場から討論しました。"
    reasons = sitting.best([order], 1)
    whole = [f"{stance}{text}" for line in reasons for text in wording_options(line.text)[:2]]
    return new_draft(order, *whole, stance, *(text for line in reasons for text in wording_options(line.text)))


def exchange_weight(sitting: Sitting, order: int) -> float:
    """What an exchange is worth: its best answer counts most."""
    answers = [line.worth for each in sitting.course.answers_of(order) for line in sitting.lines[each]]
    return 2 * max(answers, default=0.0) + max((line.worth for line in sitting.lines[order]), default=0.0)


def select_answers(sitting: Sitting, most: int) -> list[SittingLine]:
    """The best answers in their order: one for each questioner before a second to anybody's question."""
    spoken = sitting.meeting.by_order
    by_person: dict[str, list[SittingLine]] = {}
    for reply, order in sitting.course.response_to.items():
        by_person.setdefault(spoken[order].speaker, []).extend(best_answers_by_topic(sitting, reply))
    ranked = [sorted(lines, key=lambda line: (-line.worth, line_position(line))) for lines in by_person.values()]
    rounds = [(turn, line) for lines in ranked for turn, line in enumerate(lines)]
    chosen = sorted(rounds, key=lambda each: (each[0], -each[1].worth, line_position(each[1])))[:most]
    return sorted((line for _, line in chosen), key=line_position)


def find_question(sitting: Sitting, line: SittingLine) -> SittingLine | None:
    """The question that a line of an answer answers, as far as topics tell."""
    order = sitting.course.response_to.get(line.order)
    asked = best_questions_by_topic(sitting, order) if order is not None else []
    same = [each for each in asked if is_same_topic(each, line)]
    return same[0] if same else asked[0] if len(asked) == 1 else None


def group_by_questioner(sitting: Sitting) -> Iterator[list[int]]:
    """Questions of one person in a row."""
    spoken = sitting.meeting.by_order
    for _, group in groupby(sitting.orders_of("質問"), key=lambda order: spoken[order].speaker):
        yield list(group)


def wordings_with_lead(sitting: Sitting, line: SittingLine) -> tuple[str, ...]:
    """The wordings of a line, after those of the line that it leans on."""
    lead, texts = sitting.lead_of(line), wording_options(line.text)
    if lead is None:
        return texts
    return (*(before + text for before, text in zip(wording_options(lead.text)[:2], texts[:2], strict=True)), *texts)


def line_position(line: SittingLine) -> tuple[int, int]:
    return line.order, line.said.at


def draft_decisions(sitting: Sitting) -> Iterator[tuple[HouseDecision, SentenceDraft]]:
    """A sentence for each decision, naming its subject wherever a speech that it rests on names it."""
    for decision in sitting.facts.decisions:
        naming = _naming(sitting, decision)
        orders = tuple(dict.fromkeys((*naming, decision.order)))
        subject = decision.subject if naming else ""
        yield (
            decision,
            new_draft(orders, *_sentences(decision, subject), simplify(trim_openers(decision.text)), decision.text),
        )


def _naming(sitting: Sitting, decision: HouseDecision) -> tuple[int, ...]:
    """The last speech before the vote that names the subject, so that a reader finds both."""
    title = _GOES_WITH.sub("", decision.subject)
    before = [
        speech.order
        for speech in sitting.meeting.spoken
        if speech.order <= decision.order and title and title in speech.text
    ]
    return tuple(before[-1:])


def _sentences(decision: HouseDecision, subject: str) -> list[str]:
    if not subject:
        return []
    if "附帯決議" in decision.text:
        return [f"{subject}を付することに決まりました。"]
    verbs = _VERBS.get(decision.outcome)
    if verbs is None:
        return []
    verb = verbs[0] if _COMMITTEE in decision.text else verbs[1]
    votes = [f"{subject}は、{count}で{verb}。" for count in _counts(decision.vote)]
    manner = _BY_MANNER.get(decision.manner, f"{decision.manner}で") if decision.manner else ""
    return [*votes, f"{subject}は、{manner}{verb}。", f"{subject}は{verb}。"]


def _counts(vote: Vote | None) -> list[str]:
    """In digits, and as the record counts where only that can be found in it."""
    if vote is None or vote.in_favour is None or vote.against is None:
        return []
    return [f"賛成{number(vote.in_favour)}、反対{number(vote.against)}" for number in (str, format_kanji_number)]
