"""The course of a sitting by its parliament's grammar: business, questions put, counts and results.

The sentences of the chair and of the record are followed in order. A heading, or a sentence that opens business, says
what is before the house; a sentence that puts a question says what of it; a result decides the question that was put. A
result is bound to nothing that wasn't named: without a question and without words of its own it has no subject.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.parliaments.chair import ProcedureSentence, procedure_sentences
from almanac.desks.recap.model.parliaments.parliament import (
    Parliament,
    ProcedureGrammar,
    QuestionRule,
    ResultRule,
    any_of,
    first_match,
)
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.record import AgendaItem, BillKind, HouseDecision, Outcome, Vote
from almanac.kit.text import shorten

_KEY_LENGTH = 12
_LONGEST_MOTION = 140
_AGREED: Outcome = "agreed"


@dataclass(frozen=True, slots=True)
class _PutQuestion:
    text: str
    order: int


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a question asks for: the subject of the decision, and the rule that told it."""

    subject: str
    rule: QuestionRule | None = None
    item: AgendaItem | None = None


@dataclass(frozen=True, slots=True)
class Proceedings:
    """The business of a sitting, each with the speeches made on it, and the decisions in their order.

    `formal` are the speeches with results about the conduct of the sitting.
    """

    items: tuple[AgendaItem, ...]
    decisions: tuple[HouseDecision, ...]
    formal: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Sitting:
    parliament: Parliament
    grammar: ProcedureGrammar
    session: int
    items: dict[str, AgendaItem] = field(default_factory=dict)
    orders: dict[str, set[int]] = field(default_factory=dict)
    papers: dict[str, str] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    joint: list[AgendaItem] = field(default_factory=list)
    item: AgendaItem | None = None
    is_named: bool = False
    is_settled: bool = False
    question: _PutQuestion | None = None
    interrupted: _PutQuestion | None = None
    tally: Vote | None = None
    counted: ProcedureSentence | None = None
    last: tuple[str, str] = ("", "")
    formal: set[int] = field(default_factory=set)


@lru_cache(maxsize=4)
def follow_proceedings(meeting: Meeting) -> Proceedings:
    """The course of a sitting. The last ones are cached, since facts, debate and evidence all begin with it."""
    parliament = parliament_of(meeting)
    assert parliament.procedure is not None
    sitting = _Sitting(parliament, parliament.procedure, meeting.session)
    decisions = tuple(_follow(sitting, meeting))
    items = (
        msgspec.structs.replace(item, orders=tuple(sorted(sitting.orders[title])))
        for title, item in sitting.items.items()
    )
    return Proceedings(tuple(items), decisions, frozenset(sitting.formal))


def _follow(sitting: _Sitting, meeting: Meeting) -> Iterator[HouseDecision]:
    for sentence in procedure_sentences(meeting, sitting.parliament):
        yield from _enter(sitting, sentence)
        if sentence.text:
            yield from _hear(sitting, sentence)
        for item in (sitting.item, *sitting.joint):
            if item is not None:
                sitting.orders[item.title].add(sentence.speech.order)
    yield from _settle(sitting)


def _settle(sitting: _Sitting) -> Iterator[HouseDecision]:
    """The result of a count that nothing announced; none where a majority of votes doesn't decide."""
    vote, counted = sitting.tally, sitting.counted
    if vote is None or counted is None or not sitting.grammar.majority_decides:
        return
    ayes, noes = vote.in_favour or 0, vote.against or 0
    outcome: Outcome = _AGREED if ayes > noes else "rejected" if noes > ayes else "other"
    yield from _decide(sitting, counted, ResultRule("", outcome), "")


def _enter(sitting: _Sitting, sentence: ProcedureSentence) -> Iterator[HouseDecision]:
    """Take up new business where the headings change; what was asked under other headings is no longer before it."""
    path = sentence.speech.heading_path
    if path and path != sitting.path:
        title = _business(path, sitting.grammar)
        changed = sitting.item is None or title != sitting.item.title
        if path[0] != (sitting.path or ("",))[0]:
            sitting.joint = []
        sitting.path = path
        if changed:
            yield from _settle(sitting)
            _take_up(sitting, title)
        if sitting.item is not None and any_of(sitting.grammar.joins).search(path[0]):
            sitting.joint += [sitting.item] if sitting.item not in sitting.joint else []
    if not sentence.speech.is_spoken and sitting.item is not None:
        for number in _paper_numbers(sitting, sentence.text):
            sitting.papers.setdefault(number, sitting.item.title)
    if not sentence.is_motion and (match := first_match(sitting.grammar.opens, sentence.text)):
        title = bare_title(_group(match, "title"), sitting.grammar)
        if title:
            yield from _settle(sitting)
            _take_up(sitting, title)


