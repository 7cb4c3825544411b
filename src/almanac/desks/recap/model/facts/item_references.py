"""Which items of the agenda a sentence means: by title, by number, or by pointing (本案, 両案, 残余の三案)."""

import re

from almanac.desks.recap.model.facts.agenda import build_item
from almanac.desks.recap.model.facts.floor import Floor
from almanac.desks.recap.model.facts.ruling_subjects import strip_opener
from almanac.desks.recap.model.facts.titles import bare_title, title_notes
from almanac.desks.recap.model.record import AgendaItem
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import parse_kanji_number

_DIGITS = "一二三四五六七八九十百"
_NUMBERS = lazy_regex(rf"日程第([{_DIGITS}]+)(?:(?:ないし|から|乃至)(?:日程)?第([{_DIGITS}]+))?")
_AND_NUMBER = lazy_regex(rf"(?:及び|、|並びに)(?:日程)?第([{_DIGITS}]+)(?=[^{_DIGITS}回条項号次期種類章])")
# 本案は, 原案について: one bill, named before. 両案, 以上三案: as many as the number says, named before.
_SINGLE = lazy_regex(
    r"(?:\A|[、。\n])(?:[^、。\n]{0,8}(?:よって|次に|まず)、?)?(?:これより)?(?:"
    r"本(?:法律案|法案|案|件決算|件|予算|決算|決議案|条約|協定|議定書|規則案|規程案|請願)(?:の原案)?|原案(?:全部)?|両院協議会成案"
    r"|[^、。]{0,20}修正部分を除[くいた]{1,2}原案(?:全部)?)(?=[はをにの]|について|につき|に対し)"
)
_SEVERAL = lazy_regex(
    rf"(?:以上の?)?(?P<count>両|[{_DIGITS}]+|各)(?:法律案|法案|予算|議案|承認案件|案件|案|件)(?=[はをにのとが、。]|いずれも|とも|について|につき|中)"
)
# 一般会計予算外二案: the first by name, the others by number.
_AND_OTHERS = lazy_regex(rf"外(?P<count>[{_DIGITS}]+)(?:案|件|法律案|議案)")
_REST = lazy_regex(rf"残余の|残りの|その他の(?:各|両|[{_DIGITS}])|を除く(?:その他の)?(?:[{_DIGITS}両各])")
_AMENDMENT = lazy_regex(
    r"(?P<whose>[^、。\n]{2,40}?(?:君|名|派)(?:外[^、。]{1,4}名)?(?:提出|提案)の|(?:委員会|委員長報告)の)?修正案(?:（[^（）]{1,60}）)?(?=[はをにの、。と]|について)"
)
_WITHOUT_AMENDED = lazy_regex(r"修正部分を除|除く原案|除いた原案|修正案のとおり|修正議決")
_SUPPLEMENT = lazy_regex(r"附帯決議")
_MOTION = lazy_regex(r"(?P<whose>[^、。\n]{2,60}?の)?動議(?=[はをにの、。が]|について)")


def find_or_add_item(floor: Floor, title: str) -> AgendaItem:
    """The item that a title names. Of several with one title it is the one with its number or its notes."""
    item, notes = build_item(title, (), floor.session), title_notes(title)
    same = [each for each in floor.known if bare_title(each.title) == item.title]
    numbered = [each for each in same if item.number is not None and each.number == item.number]
    if len(same) > 1 and not numbered:
        numbered = [each for each in same if any(note in each.title for note in notes)]
    ends = [
        each for each in floor.known if each.title.endswith(f"、{item.title}") or item.title.endswith(f"、{each.title}")
    ]
    if candidates := numbered or same or ends:
        return candidates[0]
    floor.known.append(item)
    return item


def items_by_number(floor: Floor, text: str) -> list[AgendaItem]:
    """The items that a sentence calls by their number on the agenda, such as 日程第二ないし第四."""
    numbers: set[int] = set()
    for match in _NUMBERS.finditer(text):
        first = parse_kanji_number(match[1]) or 0
        last = (parse_kanji_number(match[2]) if match[2] else None) or first
        numbers.update(range(first, last + 1))
        numbers.update(parse_kanji_number(further[1]) or 0 for further in _AND_NUMBER.finditer(text, match.end()))
    return [each for each in floor.known if each.number in numbers]


def named_items(floor: Floor, text: str) -> list[AgendaItem]:
    """The items whose titles a sentence has, longest first, so that a title within another isn't taken for it."""
    plain = re.sub(r"[\s　]", "", text)
    named: list[AgendaItem] = []
    for item in sorted(floor.known, key=lambda each: -len(each.title)):
        title = re.sub(r"[\s　]", "", item.title)
        if len(title) > 3 and title in plain:
            plain = plain.replace(title, "")
            named.append(item)
    others = _AND_OTHERS.search(plain) if len(named) == 1 else None
    whole = 1 + (parse_kanji_number(others["count"]) or 0) if others else 0
    if others and named[0] in floor.current and len(floor.current) == whole:
        return list(floor.current)
    return sorted(named, key=floor.known.index)


def point_to_items(floor: Floor, text: str) -> tuple[list[AgendaItem], str]:
    """The items that a sentence means, and which aspect of them: an amendment, a supplementary resolution, a motion."""
    aspect = _aspect(floor, text)
    items = named_items(floor, text) or items_by_number(floor, text)
    if items or aspect.endswith("動議"):
        return items, aspect
    if aspect and len(floor.focus) == 1:
        return floor.focus, aspect
    if _REST.search(text):
        return [each for each in floor.current if each.title not in floor.decided], aspect
    if several := _SEVERAL.search(text):
        return _group(floor, several["count"]), aspect
    if _SINGLE.search(text) and len(floor.focus) == 1 and not _is_about_matter(floor, text):
        return floor.focus, aspect
    return [], aspect


def _is_about_matter(floor: Floor, text: str) -> bool:
    """Whether 本件 is the matter that the chair has just brought up, and not the business under discussion."""
    return "本件" in text and bool(floor.matter) and not named_items(floor, floor.matter)


def _aspect(floor: Floor, text: str) -> str:
    if _SUPPLEMENT.search(text) or (_MOTION.search(text) and _SUPPLEMENT.search(floor.motion)):
        return "附帯決議"
    if _WITHOUT_AMENDED.search(text):
        return ""
    if match := _AMENDMENT.search(text):
        return f"{_mover(match['whose'] or '')}修正案"
    motion = _MOTION.search(text)
    return f"{_mover(motion['whose'] or '')}動議" if motion else ""


def _mover(words: str) -> str:
    """Who moved it, without the words before."""
    return strip_opener(words.rpartition("に対する")[2]).removeprefix("の")


def _group(floor: Floor, count: str) -> list[AgendaItem]:
    """両案 and 三案: as many as the chair says, among those named last or under discussion."""
    size = {"両": 2, "各": 0}.get(count, parse_kanji_number(count) or 0)
    undecided = [each for each in floor.current if each.title not in floor.decided]
    for group in (floor.focus, floor.current, undecided):
        if len(group) == size or (size == 0 and len(group) > 1):
            return list(group)
    return []
