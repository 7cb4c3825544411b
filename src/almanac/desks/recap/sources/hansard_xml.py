"""Hansard in the XML of ParlParse, which TheyWorkForYou publishes: a day of one chamber in one file.

`<publicwhip>` holds headings, speeches and divisions in a row. A file that a later one replaces says `latest="no"`.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from xml.etree import ElementTree as ET

from almanac.desks.recap.model.meeting import Meeting, with_ordered_speeches
from almanac.desks.recap.model.parliaments.uk import UNITED_KINGDOM
from almanac.desks.recap.sources.diet_record import UnreadableRecord
from almanac.desks.recap.sources.hansard_speeches import NOBODY, HansardSpeaker, SpeechCollector, is_note
from almanac.desks.recap.sources.xml_files import element_text, local_name, parse_xml
from almanac.kit.messages import gettext

ROOT = "publicwhip"
_ID = re.compile(r"uk\.org\.publicwhip/(?P<chamber>[a-z]+)/(?P<rest>.*?)(?P<day>\d{4}-\d{2}-\d{2})")
_CHAMBERS = {
    "debate": ("commons", "House of Commons", "Chamber"),
    "lords": ("lords", "House of Lords", "Chamber"),
    "westminhall": ("westminster-hall", "House of Commons", "Westminster Hall"),
    "standing": ("committee", "House of Commons", "Public Bill Committee"),
}
_HEADINGS = ("oral-heading", "major-heading", "minor-heading")
_PLAIN = re.compile(r"[^a-z0-9]+")
_WAS_ASKED = re.compile(r"\bwas asked\b")


def parse_publicwhip(content: bytes) -> Meeting | None:
    """The sitting in a file; None if a later file replaces it, UnreadableRecord where it is no such file."""
    root = parse_xml(content)
    if local_name(root) != ROOT:
        raise UnreadableRecord(gettext("The file isn't Hansard in the XML of ParlParse."))
    if root.get("latest") == "no":
        return None
    match = next((named for element in root.iter() if (named := _ID.match(element.get("id") or ""))), None)
    if match is None or match["chamber"] not in _CHAMBERS:
        raise UnreadableRecord(gettext("The file has no speech of a chamber that we know."))
    slug, house, chamber = _CHAMBERS[match["chamber"]]
    day, bill = date.fromisoformat(match["day"]), root.find("bill")
    part = _PLAIN.sub("-", match["rest"].lower()).strip("-")
    return with_ordered_speeches(
        Meeting(
            issue_id="-".join(filter(None, ("uk", slug, part, day.isoformat())))[:64],
            session=UNITED_KINGDOM.session_on(day),
            house=house,
            meeting=f"{chamber}: {element_text(bill)}" if bill is not None else chamber,
            date=day,
            url=next((url for element in root.iter() if (url := _http(element.get("url")))), None),
            speeches=_collect(root).numbered(),
            parliament=UNITED_KINGDOM.id,
        )
    )


def _collect(root: ET.Element) -> SpeechCollector:
    collector = SpeechCollector()
    bill = element_text(root.find("bill"))
    for path, element in _placed(list(root), (bill,) if bill else ()):
        name = local_name(element)
        if name == "speech":
            collector.add(
                path, _speaker(element), _paragraphs(element), speech_id=element.get("id") or "", url=_url(element)
            )
        elif name in ("division", "divisioncount"):
            _add_division(collector, path, element)
    return collector


def _placed(elements: Sequence[ET.Element], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ET.Element]]:
    """Every speech and division with the headings above it."""
    levels = dict.fromkeys(_HEADINGS, "")
    for at, element in enumerate(elements):
        name = local_name(element)
        if name not in _HEADINGS:
            yield (*above, *(title for title in levels.values() if title)), element
            continue
        levels[name] = element_text(element)
        for lower in _HEADINGS[_HEADINGS.index(name) + 1 :]:
            levels[lower] = ""
        if name == "major-heading" and levels["oral-heading"] and not _has_questions(elements[at + 1 :]):
            # Nothing says where oral answers end but that the next business has no numbered questions.
            levels["oral-heading"] = ""


def _has_questions(following: Sequence[ET.Element]) -> bool:
    """Whether numbered questions come before the next major heading."""
    for element in following:
        if local_name(element) in ("oral-heading", "major-heading"):
            return False
        numbered = element.get("oral-qnum") or any(each.get("qnum") for each in element)
        if numbered or (element.get("type") or "").startswith("Start Question"):
            return True
        if not element.get("speakername") and _WAS_ASKED.search(element_text(element)):
            return True
    return False


def _speaker(element: ET.Element) -> HansardSpeaker:
    name = (element.get("speakername") or "").strip(" :")
    if element.get("nospeaker") == "true" or not name:
        return NOBODY
    person = (element.get("person_id") or element.get("speakerid") or "").rpartition("/")[2]
    return HansardSpeaker(
        name=name,
        position=(element.get("speakeroffice") or "").strip() or None,
        person="" if person in ("unknown", "") else person,
    )


def _paragraphs(element: ET.Element) -> Iterator[tuple[str, bool]]:
    for child in element:
        if local_name(child) == "table":
            rows = (" | ".join(map(element_text, row)) for row in child.iter() if local_name(row) == "tr")
            yield "\n".join(rows), False
        elif text := element_text(child):
            is_italic = "italic" in (child.get("class") or "").split()
            yield text, is_note(text) or (is_italic and child.get("pwmotiontext") != "yes")


def _add_division(collector: SpeechCollector, path: tuple[str, ...], element: ET.Element) -> None:
    count = element if local_name(element) == "divisioncount" else element.find("divisioncount")
    counts = {} if count is None else dict(count.attrib)
    names: dict[str, list[str]] = {}
    for voter in element.iter():
        if voter.get("vote") and not len(voter) and (name := element_text(voter)):
            names.setdefault(str(voter.get("vote")).capitalize(), []).append(name)
    number = element.get("divnumber") or ""
    collector.add_division(path, number, counts, names, speech_id=element.get("id") or "", url=_url(element))


def _url(element: ET.Element) -> str | None:
    return _http(element.get("url"))


def _http(address: str | None) -> str | None:
    return address if address and address.startswith(("https://", "http://")) else None
