"""Questions and answers: what is really asked, and the answer's substance, each in the speaker's own words."""

from collections.abc import Iterator
from itertools import groupby

from almanac.desks.recap.model.facts.debate import announces_asking
from almanac.desks.recap.writer.extractive.analysis import SHORT_QUESTION, ContentLine, MeetingAnalysis
from almanac.desks.recap.writer.extractive.plain_language import end_of_sentence, wording_options
from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN, KATAKANA

_MOST_QUESTIONS, _MOST_ANSWERS = 2, 2
_LONGEST_QUESTION, _LONGEST_SPOKEN = 160, 480
_WORDS = lazy_regex(rf"[{HAN}{KATAKANA}ー]{{2,}}")
_SHARED, _MOST_SHARED = 0.35, 4
_WORTH_ADDING = 1.0
# What asserts: 認められるべき, と考えております, してまいります, ことはございません.
_STATES_POSITION = lazy_regex(
    r"(?:べき(?:もの|だ|で)[^。]{0,16}|考え(?:て(?:おり|い)ます|ます|ており(?:ません)?)|て(?:まいり|いき)ます|(?:いたし|し)ます|(?:こと|もの|つもり|わけ)(?:は|では|は全く)(?:ござい|あり)ません|(?:いたし|し)(?:かねます|ません)|可能性[^。]{0,12}否定[^。]{0,8}ません)。\Z"
)
_POSITION = 0.8
_CONTRAST = lazy_regex(r"(?:しかし|しかしながら|ところが|けれども)、")


def line_position(line: ContentLine) -> tuple[int, int]:
    return line.order, line.sentence.index


def best_questions_by_topic(analysis: MeetingAnalysis, order: int) -> list[ContentLine]:
    """The questions of a speech: of each topic the one that asks outright, the last where several do."""
    lines = [line for line in analysis.lines[order] if line.is_question and len(line.text) <= _LONGEST_SPOKEN]
    asking = [line for line in lines if not announces_asking(line.text)] or lines
    by_topic: dict[str, list[ContentLine]] = {}
    for line in asking:
        by_topic.setdefault(line.topic.text if line.topic else "", []).append(line)
    best = (
        min(lines, key=lambda line: (*_question_rank(analysis, line), -line.sentence.index))
        for lines in by_topic.values()
    )
    return sorted(best, key=line_position)


def _question_rank(analysis: MeetingAnalysis, line: ContentLine) -> tuple[bool, bool, bool, bool, bool]:
    """Real questions first: a bare 伺います asks nothing by itself, a rhetorical question wants no answer."""
    bare = line.asks_outright and len(line.text) < SHORT_QUESTION and analysis.lead_of(line) is None
    return announces_asking(line.text), line.announces_topic, bare, not line.asks_outright, line.is_colloquial


def question_wordings(analysis: MeetingAnalysis, order: int, most: int) -> tuple[str, ...]:
    """The questions of a speech in one text, as many as fit; then its main question alone."""
    asked = best_questions_by_topic(analysis, order)
    real = [line for line in asked if not (line.announces_topic or announces_asking(line.text))] or asked
    ranked = sorted(real, key=lambda line: (*_question_rank(analysis, line), -line.score))
    main = sorted(ranked[:_MOST_QUESTIONS], key=line_position)
    each = [_asked(analysis, line) for line in main]
    firsts = [wordings[0] for wordings in each if wordings]
    together = "".join(firsts) if len(firsts) > 1 and sum(map(len, firsts)) <= most else ""
    return tuple(filter(None, (together, *(text for line in ranked[:1] for text in _asked(analysis, line)))))


def _asked(analysis: MeetingAnalysis, line: ContentLine) -> tuple[str, ...]:
    if len(line.text) > _LONGEST_QUESTION:
        return wording_options(end_of_sentence(line.text, _LONGEST_QUESTION))
    return wordings_with_lead(analysis, line)


def answer_wordings(analysis: MeetingAnalysis, order: int, most: int) -> tuple[str, ...]:
    """The substance of an answer: the statement that meets its question best, and a second one if it fits."""
    ranked = rank_answers(analysis, order)
    if not ranked:
        return ()
    best, *others = ranked
    second = [line for line in others[: _MOST_ANSWERS - 1] if line.score >= _WORTH_ADDING]
    texts = [wordings_with_lead(analysis, line) for line in sorted([best, *second], key=line_position)]
    together = "".join(wordings[0] for wordings in texts)
    alone = wordings_with_lead(analysis, best)
    return (together, *alone) if second and len(together) <= most else alone


