"""Notes on single speeches: sections by what the speech does, bullets from its own sentences."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from almanac.desks.recap.model.facts.reasons import stated_reasons
from almanac.desks.recap.model.facts.speech_text import SpokenSentence, spoken_sentences
from almanac.desks.recap.model.facts.votes import read_vote
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.recap import Reaction
from almanac.desks.recap.writer.evidence import SentenceDraft, choose_wordings, new_draft
from almanac.desks.recap.writer.extractive.analysis import LEAST_SCORE, LONGEST_LINE, ContentLine, MeetingAnalysis
from almanac.desks.recap.writer.extractive.exchanges import answer_wordings, question_wordings
from almanac.desks.recap.writer.extractive.plain_language import wording_options
from almanac.desks.recap.writer.extractive.statements import draft_lines
from almanac.desks.recap.writer.notes import DialogNote, SectionNote
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import parse_kanji_number

_PART_BULLETS = 3
_BULLETS = 4
_MOST_SECTIONS = 8
_LONGEST_SUMMARY = 180
_STANCE = lazy_regex(r"(?:賛成|反対)(?:の|討論|(?:を)?(?:いた)?し)")
_CONCLUSION = lazy_regex(r"採決|附帯決議|議決|決定いたし|可決|承認すべき")
_ISSUES = lazy_regex(r"質疑|議論が|論議|討論")
_ROWS = lazy_regex(r"(投票総数|賛成|反対|可とする者|否とする者)(?:（[^）]*）)?[\s　]+(\S+)")

PlannedSections = list[tuple[str, list[SentenceDraft]]]


def write_dialogs(analysis: MeetingAnalysis, orders: Sequence[int]) -> tuple[DialogNote, ...]:
    """Notes on the speeches of these orders, every bullet of them supported by its speech."""
    planned = [(order, _plan(analysis, analysis.meeting.by_order[order])) for order in orders]
    drafts = [each for _, sections in planned for _, bullets in sections for each in bullets]
    texts = iter(choose_wordings(drafts, analysis.meeting))
    notes = [
        _note(analysis, order, [(title, [next(texts) for _ in bullets]) for title, bullets in sections])
        for order, sections in planned
    ]
    summaries = choose_wordings([_summary(analysis, note) for note in notes], analysis.meeting)
    return tuple(
        note.model_copy(update={"summary": summary or ""}) for note, summary in zip(notes, summaries, strict=True)
    )


def _note(analysis: MeetingAnalysis, order: int, sections: list[tuple[str, list[str | None]]]) -> DialogNote:
    kept = [
        SectionNote(title=title, bullets=tuple(dict.fromkeys(filter(None, bullets))))
        for title, bullets in sections
        if any(bullets)
    ]
    question = analysis.course.response_to.get(order)
    return DialogNote(
        speech=str(order),
        reaction=analysis.reaction(order),
        summary="",
        sections=tuple(kept),
        answers=(str(question),) if question is not None else (),
    )


def _summary(analysis: MeetingAnalysis, note: DialogNote) -> SentenceDraft:
    """What a speech asks or answers; of any other its first bullets, as many as can be verified together."""
    order = int(note.speech)
    bullets = [bullet for section in note.sections for bullet in section.bullets]
    drafted: tuple[str, ...] = ()
    if note.reaction == "質問":
        drafted = question_wordings(analysis, order, _LONGEST_SUMMARY)
    elif note.reaction == "答弁":
        drafted = answer_wordings(analysis, order, _LONGEST_SUMMARY)
    texts = [bullet if bullet.endswith(("。", "？", "！")) else f"{bullet}。" for bullet in bullets]
    joined = ("".join(texts[:count]) for count in range(_fitting(texts), 0, -1))
    return new_draft(order, *drafted, *joined, *bullets[:1])


def _fitting(texts: Sequence[str]) -> int:
    """How many sentences fit into a summary."""
    length = 0
    for count, text in enumerate(texts):
        if count and (length >= _LONGEST_SUMMARY // 2 or length + len(text) > _LONGEST_SUMMARY):
            return count
        length += len(text)
    return len(texts)


def _plan(analysis: MeetingAnalysis, speech: Speech) -> PlannedSections:
    reaction, lines = analysis.reaction(speech.order), _usable(analysis, analysis.lines[speech.order])
    if reaction == "会議録情報":
        return [("議題", [new_draft(speech.order, item.title) for item in analysis.facts.agenda])]
    if reaction == "採決":
        return [("結果", _result(speech))]
    if reaction == "議事進行" or not lines:
        title = "進行" if reaction == "議事進行" else "発言"
        return [(title, [_bullet(each) for each in _proceeding(speech)])]
    return _of_content(analysis, speech, lines)


def _of_content(analysis: MeetingAnalysis, speech: Speech, lines: Sequence[ContentLine]) -> PlannedSections:
    reaction = analysis.reaction(speech.order)
    if reaction in ("賛成", "反対"):
        return _argued(analysis, speech, lines)
    if reaction == "報告":
        return _report(analysis, lines)
    if reaction == "趣旨説明":
        return _explained(analysis, lines)
    return _discussed(analysis, speech, reaction, lines)


def _argued(analysis: MeetingAnalysis, speech: Speech, lines: Sequence[ContentLine]) -> PlannedSections:
    stance = [each for each in spoken_sentences(speech) if _STANCE.search(each.text)][:1]
    reasons = [each for each in stated_reasons(speech, analysis.reaction(speech.order)) if each not in stance]
    if reasons:
        return [("立場", [_bullet(each) for each in stance]), ("理由", [_bullet(each) for each in reasons])]
    others = _best([line for line in lines if line.sentence not in stance], _BULLETS)
    return [("立場", [_bullet(each) for each in stance]), ("発言の要点", draft_lines(analysis, others))]


def _discussed(
    analysis: MeetingAnalysis, speech: Speech, reaction: Reaction, lines: Sequence[ContentLine]
) -> PlannedSections:
    """Questions and answers by topic."""
    otherwise = {"質問": "質問の内容", "答弁": "答弁の内容"}.get(reaction, "発言の要点")
    parts = _by_topic(analysis.lines[speech.order], otherwise)
    most = _PART_BULLETS if len(parts) > 1 else _BULLETS
    planned = [
        (title, draft_lines(analysis, _best(_usable(analysis, part), most, asking=True))) for title, part in parts
    ]
    kept = [(title, bullets) for title, bullets in planned if bullets][:_MOST_SECTIONS]
    return kept or [(otherwise, draft_lines(analysis, lines[:1]))]


def _by_topic(lines: Sequence[ContentLine], otherwise: str) -> list[tuple[str, list[ContentLine]]]:
    """Lines under their topic; what precedes any topic, or has none, is under `otherwise`."""
    grouped = groupby(lines, key=lambda line: line.topic)
    parts = [(f"{topic.text}について" if topic else otherwise, list(group)) for topic, group in grouped]
    return [(title, [line for line in part if not line.announces_topic] or part) for title, part in parts]


def _report(analysis: MeetingAnalysis, lines: Sequence[ContentLine]) -> PlannedSections:
    ends = [line for line in lines if _CONCLUSION.search(line.text)]
    issues = [line for line in lines if _ISSUES.search(line.text) and line not in ends]
    rest = [line for line in lines if line not in ends and line not in issues]
    parts = (
        ("概要", _best(rest, _BULLETS)),
        ("審査の論点", _best(issues, _PART_BULLETS)),
        ("結論", ends[:_PART_BULLETS]),
    )
    return [(title, draft_lines(analysis, part)) for title, part in parts if part]


def _explained(analysis: MeetingAnalysis, lines: Sequence[ContentLine]) -> PlannedSections:
    first = next(
        (at for at, line in enumerate(lines) if re.match(r"第一に|[一１][　 ]|一、", line.text)), len(lines) // 2
    )
    why, what = _best(lines[:first], _PART_BULLETS), _best(lines[first:], _BULLETS + 1)
    parts = (("背景と目的", why), ("内容", what))
    return [(title, draft_lines(analysis, part)) for title, part in parts if part]


def _result(speech: Speech) -> list[SentenceDraft]:
    """The count first, then the chair's own sentences."""
    counts = _ROWS.findall(speech.text) if read_vote(speech.text) else []
    rows = "、".join(name + count for name, count in counts)
    digits = "、".join(f"{name}{parse_kanji_number(count)}" for name, count in counts)
    sentences = [
        each
        for each in spoken_sentences(speech)
        if each.is_ended and re.search(r"よって|起立|挙手|異議なし|決し", each.text)
    ]
    return [
        *([new_draft(speech.order, digits, rows)] if rows else []),
        *(_bullet(each) for each in sentences[:_BULLETS]),
    ]


