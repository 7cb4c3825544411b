"""The levels above the speeches: key points, a summary, a plain one, a detailed one; sentences chosen and verified."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from almanac.desks.recap.model.recap import PointKind
from almanac.desks.recap.writer.evidence import SentenceDraft, choose_wordings, cited_orders, new_draft
from almanac.desks.recap.writer.extractive.labels import compose_title, speaker_with_group
from almanac.desks.recap.writer.extractive.phrasing import split_sentence, wording_options
from almanac.desks.recap.writer.extractive.sitting import Sitting, SittingLine
from almanac.desks.recap.writer.extractive.statements import (
    best_answers_by_topic,
    best_questions_by_topic,
    draft_answer,
    draft_decisions,
    draft_opinion,
    draft_position,
    draft_question,
    draft_statement,
    exchange_weight,
    find_question,
    group_by_questioner,
    is_same_topic,
    line_position,
    list_unprompted_speeches,
    select_answers,
    select_proposals,
)
from almanac.desks.recap.writer.notes import LevelNotes, MiddleNote, PointNote
from almanac.llm.sources import Cited, Reference

_POINTS, _DECISIONS, _PROPOSALS, _ANSWERS, _POSITIONS = 10, 4, 3, 3, 2
_SUMMARY_ITEMS, _SUMMARY_PROPOSALS, _SUMMARY_ANSWERS = 3, 4, 5
_SOFT_PROPOSALS, _SOFT_EXCHANGES, _LONGEST_SOFT = 3, 4, 130
_MIDDLE_LINES, _MIDDLE_EXCHANGES, _MIDDLE_TOPICS, _MIDDLE_ANSWER = 6, 8, 12, 2
_LONGEST_DESCRIPTION = 160
_ENOUGH = 8
_OPINIONS = 4
_GOOD = 1.2


@dataclass(frozen=True, slots=True)
class LevelDraft:
    """A sentence to be, and what kind of thing it tells."""

    kind: PointKind
    draft: SentenceDraft

    @property
    def order(self) -> int:
        return self.draft.orders[-1]


def write_levels(sitting: Sitting) -> LevelNotes:
    """All levels at once, so that each speech is read for verification once."""
    points, summary, soft = _points(sitting), _summary(sitting), _soft(sitting)
    middle = [(title, list(drafts)) for title, drafts in _middle(sitting)]
    drafts = [each.draft for each in (*points, *summary, *soft)] + [each for _, part in middle for each in part]
    told = iter(list(zip(drafts, choose_wordings(drafts, sitting.meeting), strict=True)))
    key_points = tuple(_point(piece, *next(told)) for piece in points)
    key_points = tuple(point for point in key_points if point.text)
    plain, softer = (_cited([next(told) for _ in level]) for level in (summary, soft))
    sections = [MiddleNote(title=title, sentences=_cited([next(told) for _ in part])) for title, part in middle]
    return LevelNotes(
        title=compose_title(sitting),
        description=_description(sitting, key_points or plain),
        categories=sitting.categories,
        key_points=key_points,
        summary=plain,
        soft_language_summary=softer,
        middle_summary=tuple(section for section in sections if section.sentences),
    )


def _point(piece: LevelDraft, each: SentenceDraft, text: str | None) -> PointNote:
    return PointNote(text=text or "", references=_references(each), kind=piece.kind)


def _cited(told: Iterable[tuple[SentenceDraft, str | None]]) -> tuple[Cited, ...]:
    kept = {text: each for each, text in told if text}
    return tuple(Cited(text=text, references=_references(each)) for text, each in kept.items())


def _references(each: SentenceDraft) -> tuple[Reference, ...]:
    return tuple(Reference(source=str(order)) for order in each.orders)


def _description(sitting: Sitting, sentences: Sequence[Cited]) -> str:
    """The first sentences that fit on a card, as far as they hold together."""
    most = next((n for n in range(len(sentences), 1, -1) if _length(sentences[:n]) <= _LONGEST_DESCRIPTION), 1)
    orders = tuple(sorted({order for each in sentences[:most] for order in cited_orders(each)}))
    wordings = ("".join(each.text for each in sentences[:count]) for count in range(most, 0, -1))
    return choose_wordings([new_draft(orders, *wordings)], sitting.meeting)[0] or ""


def _length(sentences: Sequence[Cited]) -> int:
    return sum(len(each.text) for each in sentences)


def _points(sitting: Sitting) -> list[LevelDraft]:
    decided = [LevelDraft("vote" if each.vote else "decision", text) for each, text in draft_decisions(sitting)]
    positions = [LevelDraft("position", draft_position(sitting, order)) for order in _arguing(sitting)][:_POSITIONS]
    others = [*decided[:_DECISIONS], *_proposals(sitting, _PROPOSALS), *_opinions(sitting), *positions]
    body = [*others[len(decided[:_DECISIONS]) :], *_answers(sitting, max(_ANSWERS, _ENOUGH - len(others)))]
    later = sorted(body or _anything(sitting, _PROPOSALS), key=lambda piece: piece.order)
    return _told_once([*decided[:_DECISIONS], *later])[:_POINTS]


def _summary(sitting: Sitting) -> list[LevelDraft]:
    """In the order of the sitting: what was on the agenda, proposed, asked, argued and decided."""
    decided = [LevelDraft("decision", text) for _, text in draft_decisions(sitting)]
    positions = [LevelDraft("position", draft_position(sitting, order)) for order in _arguing(sitting)]
    others = [*_proposals(sitting, _SUMMARY_PROPOSALS), *_opinions(sitting), *positions]
    body = [*others, *_answers(sitting, max(_SUMMARY_ANSWERS, _ENOUGH - len(others)))]
    told = [*_laid(sitting), *(body or _anything(sitting, _SUMMARY_ANSWERS)), *decided]
    return _told_once(sorted(told, key=lambda piece: piece.order))


def _told_once(pieces: Sequence[LevelDraft]) -> list[LevelDraft]:
    """Without those that another one holds, as the lead of a sentence that leans on it."""
    texts = [piece.draft.wordings[0] for piece in pieces]
    return [
        piece
        for piece, text in zip(pieces, texts, strict=True)
        if not any(text in other and text != other for other in texts)
    ]


def _soft(sitting: Sitting) -> list[LevelDraft]:
    """What came of it first, then what it is about, then what was asked and answered, in short sentences."""
    pieces = [LevelDraft("decision", text) for _, text in draft_decisions(sitting)][:_DECISIONS]
    lines = [line for line in select_proposals(sitting, 2 * _SOFT_PROPOSALS) if len(line.text) <= _LONGEST_SOFT]
    lines = sorted(lines, key=lambda line: -line.worth)[:_SOFT_PROPOSALS] or select_proposals(sitting, 1)
    for line in sorted(lines, key=line_position):
        pieces.append(LevelDraft("proposal", _split(draft_statement(sitting, line))))
    pieces += _opinions(sitting)
    for line in select_answers(sitting, _SOFT_EXCHANGES):
        asked = find_question(sitting, line)
        pieces += [LevelDraft("question", draft_question(sitting, asked, who=True))] if asked else []
        pieces.append(LevelDraft("answer", _split(draft_answer(sitting, line, about=asked is None))))
    return pieces or _anything(sitting, _SUMMARY_ANSWERS)


def _split(whole: SentenceDraft) -> SentenceDraft:
    """A long sentence as two short ones, where they hold as such."""
    return new_draft(whole.orders, "".join(split_sentence(whole.wordings[0])), *whole.wordings)


def _middle(sitting: Sitting) -> Iterator[tuple[str, list[SentenceDraft]]]:
    """One part for each explanation or report, each questioner, each debate, and the votes."""
    asked, alone = (
        {orders[0]: orders for orders in group_by_questioner(sitting)},
        set(list_unprompted_speeches(sitting)),
    )
    votes = [(each.order, text) for each, text in draft_decisions(sitting)]
    for speech in sitting.meeting.spoken:
        order, reaction = speech.order, sitting.reaction(speech.order)
        if reaction in ("趣旨説明", "報告", "動議") or order in alone:
            yield f"{reaction}：{speaker_with_group(speech)}", _statements(sitting, order)
        elif reaction in ("賛成", "反対"):
            yield f"{reaction}討論：{speaker_with_group(speech)}", _statements(sitting, order)
        elif order in asked:
            yield f"質疑：{speaker_with_group(speech)}", _exchanges(sitting, asked[order])
        elif any(each == order for each, _ in votes):
            yield "採決", [text for each, text in votes if each == order]


def _statements(sitting: Sitting, order: int) -> list[SentenceDraft]:
    return [new_draft(order, *wording_options(line.text)) for line in sitting.best([order], _MIDDLE_LINES)]


def _exchanges(sitting: Sitting, orders: Sequence[int]) -> list[SentenceDraft]:
    """Each question with its answer; where one speech asks much, topic by topic."""
    chosen = sorted(sorted(orders, key=lambda order: -exchange_weight(sitting, order))[:_MIDDLE_EXCHANGES])
    drafts: list[SentenceDraft] = []
    for order in chosen:
        replies = sitting.course.answers_of(order)
        asked = best_questions_by_topic(sitting, order)
        told = [line for each in replies for line in best_answers_by_topic(sitting, each)]
        if len(asked) <= 1 or len(told) <= 1:
            told = sitting.best(replies, max(_MIDDLE_ANSWER, len(told)))
        drafts += _in_turn(sitting, asked[:_MIDDLE_TOPICS], told[:_MIDDLE_TOPICS])
    return drafts


def _in_turn(sitting: Sitting, asked: Sequence[SittingLine], told: Sequence[SittingLine]) -> list[SentenceDraft]:
    """Questions, each followed by what was answered on its topic; then what was answered besides."""
    drafts: list[SentenceDraft] = []
    left = list(told)
    for line in asked:
        matching = [each for each in left if len(asked) == 1 or is_same_topic(line, each)]
        left = [each for each in left if each not in matching]
        drafts += [
            draft_question(sitting, line),
            *(new_draft(each.order, *wording_options(each.text)) for each in matching),
        ]
    return [*drafts, *(draft_answer(sitting, each) for each in left)]


def _laid(sitting: Sitting) -> list[LevelDraft]:
    """What was laid before the house, together where it was laid together."""
    together: dict[int, list[str]] = {}
    for item in sitting.business:
        if item.bill and item.orders:
            together.setdefault(item.orders[0], []).append(item.title)
    return [
        LevelDraft("other", new_draft(order, f"{'、'.join(titles[:_SUMMARY_ITEMS])}が議題となりました。"))
        for order, titles in together.items()
    ]


def _proposals(sitting: Sitting, most: int) -> list[LevelDraft]:
    return [
        LevelDraft("figure" if line.has_figure else "proposal", draft_statement(sitting, line))
        for line in select_proposals(sitting, most)
    ]


def _answers(sitting: Sitting, most: int) -> list[LevelDraft]:
    return [
        LevelDraft("answer", draft_answer(sitting, line))
        for line in select_answers(sitting, most)
        if line.worth >= _GOOD
    ]


def _opinions(sitting: Sitting) -> list[LevelDraft]:
    lines = [line for order in list_unprompted_speeches(sitting)[:_OPINIONS] for line in sitting.best([order], 1)]
    return [LevelDraft("other", draft_opinion(sitting, line)) for line in lines if line.worth >= _GOOD]


def _arguing(sitting: Sitting) -> list[int]:
    return [order for order in sitting.orders_of("賛成", "反対") if sitting.lines[order]]


def _anything(sitting: Sitting, most: int) -> list[LevelDraft]:
    """For sittings without any form that is known: their weightiest sentences."""
    return [LevelDraft("other", draft_statement(sitting, line)) for line in sitting.best(sitting.lines, most)]
