"""Drafted sentences for the levels: proposals, questions, answers, positions and decisions, each readable by itself."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from almanac.desks.recap.model.facts.debate import position_sentence
from almanac.desks.recap.model.facts.reasons import stated_reasons
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.writer.evidence import SentenceDraft, new_draft
from almanac.desks.recap.writer.extractive.analysis import ContentLine, MeetingAnalysis, points_back
from almanac.desks.recap.writer.extractive.business_names import what_is_approved
from almanac.desks.recap.writer.extractive.decision_sentences import (
    appointed_together,
    brief_subject,
    decision_sentences,
)
from almanac.desks.recap.writer.extractive.exchanges import line_position, wordings_with_lead
from almanac.desks.recap.writer.extractive.labels import (
    attribution,
    object_of_position,
    reporting_office,
    stance_sentence,
)
from almanac.desks.recap.writer.extractive.plain_language import wording_options
from almanac.kit.lazy import lazy_regex

_THIS_BILL = lazy_regex(
    r"(?:本(?:法律案|改正法?案|法案|案|件|条約|協定|議定書)|(?:この|今回の|今般の)(?:法律案|改正法?案|法案|条約|協定|議定書))(?=[はがをにでの、])"
)
_LONGEST_SUBJECT = 100
# 両法律案: several items, which a sentence by itself doesn't name.
_THESE_BILLS = lazy_regex(r"(?:[両各三四五六]|以上の)(?:法律案|議案|案|件|協定|条約)(?=[はがをにでの、と])")
_AGREED = lazy_regex(r"の締結について(?:の)?承認を求めるの件\Z")
_AGREEMENT = lazy_regex(r"(?:条約|協定|議定書)\Z")
_CONCLUSION = lazy_regex(r"採決(?:の|いたしました|しました)結果|附帯決議が付")
_LONGEST_TOPIC, _OPENING = 24, 30
_REMARK = 3
_FIRST_NAMES = 4
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
    lines = [line for line in analysis.statements(order) if not line.is_read_out]
    usable = [line for line in _named_lines(analysis, lines) if not (decided and _CONCLUSION.search(line.text))]
    return sorted(usable or lines, key=lambda line: (-line.score, line.sentence.index))


def draft_statement(analysis: MeetingAnalysis, line: ContentLine) -> SentenceDraft:
    """A line of an explanation or report that can be read by itself, with who gave it.

    本案 (“this bill”) becomes its title, and a needed lead is put before it. Who reports for a committee is named by
    the office in which the chair called on them.
    """
    speech = analysis.meeting.by_order[line.order]
    office, called_at = reporting_office(analysis.meeting, speech)
    who = f"{speech.speaker}{office}" if office else attribution(speech)
    named, orders = _with_title(analysis, line)
    texts = named or wordings_with_lead(analysis, line)
    return new_draft(tuple(sorted({*called_at, *orders, line.order})), *_each_attributed(texts, who))


def draft_answer(analysis: MeetingAnalysis, line: ContentLine, *, about: bool = True) -> SentenceDraft:
    """A line of an answer with who gave it, and with its topic unless its question comes directly before it."""
    who = attribution(analysis.meeting.by_order[line.order])
    named, orders = _with_title(analysis, line)
    texts = named or wordings_with_lead(analysis, line)
    by = _each_attributed(texts, who)
    return _with_topic(analysis, line, by, orders) if about else new_draft((*orders, line.order), *by)


def draft_question(analysis: MeetingAnalysis, line: ContentLine, *, who: bool = False) -> SentenceDraft:
    """A question with its topic; with `who`, also the name of the questioner."""
    texts = wordings_with_lead(analysis, line)
    by = attribution(analysis.meeting.by_order[line.order]) if who else ""
    return _with_topic(analysis, line, _each_attributed(texts, by) if by else texts, ())


def _each_attributed(texts: Sequence[str], who: str) -> tuple[str, ...]:
    """Every wording with who spoke: none may stand without."""
    return tuple(dict.fromkeys(_attributed(text, who) for text in texts))


def _attributed(text: str, who: str) -> str:
    """The sentence with who spoke in brackets before its full stop."""
    return f"{text.removesuffix('。')}（{who}）。"


def _with_title(analysis: MeetingAnalysis, line: ContentLine) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The wordings with the bill's title for 本案 and 本法案, and where it is named; nothing where no title fits."""
    items = [item for item in analysis.business if item.bill and line.order in item.orders]
    texts = wording_options(line.text)
    if len({item.title for item in items}) != 1 or not _THIS_BILL.search(texts[0]):
        return (), ()
    title, spoken = items[0].title, analysis.meeting.by_order
    naming = [order for order in items[0].orders if order <= line.order and title in spoken[order].text]
    named = tuple(_THIS_BILL.sub(lambda match: _name_for(match[0], title), text, count=1) for text in texts[:2])
    if not naming or points_back(named[0]) or len(title) > _LONGEST_SUBJECT:
        return (), ()
    return (*named, *texts), (naming[-1],)


