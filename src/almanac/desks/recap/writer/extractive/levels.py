"""The levels above the speeches: key points, summary, plain summary and detailed summary, from verified sentences."""

from collections.abc import Iterable, Iterator, Sequence

from almanac.desks.recap.model.facts.debate import is_bare_question, takes_both_sides
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.writer.evidence import SentenceDraft, choose_wordings, new_draft
from almanac.desks.recap.writer.extractive.analysis import LEAST_SCORE, ContentLine, MeetingAnalysis
from almanac.desks.recap.writer.extractive.exchanges import (
    best_answers_by_topic,
    best_questions_by_topic,
    exchange_weight,
    group_by_questioner,
    is_same_topic,
    line_position,
    position_score,
    rank_answers,
)
from almanac.desks.recap.writer.extractive.headlines import compose_title
from almanac.desks.recap.writer.extractive.labels import speaker_with_group
from almanac.desks.recap.writer.extractive.plain_summary import plain_drafts
from almanac.desks.recap.writer.extractive.points import (
    LevelDraft,
    answer_drafts,
    best_statements,
    body_drafts,
    debate_orders,
    opinion_drafts,
    point_drafts,
    policy_drafts,
    proposal_drafts,
    without_repetition,
)
from almanac.desks.recap.writer.extractive.statements import (
    draft_answer,
    draft_decisions,
    draft_lines,
    draft_position,
    draft_question,
    list_unprompted_speeches,
)
from almanac.desks.recap.writer.notes import LevelNotes, MiddleNote, PointNote
from almanac.kit.lazy import lazy_regex
from almanac.llm.sources import Cited, Reference

_SUMMARY_ITEMS, _SUMMARY_PROPOSALS, _SUMMARY_ANSWERS, _POLICIES = 3, 4, 5, 10
_MIDDLE_LINES, _MIDDLE_EXCHANGES, _MIDDLE_TOPICS, _MIDDLE_ANSWER = 6, 8, 12, 2
_LONGEST_DESCRIPTION, _LONGEST_DECISIONS = 160, 320
_ENOUGH, _FEW = 8, 3
_SHORTEST = 12
_GOES_ON = lazy_regex(r"(?:しかし|ところが|ただ|けれども|でも|また|そして|この|その|これ|それ|こう|そう)")
_DECISION = lazy_regex(r"[可否]決|決(?:しま|まりま|定)|承認|同意")


def write_levels(analysis: MeetingAnalysis) -> LevelNotes:
    """All levels at once, so that each speech is parsed for verification only once."""
    points, summary = point_drafts(analysis), _summary_drafts(analysis)
    soft = plain_drafts(analysis, points)
    middle = [(title, list(drafts)) for title, drafts in _detailed_sections(analysis)]
    drafts = [each.draft for each in (*points, *summary, *soft)] + [each for _, part in middle for each in part]
    settled = iter(list(zip(drafts, choose_wordings(drafts, analysis.meeting), strict=True)))
    key_points = tuple(_point(piece, *next(settled)) for piece in points)
    distinct = set(_distinct([point.text for point in key_points]))
    key_points = tuple(point for point in key_points if point.text in distinct)
    plain, softer = (_cited([next(settled) for _ in level]) for level in (summary, soft))
    sections = [MiddleNote(title=title, sentences=_cited([next(settled) for _ in part])) for title, part in middle]
    return LevelNotes(
        title=compose_title(analysis),
        description=_description(key_points or plain),
        categories=analysis.categories,
        key_points=key_points,
        summary=plain,
        soft_language_summary=softer,
        middle_summary=tuple(section for section in sections if section.sentences),
    )


def _point(piece: LevelDraft, each: SentenceDraft, text: str | None) -> PointNote:
    return PointNote(text=text or "", references=_references(each), kind=piece.kind)


def _cited(settled: Iterable[tuple[SentenceDraft, str | None]]) -> tuple[Cited, ...]:
    kept = {text: each for each, text in settled if text}
    return tuple(Cited(text=text, references=_references(kept[text])) for text in _distinct(list(kept)))


def _distinct(texts: Sequence[str]) -> list[str]:
    """The sentences without those that another one contains word for word; every decision and short question stays."""
    contained = {text for text in texts if any(text in other and text != other for other in texts)}
    return [text for text in texts if text not in contained or _stays(text)]


def _stays(text: str) -> bool:
    return 0 < len(text) < _SHORTEST or bool(_DECISION.search(text))


def _references(each: SentenceDraft) -> tuple[Reference, ...]:
    return tuple(Reference(source=str(order)) for order in each.orders)


def _description(sentences: Sequence[Cited]) -> str:
    """The first sentences that fit on a card; it doesn't begin with one that goes on from another."""
    begins = next((at for at, each in enumerate(sentences) if not _GOES_ON.match(each.text)), 0)
    sentences = sentences[begins:]
    most = next((n for n in range(len(sentences), 1, -1) if _length(sentences[:n]) <= _LONGEST_DESCRIPTION), 1)
    decided = sentences[:_FEW]
    if len(decided) > most and all(_DECISION.search(each.text) for each in decided):
        most = max(n for n in range(most, len(decided) + 1) if n == most or _length(decided[:n]) <= _LONGEST_DECISIONS)
    return "".join(each.text for each in sentences[:most])


