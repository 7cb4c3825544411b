"""A sitting analyzed for extraction by the rules of its language: facts, course, and every sentence with a score."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from almanac.desks.recap.model.facts.debate import DebateCourse
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.parliaments.chair import numbered_sentences
from almanac.desks.recap.model.parliaments.debate_course import side_sentence
from almanac.desks.recap.model.parliaments.languages import LanguageRules, rules_for
from almanac.desks.recap.model.parliaments.parliament import Parliament, any_of, first_match
from almanac.desks.recap.model.parliaments.record_reader import list_speakers, read_record, trace_course
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.recap import GlossaryTerm, Reaction, RecapKeyword, RecapParticipant
from almanac.desks.recap.model.record import AgendaItem, RecordFacts
from almanac.desks.recap.writer.multilingual.keywords import categorize_speeches, find_keywords

LONGEST_SENTENCE, SHORTEST_SENTENCE = 420, 25
MOST_TERMS, MOST_REASONS = 30, 4
_IDEAL = (50, 220)
_MOST_ABOUT = 1.2
_ABOUT: Mapping[str, float] = {"high": 0.4, "medium": 0.25, "low": 0.12}
_ENDED = re.compile(r"[.!?…][”\"’'“»)\]]*$")


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence with content; one that `leans` needs the one before it to be understood."""

    order: int
    index: int
    text: str
    score: float
    is_question: bool
    has_figure: bool
    leans: bool

    @property
    def place(self) -> tuple[int, int]:
        return self.order, self.index


@dataclass(frozen=True, slots=True, kw_only=True)
class SittingAnalysis:
    """Everything that rules find in one record of another parliament than the Diet."""

    meeting: Meeting
    parliament: Parliament
    rules: LanguageRules
    facts: RecordFacts
    course: DebateCourse
    people: tuple[RecapParticipant, ...]
    sentences: Mapping[int, tuple[ScoredSentence, ...]]
    keywords: tuple[RecapKeyword, ...]
    terms: tuple[GlossaryTerm, ...]
    categories: tuple[str, ...]

    def reaction(self, order: int) -> Reaction:
        return self.course.reactions[order]

    def orders_of(self, *reactions: Reaction) -> list[int]:
        return [speech.order for speech in self.meeting.spoken if self.reaction(speech.order) in reactions]

    def best(self, orders: Iterable[int], most: int, *, asking: bool = False) -> list[ScoredSentence]:
        """The highest scoring statements, or questions, of some speeches, in their order."""
        lines = [line for order in orders for line in self.sentences[order] if line.is_question == asking]
        alone = [line for line in lines if not line.leans] or lines
        chosen = sorted(alone, key=lambda line: (-line.score, line.place))[:most]
        return sorted(chosen, key=lambda line: line.place)

    def reasons_of(self, order: int) -> list[ScoredSentence]:
        """Why a speech takes its side, in its own sentences: without concessions and what others say."""
        rules, side = self.rules, self.reaction(order)
        lines = self.sentences[order]
        judges = any_of(rules.condemns if side == "反対" else rules.praises)
        spoken = [line for line in lines if not line.is_question and not self._is_taken_back(lines, line)]
        called = [line for line in spoken if any_of(rules.reasons).search(line.text) and not line.leans]
        judged = [line for line in spoken if judges.search(line.text) and not line.leans]
        own = side_sentence(self.meeting.by_order[order], self.parliament)
        chosen = {line.place: line for line in (*called, *judged) if line.text != own}
        # The sentence that takes the side is a reason only where it gives one, and the speech gives no other.
        both = sorted((chosen or {line.place: line for line in called}).values(), key=_by_score)
        return sorted(both[:MOST_REASONS], key=lambda line: line.place)

    def _is_taken_back(self, lines: Sequence[ScoredSentence], line: ScoredSentence) -> bool:
        following = next((each for each in lines if each.index == line.index + 1), None)
        turned = following is not None and any_of(self.rules.turns).search(following.text)
        doubtful = any_of((*self.rules.concedes, *self.rules.others)).search(line.text)
        return bool(turned or doubtful)

    @property
    def business(self) -> tuple[AgendaItem, ...]:
        """The bills that were before the house; all its business if there is no bill."""
        return tuple(item for item in self.facts.agenda if item.bill) or self.facts.agenda


