"""The levels above the speeches: title, key points, summary, plain and detailed summary, from verified sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from almanac.desks.recap.model.recap import PointKind
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.writer.evidence import SentenceDraft, choose_wordings
from almanac.desks.recap.writer.multilingual.analysis import ScoredSentence, SittingAnalysis
from almanac.desks.recap.writer.multilingual.decision_sentences import decision_sentence, plain_decision_sentence
from almanac.desks.recap.writer.multilingual.headlines import compose_headline, rank_decisions, title_list
from almanac.desks.recap.writer.multilingual.labels import side_label, speaker_title
from almanac.desks.recap.writer.multilingual.phrasebook import Phrasebook, phrases_for
from almanac.desks.recap.writer.multilingual.wordings import wording_options
from almanac.desks.recap.writer.notes import LevelNotes, MiddleNote, PointNote
from almanac.llm.sources import Cited, Reference

_POINTS, _DECISIONS, _PROPOSALS, _POSITIONS, _ANSWERS, _OPINIONS = 10, 5, 3, 2, 3, 2
_SUMMARY_ANSWERS, _MIDDLE_LINES, _MIDDLE_EXCHANGES = 6, 5, 6
_SOFT_LINES, _LONGEST_SOFT = 3, 170
_LONGEST_DESCRIPTION = 240


@dataclass(frozen=True, slots=True)
class DraftedSentence:
    """A sentence with the words before it that name its speaker; these are the record's data and need no check."""

    draft: SentenceDraft
    kind: PointKind = "other"
    who: str = ""

    @property
    def order(self) -> int:
        return self.draft.orders[-1]


def write_all_levels(analysis: SittingAnalysis) -> LevelNotes:
    """All levels at once."""
    phrases = phrases_for(analysis.parliament.language)
    points, summary, soft = _points(analysis), _summary(analysis), _plain(analysis)
    middle = [(title, list(drafts)) for title, drafts in _sections(analysis)]
    key_points = tuple(
        PointNote(text=text, references=_references(piece), kind=piece.kind)
        for piece, text in _settle(analysis, points, phrases)
    )
    whole = _cited(analysis, summary, phrases)
    parts = [MiddleNote(title=title, sentences=_cited(analysis, drafts, phrases)) for title, drafts in middle]
    return LevelNotes(
        title=compose_headline(analysis),
        description=_description([point.text for point in key_points] or [each.text for each in whole]),
        categories=analysis.categories,
        key_points=key_points,
        summary=whole,
        soft_language_summary=_cited(analysis, soft, phrases),
        middle_summary=tuple(part for part in parts if part.sentences),
    )


def _settle(
    analysis: SittingAnalysis, pieces: Sequence[DraftedSentence], phrases: Phrasebook
) -> list[tuple[DraftedSentence, str]]:
    """Each sentence in the first wording that its speeches support, each text once."""
    texts = choose_wordings([piece.draft for piece in pieces], analysis.meeting)
    settled: dict[str, DraftedSentence] = {}
    for piece, text in zip(pieces, texts, strict=True):
        if text:
            settled.setdefault(phrases.attributed.format(who=piece.who, text=text) if piece.who else text, piece)
    return [(piece, text) for text, piece in settled.items()]


def _cited(analysis: SittingAnalysis, pieces: Sequence[DraftedSentence], phrases: Phrasebook) -> tuple[Cited, ...]:
    return tuple(Cited(text=text, references=_references(piece)) for piece, text in _settle(analysis, pieces, phrases))


def _references(piece: DraftedSentence) -> tuple[Reference, ...]:
    return tuple(Reference(source=str(order)) for order in piece.draft.orders)


def _description(texts: Sequence[str]) -> str:
    """The first sentences that fit on a card."""
    description = ""
    for text in texts:
        if description and len(description) + len(text) > _LONGEST_DESCRIPTION:
            break
        description = f"{description} {text}".strip()
    return description


def _points(analysis: SittingAnalysis) -> list[DraftedSentence]:
    decided = _decisions(analysis)[:_DECISIONS]
    later = [
        *_proposals(analysis, _PROPOSALS),
        *_positions(analysis)[:_POSITIONS],
        *_answers(analysis, _ANSWERS),
    ]
    others = later or _opinions(analysis, _PROPOSALS)
    return [*decided, *sorted(others, key=lambda piece: piece.order)][:_POINTS]


def _summary(analysis: SittingAnalysis) -> list[DraftedSentence]:
    """In the order of the sitting: what was before it, proposed, asked, argued and decided."""
    body = [
        *_proposals(analysis, _PROPOSALS + 1),
        *_opinions(analysis, _OPINIONS),
        *_positions(analysis),
        *_answers(analysis, _SUMMARY_ANSWERS),
        *_decisions(analysis),
    ]
    return [*_agenda(analysis), *sorted(body, key=lambda piece: piece.order)]


def _plain(analysis: SittingAnalysis) -> list[DraftedSentence]:
    """What was decided, in everyday words; then short sentences of the debate."""
    phrases = phrases_for(analysis.parliament.language)
    decided = [
        DraftedSentence(_decision_draft(each, plain_decision_sentence(each, phrases)), "decision")
        for each in rank_decisions(analysis)[:_DECISIONS]
        if each.subject
    ]
    lines = analysis.best(analysis.orders_of("趣旨説明", "報告", "動議", "答弁", "意見"), 10 * _SOFT_LINES)
    short = sorted((line for line in lines if len(line.text) <= _LONGEST_SOFT), key=lambda line: -line.score)
    return [*decided, *(_statement(analysis, line, "other") for line in sorted(short[:_SOFT_LINES], key=_place))]