def _name_for(pronoun: str, title: str) -> str:
    """What stands for “this protocol”: the protocol itself, where the item asks to approve its conclusion."""
    return _AGREED.sub("", title) if _AGREEMENT.search(pronoun) else title


def _with_topic(
    analysis: MeetingAnalysis,
    line: ContentLine,
    named: tuple[str, ...],
    orders: tuple[int, ...],
) -> SentenceDraft:
    """With the topic in front, if the speech or its question announces a short one that the line doesn't name."""
    asked_at = (line.order, analysis.course.response_to.get(line.order))
    topic = line.topic if line.topic and line.topic.order in asked_at else None
    if topic is None or len(topic.text) > _LONGEST_TOPIC or topic.text in named[0] or "について" in named[0][:_OPENING]:
        return new_draft((*orders, line.order), *named)
    cited = tuple(dict.fromkeys((*orders, topic.order, line.order)))
    return new_draft(cited, *(f"{topic.text}について、{text}" for text in named[:2]), *named)


def draft_opinion(analysis: MeetingAnalysis, line: ContentLine) -> SentenceDraft:
    """A line of a statement that answers no question, with who made it."""
    who = attribution(analysis.meeting.by_order[line.order])
    named, orders = _with_title(analysis, line)
    texts = named or wordings_with_lead(analysis, line)
    return new_draft((*orders, line.order), *_each_attributed(texts, who))


def list_unprompted_speeches(analysis: MeetingAnalysis) -> list[int]:
    """Speeches that answer no question, such as a witness's opening statement."""
    alone = [order for order in analysis.orders_of("意見", "答弁") if order not in analysis.course.response_to]
    return [order for order in alone if len(analysis.lines[order]) > _REMARK]


def draft_position(analysis: MeetingAnalysis, order: int) -> SentenceDraft:
    """Who argued for what, and the first reason they state; the side alone if they state none."""
    speech = analysis.meeting.by_order[order]
    reasons = stated_reasons(speech, analysis.reaction(order))
    alone = [reason for reason in reasons if not points_back(reason.text)]
    wordings = tuple(text for reason in alone for text in wording_options(reason.text))
    return SentenceDraft(tuple(dict.fromkeys(wordings)), (order,), opening=stance_sentence(speech, analysis.course))


def has_content(analysis: MeetingAnalysis, order: int) -> bool:
    """Whether a position tells what it is about or why; 「反対します」 alone tells neither."""
    speech = analysis.meeting.by_order[order]
    return bool(object_of_position(position_sentence(speech)) or stated_reasons(speech, analysis.reaction(order)))