def _by_score(line: ScoredSentence) -> tuple[float, tuple[int, int]]:
    return -line.score, line.place


@lru_cache(maxsize=4)
def analyze_sitting(meeting: Meeting) -> SittingAnalysis:
    """Analyze a record. The last few results are cached, since the packs of a sitting are written one by one."""
    parliament = parliament_of(meeting)
    rules, facts, people = rules_for(parliament.language), read_record(meeting), list_speakers(meeting)
    course = trace_course(meeting)
    content = {speech.order: list(_content(speech, parliament, course)) for speech in meeting.speeches}
    titles = [item.title for item in facts.agenda]
    spoken = {order: [text for _, text in pieces] for order, pieces in content.items()}
    keywords = find_keywords(spoken, titles, people, parliament.language)
    return SittingAnalysis(
        meeting=meeting,
        parliament=parliament,
        rules=rules,
        facts=facts,
        course=course,
        people=people,
        sentences={
            order: tuple(_scored(order, index, text, rules, keywords) for index, text in pieces)
            for order, pieces in content.items()
        },
        keywords=keywords,
        terms=tuple(_terms(spoken, rules)),
        categories=categorize_speeches(titles, spoken, parliament.language),
    )


def _content(speech: Speech, parliament: Parliament, course: DebateCourse) -> Iterator[tuple[int, str]]:
    """The sentences that say something, each with its number in the speech."""
    grammar = parliament.speeches
    if speech.is_header or not speech.is_spoken or grammar is None or course.reactions[speech.order] == "議事進行":
        return
    formal = any_of(grammar.formalities)
    for index, (_, text) in enumerate(numbered_sentences(speech.text, parliament.language)):
        fits = SHORTEST_SENTENCE <= len(text) <= LONGEST_SENTENCE
        if fits and _ENDED.search(text) and not formal.search(text):
            yield index, text


def _scored(
    order: int, index: int, text: str, rules: LanguageRules, keywords: Sequence[RecapKeyword]
) -> ScoredSentence:
    folded = text.casefold()
    about = min(_MOST_ABOUT, sum(_ABOUT[word.priority] for word in keywords if word.keyword.casefold() in folded))
    figure = bool(any_of(rules.figures).search(text))
    leans, money = bool(any_of(rules.leaning).search(text)), bool(any_of(rules.money).search(text))
    score = 0.5 + about + (0.8 if figure else 0.0) + (0.5 if money else 0.0)
    score += 0.9 if any_of(rules.decisive).search(text) else 0.0
    score -= (0.6 if leans else 0.0) + (1.0 if any_of(rules.empty).search(text) else 0.0) + _misfit(len(text))
    asks = bool(any_of(rules.asks).search(text))
    return ScoredSentence(order, index, text, score, is_question=asks, has_figure=figure, leans=leans)


def _misfit(length: int) -> float:
    shortest, longest = _IDEAL
    if length < shortest:
        return (shortest - length) / 25
    return min(1.5, max(0, length - longest) / 120)


def _terms(spoken: Mapping[int, Sequence[str]], rules: LanguageRules) -> Iterator[GlossaryTerm]:
    """The terms that speakers define, in their own words, each once."""
    terms: dict[str, GlossaryTerm] = {}
    for order, texts in spoken.items():
        for text in texts:
            if match := first_match(rules.definitions, text):
                term, definition = match["term"].strip('“”"‘’„ '), match["definition"].strip(" ,;")
                if term.casefold() not in definition.casefold():
                    terms.setdefault(term, GlossaryTerm(term=term, definition=definition, order=order))
    yield from list(terms.values())[:MOST_TERMS]