def _place(line: ScoredSentence) -> tuple[int, int]:
    return line.place


def _decisions(analysis: SittingAnalysis) -> list[DraftedSentence]:
    phrases = phrases_for(analysis.parliament.language)
    return [
        DraftedSentence(_decision_draft(each, decision_sentence(each, phrases)), "vote" if each.vote else "decision")
        for each in rank_decisions(analysis)
        if each.subject
    ]


def _decision_draft(decision: HouseDecision, text: str) -> SentenceDraft:
    orders = sorted({decision.order} if decision.asked_at is None else {decision.asked_at, decision.order})
    return SentenceDraft((text,), tuple(orders), states_decision=True)


def _agenda(analysis: SittingAnalysis) -> list[DraftedSentence]:
    phrases = phrases_for(analysis.parliament.language)
    items = [item for item in analysis.business if item.orders][:_MIDDLE_LINES]
    if not items:
        return []
    text = phrases.on_agenda.format(titles=title_list([item.title for item in items], phrases))
    return [DraftedSentence(SentenceDraft((text,), tuple(item.orders[0] for item in items), states_decision=True))]


def _statement(analysis: SittingAnalysis, line: ScoredSentence, kind: PointKind) -> DraftedSentence:
    speech = analysis.meeting.by_order[line.order]
    wordings = wording_options(line.text, analysis.rules)
    return DraftedSentence(
        SentenceDraft(wordings, (line.order,)), kind, speaker_title(speech, analysis.parliament.language)
    )


def _proposals(analysis: SittingAnalysis, most: int) -> list[DraftedSentence]:
    lines = analysis.best(analysis.orders_of("趣旨説明", "報告", "動議"), most)
    return [_statement(analysis, line, "figure" if line.has_figure else "proposal") for line in lines]


def _opinions(analysis: SittingAnalysis, most: int) -> list[DraftedSentence]:
    return [_statement(analysis, line, "other") for line in analysis.best(analysis.orders_of("意見"), most)]


def _answers(analysis: SittingAnalysis, most: int) -> list[DraftedSentence]:
    """The best answers, one of each speech."""
    best = [line for order in analysis.orders_of("答弁") for line in analysis.best([order], 1)]
    chosen = sorted(best, key=lambda line: (-line.score, line.place))[:most]
    return [_statement(analysis, line, "answer") for line in sorted(chosen, key=_place)]


def _positions(analysis: SittingAnalysis) -> list[DraftedSentence]:
    """Who spoke for which side, each with the first reason given."""
    pieces = []
    for order in analysis.orders_of("賛成", "反対"):
        bills = [item.title for item in analysis.facts.agenda if item.bill and order in item.orders]
        language, item = analysis.parliament.language, bills[0] if len(bills) == 1 else ""
        label = side_label(analysis.meeting.by_order[order], analysis.course, language, item)
        reasons = analysis.reasons_of(order)[:1]
        wordings = tuple(text for line in reasons for text in wording_options(line.text, analysis.rules))
        opening = f"{label} " if wordings else label
        pieces.append(DraftedSentence(SentenceDraft(wordings, (order,), opening=opening), "position"))
    return pieces


def _sections(analysis: SittingAnalysis) -> Iterator[tuple[str, list[DraftedSentence]]]:
    """One section for each opening speech, statement and side, each questioner in a row, and each vote."""
    phrases, language = phrases_for(analysis.parliament.language), analysis.parliament.language
    asked = {orders[0]: orders for orders in _questioners(analysis)}
    votes = _decisions(analysis)
    for speech in analysis.meeting.spoken:
        order, reaction = speech.order, analysis.reaction(speech.order)
        title = f"{phrases.sections.get(reaction, phrases.points)}: {speaker_title(speech, language)}"
        if order in asked:
            yield title, _exchanges(analysis, asked[order])
        elif reaction == "採決":
            yield phrases.vote, [piece for piece in votes if piece.order == order]
        elif reaction in ("趣旨説明", "報告", "動議", "賛成", "反対") or _is_speech(analysis, order):
            lines = analysis.best([order], _MIDDLE_LINES)
            yield (
                title,
                [
                    DraftedSentence(SentenceDraft(wording_options(line.text, analysis.rules), (order,)))
                    for line in lines
                ],
            )


def _is_speech(analysis: SittingAnalysis, order: int) -> bool:
    """Whether it is a speech of some length that answers no question."""
    unprompted = analysis.reaction(order) in ("意見", "答弁") and order not in analysis.course.response_to
    return unprompted and len(analysis.sentences[order]) >= _MIDDLE_LINES


def _questioners(analysis: SittingAnalysis) -> Iterator[list[int]]:
    spoken = analysis.meeting.by_order
    for _, group in groupby(analysis.orders_of("質問"), key=lambda order: spoken[order].speaker):
        yield list(group)


def _exchanges(analysis: SittingAnalysis, orders: Sequence[int]) -> list[DraftedSentence]:
    pieces: list[DraftedSentence] = []
    for order in orders[:_MIDDLE_EXCHANGES]:
        asked = analysis.best([order], 1, asking=True) or analysis.best([order], 1)
        replies = [line for each in analysis.course.answers_of(order) for line in analysis.best([each], 2)]
        pieces += [_statement(analysis, line, "question") for line in asked]
        pieces += [_statement(analysis, line, "answer") for line in replies]
    return pieces