def draft_lines(
    analysis: MeetingAnalysis, lines: Sequence[ContentLine], *, by_title: bool = False
) -> list[SentenceDraft]:
    """A draft for each line, with its lead unless that comes directly before it; without lines that lack theirs.

    If all lines lack theirs, the first is kept: a speech with content has at least one line. `by_title` names the
    bill for “this bill”, which the speech itself may not do.
    """
    drafts: list[SentenceDraft] = []
    before: ContentLine | None = None
    for line in _named_lines(analysis, lines) if by_title else lines:
        named, orders = _with_title(analysis, line) if by_title else ((), ())
        follows = before is not None and line_position(before) == (line.order, line.sentence.index - 1)
        if named:
            drafts.append(new_draft((*orders, line.order), *named[:2]))
        elif follows or not line.needs_context:
            drafts.append(new_draft(line.order, *wording_options(line.text)))
        elif analysis.lead_of(line) is not None:
            drafts.append(new_draft(line.order, *wordings_with_lead(analysis, line)))
        before = line
    return drafts or [new_draft(line.order, *wording_options(line.text)) for line in lines[:1]]


def _named_lines(analysis: MeetingAnalysis, lines: Sequence[ContentLine]) -> list[ContentLine]:
    """The lines without those that only say “this bill” or “both bills” where no title can stand; or all."""
    nameless = [
        line
        for line in lines
        if _THESE_BILLS.search(line.text) or (_THIS_BILL.search(line.text) and not _with_title(analysis, line)[0])
    ]
    return [line for line in lines if line not in nameless] or list(lines)


def draft_decisions(analysis: MeetingAnalysis, *, brief: bool = False) -> Iterator[tuple[HouseDecision, SentenceDraft]]:
    """A sentence for each decision that names its subject, one for all appointments of a ruling.

    One whose subject the record doesn't tell gets none. A `brief` one names only the first of many people.
    """
    for _, group in groupby(analysis.facts.decisions, key=_ruling):
        decisions = list(group)
        orders = {order for each in decisions for order in _orders_of(analysis, each)}
        decision, stated_at = _named_decision(analysis, decisions, brief=brief)
        if wordings := decision_sentences(decision):
            yield decision, SentenceDraft(wordings, tuple(sorted(orders | stated_at)), states_decision=True)


def _ruling(decision: HouseDecision) -> tuple[int, str]:
    """What decisions of one ruling share: only appointments by name are told together."""
    by_name = decision.outcome == "appointed" and decision.subject.endswith("君")
    return decision.order, "" if by_name else decision.subject


def _named_decision(
    analysis: MeetingAnalysis, decisions: Sequence[HouseDecision], *, brief: bool
) -> tuple[HouseDecision, set[int]]:
    """The decision under the name that people know it by, and where that is said."""
    if len(decisions) > 1:
        return appointed_together(decisions, _FIRST_NAMES if brief else len(decisions)), set()
    decision = decisions[0]
    if approved := what_is_approved(analysis.meeting, decision.subject):
        return msgspec.structs.replace(decision, subject=approved[0]), {approved[1]}
    return (msgspec.structs.replace(decision, subject=brief_subject(decision.subject)) if brief else decision), set()


def _orders_of(analysis: MeetingAnalysis, decision: HouseDecision) -> set[int]:
    asked_at = () if decision.asked_at is None else (decision.asked_at,)
    return {*_orders_naming(analysis, decision), *_orders_counting(analysis, decision), *asked_at, decision.order}


def _orders_counting(analysis: MeetingAnalysis, decision: HouseDecision) -> tuple[int, ...]:
    """The speech in which the votes for each name were announced."""
    if not (decision.vote and decision.vote.ballots):
        return ()
    before = [
        each.order for each in analysis.meeting.spoken if each.order <= decision.order and "投票総数" in each.text
    ]
    return tuple(before[-1:])


def _orders_naming(analysis: MeetingAnalysis, decision: HouseDecision) -> tuple[int, ...]:
    """The last speech before the vote that names the subject, so that a reader finds both."""
    title = _GOES_WITH.sub("", decision.subject)
    before = [
        speech.order
        for speech in analysis.meeting.spoken
        if speech.order <= decision.order and title and title in speech.text
    ]
    return tuple(before[-1:])