def _take_up(sitting: _Sitting, title: str) -> None:
    sitting.question, sitting.interrupted, sitting.tally = None, None, None
    sitting.item, sitting.is_named = _item(sitting, title) if title else None, False


def _paper_numbers(sitting: _Sitting, text: str) -> list[str]:
    matches = (match for pattern in sitting.grammar.papers for match in re.finditer(pattern, text))
    return [_group(match, "number") for match in matches]


def _business(path: tuple[str, ...], grammar: ProcedureGrammar) -> str:
    """The innermost heading that names a bill or the like, else the innermost that isn't a mere section."""
    sections = any_of(grammar.sections)
    titles = [bare_title(heading, grammar) for heading in reversed(path) if not sections.fullmatch(heading.strip())]
    return next((title for title in titles if business_kind(title, grammar) != "other"), titles[0] if titles else "")


def _item(sitting: _Sitting, title: str) -> AgendaItem:
    if title not in sitting.items:
        followed = business_kind(title, sitting.grammar) != "other"
        key = _bill_key(sitting.parliament.id, title, sitting.session) if followed else None
        sitting.items[title] = AgendaItem(title=title, bill=key)
        sitting.orders[title] = set()
    return sitting.items[title]


def _hear(sitting: _Sitting, sentence: ProcedureSentence) -> Iterator[HouseDecision]:
    grammar, text = sitting.grammar, sentence.text
    puts = first_match(grammar.moves if sentence.is_motion else (*grammar.puts, *grammar.moves), text)
    if puts and (what := _group(puts, "what").strip(" ,:;—–")):
        yield from _settle(sitting)
        before = sitting.question
        named = before.text if before and any_of(grammar.points_back).search(what) else what
        sitting.question, sitting.tally = _PutQuestion(named, sentence.speech.order), None
        if _is_formal(named, grammar):
            sitting.interrupted = before
        sitting.last = ("", "")
        _focus(sitting, named)
    if sentence.is_motion:
        return
    if count := first_match(grammar.counts, text):
        sitting.tally, sitting.counted = _read_vote(count, sitting.tally), sentence
    for pattern, rule in grammar.result_patterns:
        if match := pattern.search(text):
            yield from _decide(sitting, sentence, rule, _group(match, "what"), _noun(match))
            return


def _decide(
    sitting: _Sitting, sentence: ProcedureSentence, rule: ResultRule, stated: str, noun: str = ""
) -> Iterator[HouseDecision]:
    """The decision that a result announces; what only repeats the last result, such as its effect, is none."""
    question = sitting.question
    asked = stated or (question.text if question else "")
    meaning = _meaning(sitting, f"{noun}: {asked}" if noun and asked else asked)
    if stated and question is not None and meaning.rule is None:
        meaning = _meaning(sitting, question.text)
    repeated = bool(meaning.subject) and (meaning.subject, rule.outcome) == sitting.last
    if meaning.item is not None:
        sitting.orders[meaning.item.title].add(sentence.speech.order)
    vote, asked_at = sitting.tally, question.order if question else None
    sitting.question, sitting.tally, sitting.last = None, None, (meaning.subject, rule.outcome)
    sitting.is_settled = True
    if repeated:
        return
    if meaning.rule is not None and meaning.rule.is_formal:
        # A closure decides that the question before it is put.
        sitting.formal.add(sentence.speech.order)
        sitting.question, sitting.interrupted = sitting.interrupted, None
        return
    yield HouseDecision(
        order=sentence.speech.order,
        asked_at=asked_at,
        text=sentence.text,
        outcome=_outcome(rule, meaning),
        subject=meaning.subject,
        manner="" if vote else rule.manner or sitting.grammar.undivided,
        vote=vote,
        bill=meaning.item.bill if meaning.item and meaning.rule and meaning.rule.whole_bill else None,
    )


def _noun(match: re.Match[str]) -> str:
    """What a result calls the decided, and at which stage."""
    return " ".join(filter(None, (_group(match, "noun"), _group(match, "stage"))))