def rank_answers(analysis: MeetingAnalysis, order: int) -> list[ContentLine]:
    """The statements of an answer, best first: what carries content and takes up the words of the question."""
    question = analysis.course.response_to.get(order)
    asked = {word for line in analysis.lines.get(question or 0, ()) for word in _WORDS.findall(line.text)}
    lines = analysis.readable(analysis.statements(order))

    def weight(line: ContentLine) -> float:
        shared = sum(1 for word in asked if word in line.text)
        return position_score(line) + _SHARED * min(_MOST_SHARED, shared)

    return sorted(lines, key=lambda line: (-weight(line), line.sentence.index))


def position_score(line: ContentLine) -> float:
    """The score of a line of an answer: what states a position before what leads to it."""
    return line.score + (_POSITION if _STATES_POSITION.search(line.text) else 0.0)


def best_answers_by_topic(analysis: MeetingAnalysis, order: int) -> list[ContentLine]:
    """The weightiest statement of an answer on each of its topics."""
    by_topic: dict[str, list[ContentLine]] = {}
    for line in analysis.statements(order):
        by_topic.setdefault(line.topic.text if line.topic else "", []).append(line)
    best = [min(lines, key=lambda line: (-position_score(line), line.sentence.index)) for lines in by_topic.values()]
    return sorted(best, key=line_position)


def is_same_topic(line: ContentLine, other: ContentLine) -> bool:
    """Whether two lines are on the same topic; one topic may contain the other."""
    if line.topic is None or other.topic is None:
        return line.topic is other.topic
    return line.topic.text in other.topic.text or other.topic.text in line.topic.text


def exchange_weight(analysis: MeetingAnalysis, order: int) -> float:
    """How important an exchange is: its best answer counts most."""
    answers = [line.score for each in analysis.course.answers_of(order) for line in analysis.lines[each]]
    return 2 * max(answers, default=0.0) + max((line.score for line in analysis.lines[order]), default=0.0)


def select_answers(analysis: MeetingAnalysis, most: int) -> list[ContentLine]:
    """The best answers in their order: one for each questioner before a second to anybody's question."""
    spoken = analysis.meeting.by_order
    by_person: dict[str, list[ContentLine]] = {}
    for reply, order in analysis.course.response_to.items():
        by_person.setdefault(spoken[order].speaker, []).extend(best_answers_by_topic(analysis, reply))
    ranked = [sorted(lines, key=lambda line: (-line.score, line_position(line))) for lines in by_person.values()]
    rounds = [(turn, line) for lines in ranked for turn, line in enumerate(lines)]
    chosen = sorted(rounds, key=lambda each: (each[0], -each[1].score, line_position(each[1])))[:most]
    return sorted((line for _, line in chosen), key=line_position)


def find_question(analysis: MeetingAnalysis, line: ContentLine) -> ContentLine | None:
    """The question that a line answers, by topic; None if that can't be decided."""
    order = analysis.course.response_to.get(line.order)
    asked = best_questions_by_topic(analysis, order) if order is not None else []
    same = [each for each in asked if is_same_topic(each, line)]
    return same[0] if same else asked[0] if len(asked) == 1 else None


def group_by_questioner(analysis: MeetingAnalysis) -> Iterator[list[int]]:
    """Questions of one person in a row."""
    spoken = analysis.meeting.by_order
    for _, group in groupby(analysis.orders_of("質問"), key=lambda order: spoken[order].speaker):
        yield list(group)


def wordings_with_lead(analysis: MeetingAnalysis, line: ContentLine) -> tuple[str, ...]:
    """The wordings of a line, with its lead before it where it needs one."""
    lead, texts = analysis.lead_of(line), wording_options(line.text)
    if lead is None:
        return texts
    contrast = _CONTRAST.match(line.text)
    between = contrast[0] if contrast else ""
    both = tuple(before + between + text for before, text in zip(wording_options(lead.text)[:2], texts, strict=False))
    both = (*both, lead.text + line.text)
    # A short question may do without its lead; a sentence that points back to it may not.
    return both if line.needs_context else (*both[:2], *texts)
