"""The plain summary: what was decided, what it does, why for and against, what was asked, in short everyday words.

It doesn't repeat the key points: where they quote a sentence, it takes another one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from almanac.desks.recap.model.facts.keywords import idle_words
from almanac.desks.recap.model.facts.reasons import stated_reasons
from almanac.desks.recap.model.facts.weights import is_weighty
from almanac.desks.recap.model.record import HouseDecision
from almanac.desks.recap.writer.evidence import SentenceDraft, new_draft
from almanac.desks.recap.writer.extractive.analysis import ContentLine, MeetingAnalysis
from almanac.desks.recap.writer.extractive.decision_sentences import plain_decision_sentences, plain_kind
from almanac.desks.recap.writer.extractive.exchanges import find_question, line_position, select_answers
from almanac.desks.recap.writer.extractive.headlines import (
    has_weighty_business,
    place_of,
)
from almanac.desks.recap.writer.extractive.occasions import policy_speech
from almanac.desks.recap.writer.extractive.plain_language import everyday_words, split_sentence, wording_options
from almanac.desks.recap.writer.extractive.points import GOOD, LevelDraft, best_statements, debate_orders
from almanac.desks.recap.writer.extractive.statements import (
    draft_answer,
    draft_decisions,
    draft_opinion,
    draft_position,
    draft_question,
    draft_statement,
    select_proposals,
)
from almanac.kit.lazy import lazy_regex
from almanac.language.terms import content_words

_DECISIONS, _PROPOSALS, _EXCHANGES, _STATEMENTS, _FEW = 3, 2, 3, 4, 3
_LONGEST, _LONGER, _ROUTINE = 90, 130, 1
_CANDIDATES = 6
# What a decision means for people: who pays, who gets what, since when.
_PEOPLE = lazy_regex(
    r"国民|利用者|家計|世帯|子供|こども|学生|高齢者|消費者|生産者|農家|労働者|働く|患者|住民|被害者|被災者|納税者|中小企業|負担|支給|給付|無償|値上げ|引き?上げ|引き?下げ|受けられ|[0-9]円"
)
_FOR_PEOPLE = 0.8
# What the other side says or promised, told by who opposes it.
_OTHERS = lazy_regex(
    r"(?:総理|大臣|政府|与党|代表|自民党|あなた|御党)[^。]{0,60}(?:おっしゃ|言われ|と言[っい]|答弁し|答弁され|発言され|約束(?:し|され))"
)
_PERSONAL = lazy_regex(r"私(?:は|も|自身|の)|思い(?:ます|出)|(?:手続を省略|望みます|敬意を表し)")


def plain_drafts(analysis: MeetingAnalysis, points: Sequence[LevelDraft]) -> list[LevelDraft]:
    """The sentences of the plain summary in their order, none of which a key point quotes."""
    quoted = [piece.draft.preferred for piece in points]
    decisions = _decisions(analysis)
    pieces = [*_statements(analysis, quoted), *_positions(analysis, quoted), *_exchanges(analysis, quoted)]
    led_by_decisions = not has_weighty_business(analysis) or any(is_weighty(each) for each in analysis.facts.decisions)
    pieces = [*decisions, *pieces] if led_by_decisions else [*pieces, *decisions[:_ROUTINE]]
    if len(pieces) < _FEW:
        spoken = analysis.orders_of("趣旨説明", "報告", "答弁", "意見", "賛成", "反対", "質問")
        told_already = [*quoted, *(wording for piece in pieces for wording in piece.draft.wordings[:1])]
        lines = _plain_lines(analysis.best(spoken, _CANDIDATES * _STATEMENTS), told_already)
        pieces += [LevelDraft("other", _plainer(draft_opinion(analysis, line))) for line in lines[:_STATEMENTS]]
    return pieces or _exchanges(analysis, ()) or best_statements(analysis, _STATEMENTS)


def _decisions(analysis: MeetingAnalysis) -> list[LevelDraft]:
    """Who decided what: decisions of one kind together, routine ones only where there are no others."""
    ranked = sorted(draft_decisions(analysis, brief=True), key=lambda pair: analysis.weight_of(pair[0]))
    weighty = [pair for pair in ranked if is_weighty(pair[0]) and "修正案" not in pair[0].subject]
    place = place_of(analysis.meeting)
    groups = [list(group) for _, group in groupby(weighty or ranked, key=lambda pair: plain_kind(pair[0]))]
    return [LevelDraft("decision", _together(place, group)) for group in groups[:_DECISIONS]]


def _together(place: str, group: Sequence[tuple[HouseDecision, SentenceDraft]]) -> SentenceDraft:
    orders = tuple(sorted({order for _, draft in group for order in draft.orders}))
    return replace(group[0][1], wordings=plain_decision_sentences(place, [each for each, _ in group]), orders=orders)


def _statements(analysis: MeetingAnalysis, quoted: Sequence[str]) -> list[LevelDraft]:
    """What is proposed or announced, as far as it is said in a short sentence."""
    proposed = select_proposals(analysis, _CANDIDATES * _PROPOSALS)
    speech = policy_speech(analysis)
    announced = analysis.best([speech[0].order], _CANDIDATES * _PROPOSALS) if speech else []
    pieces = [
        (line, LevelDraft("proposal", _plainer(draft_statement(analysis, line))))
        for line in _plain_lines(proposed, quoted)[:_PROPOSALS]
    ]
    pieces += [
        (line, LevelDraft("proposal", _plainer(draft_opinion(analysis, line))))
        for line in _plain_lines(announced, quoted)[:_STATEMENTS]
    ]
    return [piece for _, piece in sorted(pieces, key=lambda pair: line_position(pair[0]))]


def _plain_lines(lines: Sequence[ContentLine], quoted: Sequence[str]) -> list[ContentLine]:
    """The plain lines that no key point quotes, those first that tell what something means for people."""
    fresh = [line for line in lines if not _is_quoted(line, quoted)]
    fitting = [line for line in fresh if is_plain(line)] or [line for line in fresh if is_plain(line, _LONGER)]
    return sorted(fitting, key=lambda line: -(line.score + _FOR_PEOPLE * bool(_PEOPLE.search(line.text))))


def is_plain(line: ContentLine, longest: int = _LONGEST) -> bool:
    """Whether a line is short, says something to strangers, and is no item of a resolution that is read out."""
    if len(line.text) > longest or line.score < GOOD or line.is_read_out or line.is_colloquial:
        return False
    return line.is_whole and not (line.needs_context or _PERSONAL.search(line.text) or _OTHERS.search(line.text))


def _is_quoted(line: ContentLine, quoted: Sequence[str]) -> bool:
    text = wording_options(line.text)[0].removesuffix("。")
    return any(text in point for point in quoted)


def _positions(analysis: MeetingAnalysis, quoted: Sequence[str]) -> list[LevelDraft]:
    """For each side the first short reason that no key point quotes."""
    drafts: dict[str, SentenceDraft] = {}
    for order in debate_orders(analysis):
        side = analysis.reaction(order)
        if side not in drafts and (draft := _short_position(analysis, order, quoted)):
            drafts[side] = draft
    return [LevelDraft("position", draft) for draft in drafts.values()]


def _short_position(analysis: MeetingAnalysis, order: int, quoted: Sequence[str]) -> SentenceDraft | None:
    draft = draft_position(analysis, order)
    reasons = [each.text for each in stated_reasons(analysis.meeting.by_order[order], analysis.reaction(order))]
    short = [text for text in reasons if len(text) <= _LONGEST and wording_options(text)[0] in draft.wordings]
    fresh = [text for text in short if not any(wording_options(text)[0] in point for point in quoted)]
    if not fresh or len(draft.opening) > _LONGEST:
        return None
    return replace(draft, wordings=tuple(text for each in fresh for text in wording_options(each)))


def _exchanges(analysis: MeetingAnalysis, quoted: Sequence[str]) -> list[LevelDraft]:
    pieces: list[LevelDraft] = []
    for line in select_answers(analysis, _CANDIDATES * _EXCHANGES):
        asked = find_question(analysis, line)
        if asked is None or not is_plain(line) or _is_quoted(line, quoted) or not _answers_question(asked, line):
            continue
        pieces.append(LevelDraft("question", _plainer(draft_question(analysis, asked, who=True))))
        pieces.append(LevelDraft("answer", _plainer(draft_answer(analysis, line, about=False))))
    return pieces[: 2 * _EXCHANGES]


def _answers_question(asked: ContentLine, line: ContentLine) -> bool:
    """Whether a short question can be understood alone, and its answer has a word of it."""
    if len(asked.text) > _LONGEST or asked.announces_topic or asked.needs_context or asked.is_colloquial:
        return False
    shared = set(content_words(asked.text, "ja")) & set(content_words(line.text, "ja"))
    return bool(shared - idle_words())


def _plainer(whole: SentenceDraft) -> SentenceDraft:
    """In everyday words and as two short sentences, as far as that can be verified."""
    return new_draft(whole.orders, *_plain_wordings(whole.wordings[0]), *whole.wordings)


def _plain_wordings(text: str) -> Iterator[str]:
    split = "".join(split_sentence(text))
    yield everyday_words(split)
    yield everyday_words(text)
    yield split
