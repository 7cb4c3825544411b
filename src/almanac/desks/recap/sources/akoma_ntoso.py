"""Debates in Akoma Ntoso (the XML of many parliaments) as sittings: speeches in order, speakers by their references."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from xml.etree import ElementTree as ET

from almanac.desks.recap.model.meeting import HEADER_SPEAKER, Meeting, Speech, with_ordered_speeches
from almanac.desks.recap.sources.diet_record import UnreadableRecord
from almanac.desks.recap.sources.xml_files import parse_xml
from almanac.kit.messages import gettext

_SPOKEN = ("speech", "question", "answer", "other")
_PLAIN_ID = re.compile(r"[^\w-]+")
_BLANK = re.compile(r"\s+")


def parse_debate(content: bytes) -> Meeting:
    """The sitting in a debate; UnreadableRecord where the file is no debate or has no date."""
    root = parse_xml(content)
    debate = next(_named(root, "debate"), None)
    if debate is None:
        raise UnreadableRecord(gettext("The file isn't an Akoma Ntoso debate."))
    people, facts = _references(debate), _facts(debate)
    speeches = (_header(debate), *_speeches(debate, people))
    return with_ordered_speeches(
        Meeting(
            issue_id=_PLAIN_ID.sub("-", facts.get("uri", "")).strip("-")[-64:] or facts["date"],
            session=int(facts.get("session", "0")),
            house=facts.get("house", ""),
            meeting=facts.get("meeting", "") or _words(next(_named(debate, "docTitle"), None)),
            issue=facts.get("number", ""),
            date=date.fromisoformat(facts["date"]),
            speeches=tuple(speech for speech in speeches if speech is not None),
        )
    )


def _tag(element: ET.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _named(root: ET.Element, *names: str) -> Iterator[ET.Element]:
    return (element for element in root.iter() if _tag(element) in names)


def _words(element: ET.Element | None) -> str:
    return "" if element is None else _BLANK.sub(" ", "".join(element.itertext())).strip()


def _facts(debate: ET.Element) -> dict[str, str]:
    """Day, address and number from the identification; house, session and meeting from the preface."""
    facts: dict[str, str] = {}
    for element in _named(debate, "FRBRdate", "FRBRthis", "FRBRuri", "FRBRnumber"):
        name = {"FRBRdate": "date", "FRBRnumber": "number"}.get(_tag(element), "uri")
        facts.setdefault(name, element.get("date") or element.get("value") or "")
    for element in _named(debate, "legislature", "session", "docProponent", "docCommittee"):
        name = {"docProponent": "house", "docCommittee": "meeting"}.get(_tag(element), "session")
        facts.setdefault(name, element.get("value") or _words(element))
    try:
        facts["date"] = date.fromisoformat(facts.get("date", "")[:10]).isoformat()
    except ValueError as error:
        raise UnreadableRecord(gettext("The debate has no FRBRdate such as 2026-01-31.")) from error
    number = re.search(r"\d+", facts.get("session", ""))
    facts["session"] = number[0][:6] if number else "0"
    return facts


def _references(debate: ET.Element) -> Mapping[str, str]:
    named = _named(debate, "TLCPerson", "TLCOrganization", "TLCRole")
    return {f"#{element.get('eId') or element.get('id') or ''}": element.get("showAs") or "" for element in named}


def _header(debate: ET.Element) -> Speech | None:
    preface = next(_named(debate, "preface"), None)
    text = _words(preface)
    return Speech(order=0, speaker=HEADER_SPEAKER, text=text) if text else None


def _speeches(debate: ET.Element, people: Mapping[str, str]) -> Iterator[Speech]:
    spoken = (element for element in _named(debate, *_SPOKEN) if element.get("by") or _tag(element) != "other")
    for order, element in enumerate(spoken, 1):
        by = element.get("by") or ""
        speaker = people.get(by) or _words(next(_named(element, "from"), None)) or by.removeprefix("#")
        paragraphs = [_words(part) for part in element if _tag(part) not in ("from", "num", "heading")]
        yield Speech(
            order=order,
            id=element.get("eId") or element.get("id") or "",
            speaker=speaker,
            position=people.get(element.get("as") or "") or None,
            text="\n".join(part for part in paragraphs if part),
        )
