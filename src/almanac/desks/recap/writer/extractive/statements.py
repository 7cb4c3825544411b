"""Drafted sentences for the levels: proposals, questions, answers, positions and decisions, each readable by itself."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from almanac.desks.recap.model.facts.reasons import stated_reasons
from almanac.desks.recap.model.facts.speech_text import spoken_sentences
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.writer.evidence import SentenceDraft, new_draft
from almanac.desks.recap.writer.extractive.analysis import LONGEST_LINE, ContentLine, MeetingAnalysis
from almanac.desks.recap.writer.extractive.decision_sentences import decision_sentences
from almanac.desks.recap.writer.extractive.exchanges import line_position, wordings_with_lead
from almanac.desks.recap.writer.extractive.labels import speaker_name, stance_sentence
from almanac.desks.recap.writer.extractive.plain_language import simplify, trim_openers, wording_options
from almanac.kit.lazy import lazy_regex

_SUBJECT = lazy_regex(r"\A(?:本法律案|本案|本件|本法案|この法律案|本予算)は、")
_LONGEST_SUBJECT = 45
_CONCLUSION = lazy_regex(r"採決(?:の|いたしました|しました)結果|附帯決議が付")
_LONGEST_TOPIC, _OPENING = 24, 30
_REMARK = 3
_LONGEST_NAMING = LONGEST_LINE // 2
_GOES_WITH = lazy_regex(r"に対する(?:附帯決議|[^。]{0,40}修正案)\Z")


def select_proposals(analysis: MeetingAnalysis, most: int) -> list[ContentLine]:
    """Lines of every explanation and report in turn, so that each agenda item is covered."""
    by_speech = [_proposed(analysis, order) for order in _explaining(analysis)]
    rounds = [lines[turn] for turn in range(most) for lines in by_speech if turn < len(lines)]
    return sorted(rounds[:most], key=line_position)


def _explaining(analysis: MeetingAnalysis) -> list[int]:
    """Speeches that explain or report; those on a supplementary resolution only if there is no other."""
    orders = analysis.orders_of("趣旨説明", "報告")
    main = [order for order in orders if "附帯決議案" not in analysis.meeting.by_order[order].text]
    return main or orders


def _proposed(analysis: MeetingAnalysis, order: int) -> list[ContentLine]:
    """Lines by score; a committee's conclusion is left out if the house itself decided."""
    decided = bool(analysis.facts.decisions)
    lines = [line for line in analysis.lines[order] if not line.is_question and len(line.text) <= LONGEST_LINE]
    usable = [line for line in lines if not (decided and _CONCLUSION.search(line.text))]
    return sorted(usable or lines, key=lambda line: (-line.score, line.sentence.index))


def draft_statement(analysis: MeetingAnalysis, line: ContentLine) -> SentenceDraft:
    """A line that can be read by itself: 本案 (“this bill”) becomes its title, and a needed lead is put before it."""
    item = next((item for item in analysis.business if line.order in item.orders), None)
    opening = _SUBJECT.match(wording_options(line.text)[0])
    if item is None or opening is None or len(item.title) > _LONGEST_SUBJECT:
        return new_draft(line.order, *wordings_with_lead(analysis, line))
    spoken = analysis.meeting.by_order
    naming = [order for order in item.orders if order <= line.order and item.title in spoken[order].text]
    orders = tuple(dict.fromkeys((*naming[-1:], line.order)))
    named = (
        [f"{item.title}は、{trim_openers(_SUBJECT.sub('', text))}" for text in wording_options(line.text)[:2]]
        if naming
        else []
    )
    lead = _naming_sentence(analysis, item.title, naming, line.text)
    with_lead = [simplify(lead) + text for text in wording_options(line.text)] if lead else []
    return new_draft(orders, *named, *with_lead, *wording_options(line.text))


def draft_answer(analysis: MeetingAnalysis, line: ContentLine, *, about: bool = True) -> SentenceDraft:
    """A line of an answer with who gave it, and with its topic unless its question comes directly before it."""
    who = speaker_name(analysis.meeting.by_order[line.order])
    texts = wordings_with_lead(analysis, line)
    named = tuple(f"{text.removesuffix('。')}（{who}）。" for text in texts[:2])
    return _with_topic(line, named, texts) if about else new_draft(line.order, *named, *texts)