def _proceeding(speech: Speech) -> list[SpokenSentence]:
    """What the chair does, rather than who the chair calls on."""
    sentences = [each for each in spoken_sentences(speech) if each.is_ended and len(each.text) <= LONGEST_LINE]
    doing = [each for each in sentences if each.text.endswith(("ます。", "ました。", "か。"))]
    return (doing or sentences)[:_PART_BULLETS] or [_beginning(each) for each in spoken_sentences(speech)[:1]]


def _beginning(each: SpokenSentence) -> SpokenSentence:
    """The beginning of a text without a full stop."""
    return replace(each, text=each.text[:LONGEST_LINE])


def _usable(analysis: MeetingAnalysis, lines: Iterable[ContentLine]) -> list[ContentLine]:
    return analysis.readable([line for line in lines if len(line.text) <= LONGEST_LINE])


def _best(lines: Sequence[ContentLine], most: int, *, asking: bool = False) -> list[ContentLine]:
    """The highest scoring lines in their order, at least one; `asking` prefers questions."""
    rated = sorted(
        lines, key=lambda line: (-(line.score + (1.0 if asking and line.is_question else 0.0)), line.sentence.index)
    )
    firm = [line for line in rated if line.score >= LEAST_SCORE] or rated[:1]
    return sorted(firm[:most], key=lambda line: line.sentence.index)


def _bullet(line: SpokenSentence) -> SentenceDraft:
    return new_draft(line.order, *wording_options(line.text))