def _length(sentences: Sequence[Cited]) -> int:
    return sum(len(each.text) for each in sentences)


def _summary_drafts(analysis: MeetingAnalysis) -> list[LevelDraft]:
    """In the order of the meeting: what was on the agenda, proposed, asked, argued and decided."""
    decided = [LevelDraft("decision", text) for _, text in draft_decisions(analysis)]
    positions = [LevelDraft("position", draft_position(analysis, order)) for order in debate_orders(analysis)]
    others = [
        *policy_drafts(analysis, _POLICIES),
        *proposal_drafts(analysis, _SUMMARY_PROPOSALS),
        *opinion_drafts(analysis),
        *positions,
    ]
    body = [*others, *answer_drafts(analysis, max(_SUMMARY_ANSWERS, _ENOUGH - len(others)))]
    if len(body) < _FEW and not decided:
        body = [*body, *body_drafts(analysis, _ENOUGH)] or best_statements(analysis, _SUMMARY_ANSWERS)
    return without_repetition(sorted([*_agenda_drafts(analysis), *body, *decided], key=lambda piece: piece.order))


def _detailed_sections(analysis: MeetingAnalysis) -> Iterator[tuple[str, list[SentenceDraft]]]:
    """One section for each explanation or report, each questioner, each debate speech, and each vote."""
    asked, alone = (
        {orders[0]: orders for orders in group_by_questioner(analysis)},
        set(list_unprompted_speeches(analysis)),
    )
    votes = [(each.order, text) for each, text in draft_decisions(analysis)]
    for speech in analysis.meeting.spoken:
        order, reaction = speech.order, analysis.reaction(speech.order)
        if reaction in ("趣旨説明", "報告", "動議") or order in alone:
            yield f"{reaction}：{speaker_with_group(speech)}", _statement_drafts(analysis, order)
        elif reaction in ("賛成", "反対"):
            yield (
                f"{_position_label(analysis, speech)}：{speaker_with_group(speech)}",
                _statement_drafts(analysis, order),
            )
        elif order in asked:
            yield f"質疑：{speaker_with_group(speech)}", _exchange_drafts(analysis, asked[order])
        elif any(each == order for each, _ in votes):
            yield "採決", [text for each, text in votes if each == order]


def _position_label(analysis: MeetingAnalysis, speech: Speech) -> str:
    """反対討論 for a speech in a debate, 討論 if it takes both sides, 反対 if it only states a position."""
    debated = "討論" if speech.order in analysis.course.argued else ""
    return debated if debated and takes_both_sides(speech) else f"{analysis.reaction(speech.order)}{debated}"


def _statement_drafts(analysis: MeetingAnalysis, order: int) -> list[SentenceDraft]:
    return draft_lines(analysis, analysis.best([order], _MIDDLE_LINES), by_title=True)


def _exchange_drafts(analysis: MeetingAnalysis, orders: Sequence[int]) -> list[SentenceDraft]:
    """Each question with its answers; topic by topic if one speech asks several questions."""
    chosen = sorted(sorted(orders, key=lambda order: -exchange_weight(analysis, order))[:_MIDDLE_EXCHANGES])
    drafts: list[SentenceDraft] = []
    for order in chosen:
        replies = analysis.course.answers_of(order)
        asked = best_questions_by_topic(analysis, order)
        answers = [line for each in replies for line in best_answers_by_topic(analysis, each)]
        if len(asked) <= 1 or len(answers) <= 1:
            answers = _weightiest(analysis, replies, max(_MIDDLE_ANSWER, len(answers)))
        if asked and all(is_bare_question(draft_question(analysis, line).preferred) for line in asked):
            continue
        drafts += _pair_answers(analysis, asked[:_MIDDLE_TOPICS], answers[:_MIDDLE_TOPICS])
    return drafts


def _weightiest(analysis: MeetingAnalysis, replies: Sequence[int], most: int) -> list[ContentLine]:
    """The statements of some answers that meet their question best, in their order."""
    ranked = [line for order in replies for line in rank_answers(analysis, order)]
    firm = [line for line in ranked if line.score >= LEAST_SCORE] or ranked[:1]
    return sorted(sorted(firm, key=lambda line: -position_score(line))[:most], key=line_position)


def _pair_answers(
    analysis: MeetingAnalysis, asked: Sequence[ContentLine], answers: Sequence[ContentLine]
) -> list[SentenceDraft]:
    """Questions, each followed by the answers on its topic; then the remaining answers."""
    drafts: list[SentenceDraft] = []
    left = list(answers)
    for line in asked:
        matching = [each for each in left if len(asked) == 1 or is_same_topic(line, each)]
        left = [each for each in left if each not in matching]
        drafts += [
            draft_question(analysis, line),
            *(draft_answer(analysis, each, about=False) for each in analysis.standing(matching)),
        ]
    return [*drafts, *(draft_answer(analysis, each) for each in left)]


def _agenda_drafts(analysis: MeetingAnalysis) -> list[LevelDraft]:
    """What came under discussion; items that were announced together share a sentence."""
    together: dict[int, list[str]] = {}
    for item in analysis.business:
        if item.bill and item.orders:
            together.setdefault(item.orders[0], []).append(item.title)
    return [
        LevelDraft("other", new_draft(order, f"{'、'.join(titles[:_SUMMARY_ITEMS])}が議題となりました。"))
        for order, titles in together.items()
    ]