def draft_question(analysis: MeetingAnalysis, line: ContentLine, *, who: bool = False) -> SentenceDraft:
    """A question with its topic; with `who`, also the name of the questioner."""
    texts = wordings_with_lead(analysis, line)
    by = f"（{speaker_name(analysis.meeting.by_order[line.order])}）" if who else ""
    return _with_topic(line, tuple(f"{text}{by}" for text in texts[:2]), texts)


def _with_topic(line: ContentLine, named: tuple[str, ...], otherwise: tuple[str, ...]) -> SentenceDraft:
    """With the topic in front, if there is a short one that the line doesn't name."""
    topic = line.topic
    if topic is None or len(topic.text) > _LONGEST_TOPIC or topic.text in named[0] or "について" in named[0][:_OPENING]:
        return new_draft(line.order, *named, *otherwise)
    orders = tuple(dict.fromkeys((topic.order, line.order)))
    return new_draft(orders, *(f"{topic.text}について、{text}" for text in named), *named, *otherwise)


def draft_opinion(analysis: MeetingAnalysis, line: ContentLine) -> SentenceDraft:
    """A line of a statement that answers no question, with who made it."""
    who, texts = speaker_name(analysis.meeting.by_order[line.order]), wordings_with_lead(analysis, line)
    return new_draft(line.order, *(f"{text.removesuffix('。')}（{who}）。" for text in texts[:2]), *texts)


def list_unprompted_speeches(analysis: MeetingAnalysis) -> list[int]:
    """Speeches that answer no question, such as a witness's opening statement."""
    alone = [order for order in analysis.orders_of("意見", "答弁") if order not in analysis.course.response_to]
    return [order for order in alone if len(analysis.lines[order]) > _REMARK]


def draft_position(analysis: MeetingAnalysis, order: int) -> SentenceDraft:
    """Who argued for what, and the first reason they state; the side alone if they state none."""
    reasons = stated_reasons(analysis.meeting.by_order[order], analysis.reaction(order))
    wordings = tuple(text for reason in reasons for text in wording_options(reason.text))
    return SentenceDraft(
        tuple(dict.fromkeys(wordings)),
        (order,),
        opening=stance_sentence(analysis.meeting.by_order[order], analysis.course),
    )


def draft_lines(analysis: MeetingAnalysis, lines: Sequence[ContentLine]) -> list[SentenceDraft]:
    """A draft for each line, with its lead unless that comes directly before it; without lines that lack theirs.

    If all lines lack theirs, the first is kept: a speech with content has at least one line.
    """
    drafts: list[SentenceDraft] = []
    before: ContentLine | None = None
    for line in lines:
        follows = before is not None and line_position(before) == (line.order, line.sentence.index - 1)
        if follows or not line.needs_context:
            drafts.append(new_draft(line.order, *wording_options(line.text)))
        elif analysis.lead_of(line) is not None:
            drafts.append(new_draft(line.order, *wordings_with_lead(analysis, line)))
        before = line
    return drafts or [new_draft(line.order, *wording_options(line.text)) for line in lines[:1]]


def draft_decisions(analysis: MeetingAnalysis) -> Iterator[tuple[HouseDecision, SentenceDraft]]:
    """A sentence for each decision that names its subject; one whose subject the record doesn't tell gets none."""
    for decision in analysis.facts.decisions:
        asked_at = () if decision.asked_at is None else (decision.asked_at,)
        orders = tuple(sorted({*_orders_naming(analysis, decision), *asked_at, decision.order}))
        if wordings := decision_sentences(decision):
            yield decision, SentenceDraft(wordings, orders, states_decision=True)


def _orders_naming(analysis: MeetingAnalysis, decision: HouseDecision) -> tuple[int, ...]:
    """The last speech before the vote that names the subject, so that a reader finds both."""
    title = _GOES_WITH.sub("", decision.subject)
    before = [
        speech.order
        for speech in analysis.meeting.spoken
        if speech.order <= decision.order and title and title in speech.text
    ]
    return tuple(before[-1:])


def _naming_sentence(analysis: MeetingAnalysis, title: str, naming: Sequence[int], text: str) -> str:
    """The last sentence before a text that names its subject, so that 本案 (“this bill”) can be understood.

    Empty where the text names it itself, or no short sentence does.
    """
    if not title or title in text:
        return ""
    spoken = (each for order in naming[-1:] for each in spoken_sentences(analysis.meeting.by_order[order]))
    before = takewhile(lambda each: each.text != text, spoken)
    fitting = [
        each.text for each in before if each.is_ended and title in each.text and len(each.text) <= _LONGEST_NAMING
    ]
    return fitting[-1] if fitting else ""
