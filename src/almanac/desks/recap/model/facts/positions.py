"""Who was for or against in the debate of a sitting, and whether a text says otherwise."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from almanac.desks.recap.model.facts.debate import position_sentence, takes_both_sides, trace_debate
from almanac.desks.recap.model.facts.procedure import follow_sitting
from almanac.desks.recap.model.meeting import Meeting
from almanac.kit.lazy import lazy_regex

# 賛成多数, 反対者 and counts are about votes, and 賛成か反対か is a question.
_SIDE = lazy_regex(r"(?P<side>賛成|反対)(?!多数|少数|総員|者|票|か|[\s　]*[0-9０-９〇一二三四五六七八九十百])")
_DENIED = lazy_regex(r"\A(?:することは)?(?:でき(?:ない|ません|ず)|し(?:ない|ません|かね)|では(?:ない|ありません))")
_ENDS = lazy_regex(r"[。\n]")
# 与党提出の修正案, without the bill itself in the same breath.
_ONLY_AMENDMENT = lazy_regex(r"\A(?:(?!法律案|改正案|原案|政府案|本案|法案).)*修正案[^案]*\Z")
_SHORTEST_TARGET = 2


@dataclass(frozen=True, slots=True)
class Stance:
    """The side that one person took when one or more items were debated.

    `target` is what it was about in their own words, if they were for one proposal and against another.
    """

    names: tuple[str, ...]
    group: str
    side: str
    titles: tuple[str, ...]
    target: str = ""


def list_stances(meeting: Meeting) -> tuple[Stance, ...]:
    """Everyone who argued in a debate, with each side they took."""
    course, items = trace_debate(meeting), follow_sitting(meeting).items
    stances: list[Stance] = []
    for speech in meeting.spoken:
        if speech.order not in course.argued:
            continue
        titles = tuple(item.title for item in items if speech.order in item.orders)
        whole = Stance(_names(speech.speaker), speech.group or "", course.reactions[speech.order], titles)
        stances += _by_target(whole, position_sentence(speech)) if takes_both_sides(speech) else [whole]
    return tuple(stances)


def _by_target(stance: Stance, position: str) -> list[Stance]:
    """One stance for each proposal of a sentence such as 原案に反対、修正案に賛成の立場から討論いたします."""
    start, stances = 0, []
    for match in _SIDE.finditer(position):
        target = position[start : match.start()]
        if len(target) > _SHORTEST_TARGET:
            stances.append(replace(stance, side=match["side"], target=target))
        start = match.end()
    return stances


def _names(speaker: str) -> tuple[str, ...]:
    whole = re.sub(r"[\s　]", "", speaker)
    return tuple(dict.fromkeys((whole, *re.split(r"[\s　]+", speaker.strip())[:1])))


def contradicts_positions(text: str, stances: Sequence[Stance], named: Sequence[str]) -> bool:
    """Whether a text gives somebody a side that they didn't take; `named` are the titles that it names."""
    return any(
        meant and side not in {each.side for each in meant} for side, meant in _stances_meant(text, stances, named)
    )


def confirmed_stances(text: str, stances: Sequence[Stance], named: Sequence[str]) -> list[Stance]:
    """The stances that a text tells of, if it gives everybody the side they took; empty otherwise."""
    stated = list(_stances_meant(text, stances, named))
    if not all(side in {each.side for each in meant} for side, meant in stated):
        return []
    return [stance for _, meant in stated for stance in meant]


def _stances_meant(text: str, stances: Sequence[Stance], named: Sequence[str]) -> Iterator[tuple[str, list[Stance]]]:
    """Each side that a text gives to somebody, with what they argued about it; empty if it was about other business."""
    for sentence in _ENDS.split(text):
        for who, side, target in _stated_sides(stances, sentence):
            theirs = [each for each in stances if who in each.names or who == each.group]
            about = [each for each in theirs if not named or not each.titles or set(named) & set(each.titles)]
            yield side, _on_target(about, target)


def _on_target(stances: list[Stance], target: str) -> list[Stance]:
    """Those about the bill, or about the amendment that a text describes; several amendments stay apart."""
    if not any(each.target for each in stances):
        return stances
    if not _ONLY_AMENDMENT.search(target):
        return [each for each in stances if not _ONLY_AMENDMENT.search(each.target)]
    likeness = [(len(set(target) & set(each.target)), each) for each in stances if "修正案" in each.target]
    best = max((score for score, _ in likeness), default=0)
    return [each for score, each in likeness if score == best]


def _stated_sides(stances: Sequence[Stance], sentence: str) -> Iterator[tuple[str, str, str]]:
    """Each side in a sentence with the person or group named last before it, and the words between them."""
    start = 0
    names = {name for each in stances for name in (*each.names, each.group) if len(name) > 1}
    for match in _SIDE.finditer(sentence):
        before = [(sentence.rfind(name, 0, match.start()), len(name), name) for name in names]
        at, _, who = max(before, default=(-1, 0, ""))
        if at < 0:
            continue
        denied = _DENIED.match(sentence[match.end() :])
        side = match["side"] if not denied else {"賛成": "反対", "反対": "賛成"}[match["side"]]
        yield who, side, sentence[max(start, at + len(who)) : match.start()]
        start = match.end()