def _is_formal(text: str, grammar: ProcedureGrammar) -> bool:
    return any(rule.is_formal and pattern.search(text) for pattern, rule in grammar.question_patterns)


def _outcome(rule: ResultRule, meaning: _Meaning) -> Outcome:
    if rule.outcome == _AGREED and meaning.rule is not None and meaning.rule.carried is not None:
        return meaning.rule.carried
    return rule.outcome


def _meaning(sitting: _Sitting, text: str) -> _Meaning:
    """What a question is about; without words, or about a bill that nothing names, it has no subject."""
    if not text:
        return _Meaning("")
    for pattern, rule in sitting.grammar.question_patterns:
        if match := pattern.search(text):
            item = _named_item(sitting, text, _group(match, "item"))
            groups = {name: value or "" for name, value in match.groupdict().items() if name != "item"}
            if "{item}" in rule.subject and (item is None or (rule.whole_bill and item.bill is None)):
                named = any(groups.values())
                return _Meaning(" ".join(rule.otherwise.format(**groups).split()) if named else "", rule)
            subject = rule.subject.format(item=item.title if item else "", **groups)
            return _Meaning(_capital(" ".join(subject.replace(" :", ":").split())), rule, item)
    if (item := _named_item(sitting, text, "")) is not None:
        return _Meaning(_capital(sitting.grammar.motion_on.format(item=item.title)), None, item)
    return _Meaning("" if sitting.joint else shorten(text, _LONGEST_MOTION))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _named_item(sitting: _Sitting, text: str, title: str) -> AgendaItem | None:
    """The business that a question names, else the one before the house.

    Of several that are debated together none is meant unless it was named, and once that one is decided, no other paper
    than its own is meant.
    """
    if named := _find_named(sitting, text, title):
        return _item(sitting, named)
    if len(sitting.joint) < 2:
        return sitting.item
    is_open = sitting.is_named and not (sitting.is_settled and _paper_numbers(sitting, text))
    return sitting.item if is_open else None


def _find_named(sitting: _Sitting, text: str, title: str) -> str:
    """The title of the business that a text names by the number of its paper or by its title; empty if it names none."""
    papers = (sitting.papers.get(number) for number in _paper_numbers(sitting, text))
    if listed := next((paper for paper in papers if paper), ""):
        return listed
    match = None if title else first_match(sitting.grammar.names, text)
    return bare_title(title or (_group(match, "title") if match else ""), sitting.grammar)


def _focus(sitting: _Sitting, text: str) -> None:
    """What was named last is before the house until something else is."""
    if len(sitting.joint) > 1 and (named := _find_named(sitting, text, "")):
        sitting.item, sitting.is_named, sitting.is_settled = _item(sitting, named), True, False


def _read_vote(match: re.Match[str], begun: Vote | None) -> Vote:
    ayes, noes = (_number(_group(match, name)) for name in ("ayes", "noes"))
    if begun is not None:
        ayes, noes = (begun.in_favour if ayes is None else ayes), (begun.against if noes is None else noes)
    total = ayes + noes if ayes is not None and noes is not None else None
    return Vote(total=total, in_favour=ayes, against=noes)


def _number(text: str) -> int | None:
    digits = re.sub(r"\D", "", text)
    return int(digits) if digits else None


def _group(match: re.Match[str], name: str) -> str:
    """The group of this name; patterns are joined, so that it may be missing."""
    return (match.groupdict().get(name) or "").strip()


def bare_title(title: str, grammar: ProcedureGrammar) -> str:
    """A title without notes such as [Lords] and without a closing stop."""
    title = re.sub(grammar.title_notes, " ", title)
    for pattern, form in grammar.title_forms:
        title = re.sub(pattern, form, title)
    return " ".join(title.split()).strip(" .–—-")


def business_kind(title: str, grammar: ProcedureGrammar) -> BillKind:
    """What a title names; `other` if the house doesn't follow it from sitting to sitting."""
    return next((kind for kind, pattern in grammar.kinds if re.search(pattern, title)), "other")


def _bill_key(parliament: str, title: str, session: int) -> str:
    """The same in both houses and all sittings of a session."""
    plain = " ".join(unicodedata.normalize("NFKC", title).casefold().split())
    return f"{session}-{hashlib.sha256(f'{parliament}:{plain}'.encode()).hexdigest()[:_KEY_LENGTH]}"
