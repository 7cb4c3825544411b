"""What a committee recommended for each item, as the chair repeats it before the vote: 可決, 修正, 否決, 承認."""

from almanac.desks.recap.model.facts.floor import Floor
from almanac.desks.recap.model.facts.item_references import items_by_number, named_items, point_to_items
from almanac.kit.lazy import lazy_regex

_RECOMMENDED = r"(?:いずれも)?(?P<how>可決|修正|否決|承認|承諾|是認|採択|不承認)"
# 日程第二の委員長の報告は修正、その他の委員長の報告は可決であります
_REPORTED = lazy_regex(rf"(?P<what>[^。]*?)の?委員長の?報告は、?{_RECOMMENDED}")
# 委員長の報告は、甲案は修正議決、乙案は可決でございます
_EACH = lazy_regex(r"(?P<what>[^、。]+?)は(?:いずれも)?(?P<how>可決|修正|否決|承認|承諾|是認|採択)")
_OTHERS = lazy_regex(r"その他|残余|残り|他の")


def hear_report(floor: Floor, text: str) -> None:
    """Keep the recommendation for each item that a sentence names or points to."""
    for clause in _REPORTED.finditer(text):
        _recommend(floor, clause["what"], clause["how"])
    _, is_list, listed = text.partition("委員長の報告は、")
    for clause in _EACH.finditer(listed if is_list else ""):
        if named_items(floor, clause["what"]) or items_by_number(floor, clause["what"]):
            _recommend(floor, clause["what"], clause["how"])


def _recommend(floor: Floor, what: str, how: str) -> None:
    if _OTHERS.search(what):
        items = [each for each in floor.current if each.title not in floor.reported]
    else:
        items = named_items(floor, what) or items_by_number(floor, what) or point_to_items(floor, f"{what}は")[0]
    floor.reported.update({each.title: how for each in items or floor.focus})
