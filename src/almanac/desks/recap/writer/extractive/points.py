"""Key points: weighty decisions first, then what was announced, argued and answered, each with who said it."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.desks.recap.model.facts.weights import is_weighty
from almanac.desks.recap.model.recap import PointKind
from almanac.desks.recap.writer.evidence import SentenceDraft
from almanac.desks.recap.writer.extractive.analysis import ContentLine, MeetingAnalysis
from almanac.desks.recap.writer.extractive.exchanges import (
    best_questions_by_topic,
    exchange_weight,
    line_position,
    rank_answers,
    select_answers,
)
from almanac.desks.recap.writer.extractive.headlines import has_weighty_business
from almanac.desks.recap.writer.extractive.occasions import policy_speech
from almanac.desks.recap.writer.extractive.statements import (
    draft_answer,
    draft_decisions,
    draft_opinion,
    draft_position,
    draft_question,
    draft_statement,
    has_content,
    list_unprompted_speeches,
    select_proposals,
)
from almanac.kit.lazy import lazy_regex

GOOD = 1.2
_POINTS, _DECISIONS, _ROUTINE, _PROPOSALS, _POSITIONS, _POLICIES = 10, 5, 2, 3, 2, 5
_ENOUGH, _FEW, _EXCHANGES = 8, 4, 3
_OPINIONS = 4
_ATTRIBUTION = lazy_regex(r"（[^（）]*）。?\Z|。\Z")
_ALIKE, _PAIR = 0.62, 2
_LOOKS_BACK = lazy_regex(r"(?:ました|でした|忘れません)。\Z|[0-9一二三四五六七八九十]年前")


@dataclass(frozen=True, slots=True)
class LevelDraft:
    """A drafted sentence and the kind of key point that it is."""

    kind: PointKind
    draft: SentenceDraft

    @property
    def order(self) -> int:
        return self.draft.orders[-1]


def point_drafts(analysis: MeetingAnalysis) -> list[LevelDraft]:
    """Weighty decisions first; appointments and the like come last, and lead only where nothing weightier was done."""
    ranked = sorted(draft_decisions(analysis, brief=True), key=lambda pair: analysis.weight_of(pair[0]))
    decided = [(each, LevelDraft("vote" if each.vote else "decision", text)) for each, text in ranked]
    weighty = [piece for each, piece in decided if is_weighty(each)][:_DECISIONS]
    routine = [piece for each, piece in decided if not is_weighty(each)]
    if weighty or has_weighty_business(analysis):
        last = routine[:_ROUTINE]
        pieces = [*weighty, *body_drafts(analysis, _POINTS - len(weighty) - len(last)), *last]
        pieces += routine[_ROUTINE : _ROUTINE + max(0, _FEW - len(pieces))]
    else:
        body = body_drafts(analysis, _POINTS - len(routine[:_DECISIONS]))
        pieces = [*routine[:_DECISIONS], *(body or ([] if decided else best_statements(analysis, _PROPOSALS)))]
    return without_repetition(pieces)[:_POINTS]


def body_drafts(analysis: MeetingAnalysis, most: int) -> list[LevelDraft]:
    """What was said, at most so many points, in the order of the meeting: announced, argued, answered, remarked."""
    pieces = [
        *policy_drafts(analysis, _POLICIES),
        *_position_drafts(analysis),
        *proposal_drafts(analysis, _PROPOSALS),
    ]
    pieces += answer_drafts(analysis, max(0, min(most, _ENOUGH) - len(pieces)))
    pieces += opinion_drafts(analysis)[: max(0, most - len(pieces))]
    if len(pieces) < _FEW:
        pieces += _exchange_drafts(analysis)
    return sorted(without_repetition(pieces)[:most], key=lambda piece: piece.order)


def _position_drafts(analysis: MeetingAnalysis) -> list[LevelDraft]:
    """One speech for and one against before a second on either side."""
    orders = [order for order in debate_orders(analysis) if has_content(analysis, order)]
    first = {analysis.reaction(order): order for order in reversed(orders)}
    chosen = [*first.values(), *(order for order in orders if order not in first.values())][:_POSITIONS]
    return [LevelDraft("position", draft_position(analysis, order)) for order in sorted(chosen)]


def _exchange_drafts(analysis: MeetingAnalysis) -> list[LevelDraft]:
    """Questions with their answers, for debates in which nobody gives figures or announces anything."""
    asked = sorted(analysis.orders_of("質問"), key=lambda order: -exchange_weight(analysis, order))
    pieces: list[LevelDraft] = []
    for order in asked:
        questions = [line for line in best_questions_by_topic(analysis, order) if _can_stand(line)]
        answers = [line for reply in analysis.course.answers_of(order) for line in rank_answers(analysis, reply)[:1]]
        if questions and answers and _can_stand(answers[0]):
            pieces.append(LevelDraft("question", draft_question(analysis, questions[-1], who=True)))
            pieces.append(LevelDraft("answer", draft_answer(analysis, answers[0], about=False)))
        if len(pieces) >= _PAIR * _EXCHANGES:
            break
    return pieces


def _can_stand(line: ContentLine) -> bool:
    return not (line.needs_context or line.is_colloquial or line.announces_topic)


def policy_drafts(analysis: MeetingAnalysis, most: int) -> list[LevelDraft]:
    """The weightiest announcements of a policy speech."""
    speech = policy_speech(analysis)
    lines = analysis.best([speech[0].order], 3 * most) if speech else []
    ahead = [line for line in lines if line.score >= GOOD and not (line.needs_context or _LOOKS_BACK.search(line.text))]
    chosen = sorted(sorted(ahead, key=lambda line: -line.score)[:most], key=line_position)
    return [LevelDraft("proposal", draft_opinion(analysis, line)) for line in chosen]


def proposal_drafts(analysis: MeetingAnalysis, most: int) -> list[LevelDraft]:
    """What explanations and reports say."""
    return [
        LevelDraft("figure" if line.has_figure else "proposal", draft_statement(analysis, line))
        for line in select_proposals(analysis, most)
    ]


def answer_drafts(analysis: MeetingAnalysis, most: int) -> list[LevelDraft]:
    """The best answers."""
    lines = [line for line in select_answers(analysis, most) if line.score >= GOOD and not line.is_colloquial]
    return [LevelDraft("answer", draft_answer(analysis, line)) for line in lines]


def opinion_drafts(analysis: MeetingAnalysis) -> list[LevelDraft]:
    """The best line of each of the first speeches that answer no question."""
    speech = policy_speech(analysis)
    orders = [order for order in list_unprompted_speeches(analysis) if not (speech and order == speech[0].order)]
    lines = [line for order in orders[:_OPINIONS] for line in analysis.best([order], 1)]
    good = [line for line in lines if line.score >= GOOD and not (line.is_read_out or line.needs_context)]
    return [LevelDraft("other", draft_opinion(analysis, line)) for line in good]


def debate_orders(analysis: MeetingAnalysis) -> list[int]:
    """The speeches for or against that have content."""
    return [order for order in analysis.orders_of("賛成", "反対") if analysis.lines[order]]


def best_statements(analysis: MeetingAnalysis, most: int) -> list[LevelDraft]:
    """The highest scoring sentences, for meetings whose form no rule recognizes."""
    return [LevelDraft("other", draft_statement(analysis, line)) for line in analysis.best(analysis.lines, most)]


def without_repetition(pieces: Sequence[LevelDraft]) -> list[LevelDraft]:
    """Without drafts that another contains, and a second one that says nearly the same; decisions and sides stay."""
    texts = [_ATTRIBUTION.sub("", piece.draft.preferred) for piece in pieces]
    kept: list[int] = []
    for at, (piece, text) in enumerate(zip(pieces, texts, strict=True)):
        contained = any(text in other and text != other for other in texts)
        alike = not piece.draft.opening and any(
            _is_alike(text, texts[other]) for other in kept if not pieces[other].draft.states_decision
        )
        if not (contained or alike) or piece.draft.states_decision:
            kept.append(at)
    return [pieces[at] for at in kept]


def _is_alike(text: str, other: str) -> bool:
    """Whether two sentences share most of their pairs of characters."""
    pairs, others = _pairs(text), _pairs(other)
    fewest = min(len(pairs), len(others))
    return bool(fewest) and len(pairs & others) >= _ALIKE * max(fewest, max(len(pairs), len(others)) / 2)


def _pairs(text: str) -> set[str]:
    return {text[at : at + _PAIR] for at in range(len(text) - 1)}
