"""Sittings of the Bundestag in the XML of its Plenarprotokolle: agenda items, speeches, and what the chair says.

Each part of an agenda item becomes a note with its title and printed papers before the speeches made on it. Remarks of
the record, such as (Beifall), stay in the speech that they interrupt. Lists of names of recorded votes are divisions.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from xml.etree import ElementTree as ET

from msgspec import UNSET

from almanac.desks.recap.model.meeting import HEADER_SPEAKER, Meeting, Speech, with_ordered_speeches
from almanac.desks.recap.model.parliaments.bundestag import BUNDESTAG, HOUSE
from almanac.desks.recap.sources.diet_record import UnreadableRecord
from almanac.desks.recap.sources.xml_files import element_text, local_name, parse_xml
from almanac.kit.messages import gettext

ROOT = "dbtplenarprotokoll"
_PLENARY = "Plenum"
_NUMBERING = re.compile(r"^(?:(?:ZP\s*)?\d{1,3}(?=\s)|[a-z]{1,2}\)|[–-](?=\s))\s*")
# Beratung des Antrags …, Erste Beratung des … Entwurfs, zu dem Antrag …: a business of its own begins.
_BEGINS = re.compile(
    r"(?:(?:Erste|Zweite|Dritte|Vereinbarte|Abschließende)\b.{0,30}?\b(?:Beratung|Debatte)|Beratung|zu de[mrn]\b"
    r"|Wahl(?:en)?\b|Aktuelle Stunde|Fragestunde|Befragung|Regierungserklärung|Abgabe einer|Unterrichtung"
    r"|Eidesleistung|Antrag|Überweisung|Fortsetzung)"
)
_LAW = re.compile(r"\bEntwurfs eines (?P<number>\w+ )?Gesetzes (?P<about>(?:zu[rm]?|über|für|gegen|betreffend)\b.+)")
_PAPER = re.compile(r"\b\d{1,2}/(?:\d{1,6})(?:\s?\(neu\))?")
_LONGEST_TITLE = 300


def parse_plenarprotokoll(content: bytes) -> Meeting:
    """The sitting in a file; UnreadableRecord where it is no Plenarprotokoll or has no date."""
    root = parse_xml(content)
    course = root.find("sitzungsverlauf")
    if local_name(root) != ROOT or course is None:
        raise UnreadableRecord(gettext("The file isn't a Plenarprotokoll of the Bundestag with its sitzungsverlauf."))
    day, term, number = _day(root), _whole_number(root, "wahlperiode"), _whole_number(root, "sitzung-nr")
    record = _Record()
    record.add_header(root, day)
    for part in course:
        record.follow(part)
    return with_ordered_speeches(
        Meeting(
            issue_id=f"bundestag-{term}-{number}",
            session=term,
            house=HOUSE,
            meeting=_PLENARY,
            issue=f"{number}. Sitzung",
            date=day,
            url=f"{BUNDESTAG.source_url}{term}/{term}{number:03d}.xml",
            pdf_url=f"{BUNDESTAG.source_url}{term}/{term}{number:03d}.pdf",
            speeches=tuple(record.speeches),
            parliament=BUNDESTAG.id,
        )
    )


def _day(root: ET.Element) -> date:
    try:
        return datetime.strptime(root.get("sitzung-datum") or "", "%d.%m.%Y").date()  # noqa: DTZ007 - a day has no zone
    except ValueError as error:
        raise UnreadableRecord(gettext("The Plenarprotokoll has no sitzung-datum such as 31.01.2026.")) from error


def _whole_number(root: ET.Element, name: str) -> int:
    digits = (root.get(name) or "").strip()
    if not digits.isascii() or not digits.isdecimal():
        raise UnreadableRecord(gettext("The Plenarprotokoll has no %(name)s.", name=name))
    return int(digits)


@dataclass(slots=True)
class _Business:
    """One part of an agenda item: what it is called, the lines that announce it, and its printed papers."""

    lines: list[str]
    title: str = ""
    papers: list[str] = field(default_factory=list)

    @property
    def heading(self) -> str:
        return (self.title or _law_title(self.lines[0]) or self.lines[0])[:_LONGEST_TITLE]

    @property
    def text(self) -> str:
        printed = f"Drucksache {', '.join(self.papers)}" if self.papers else ""
        return "\n".join(filter(None, (*self.lines, self.title, printed)))


def _law_title(text: str) -> str:
    match = _LAW.search(text)
    return f"{match['number'] or ''}Gesetz {match['about']}".strip() if match else ""


@dataclass(slots=True)
class _Record:
    """The speeches so far, and where the record stands: its headings, who presides, and who speaks."""

    speeches: list[Speech] = field(default_factory=list)
    headings: tuple[str, ...] = ()
    chair: str = ""
    speaker: Speech | None = None
    lines: list[str] = field(default_factory=list)

    def add_header(self, root: ET.Element, day: date) -> None:
        times = {
            label: root.get(f"sitzung-{name}-uhrzeit") for label, name in (("Beginn", "start"), ("Schluss", "ende"))
        }
        lines = [
            f"Deutscher Bundestag, {root.get('wahlperiode')}. Wahlperiode, {root.get('sitzung-nr')}. Sitzung",
            f"{root.get('sitzung-ort') or 'Berlin'}, {day:%d.%m.%Y}",
            *(f"{label}: {time} Uhr" for label, time in times.items() if time),
        ]
        self.speeches.append(Speech(order=0, speaker=HEADER_SPEAKER, text="\n".join(lines)))

    def follow(self, part: ET.Element) -> None:
        """An agenda item, the beginning or the end of the sitting."""
        self._end_speech()
        agenda = [child for child in part if _is_agenda(child)]
        name = " ".join((part.get("top-id") or "").split())
        businesses = list(_businesses(agenda))
        self.headings = (name,) if name else ()
        for business in businesses:
            headings = (*self.headings[:1], business.heading)
            self._add(Speech(order=0, text=business.text, kind="note"), headings)
        if businesses:
            self.headings = (*self.headings, businesses[0].heading)
        for child in part:
            if not _is_agenda(child):
                self._read(child)
        self._end_speech()

    def _read(self, element: ET.Element) -> None:
        name = local_name(element)
        if name == "rede":
            self._end_speech()
            for child in element:
                self._read(child)
            self._end_speech()
        elif name == "name":
            self._end_speech()
            self.chair = element_text(element).rstrip(": ")
            self.speaker = _chair(self.chair)
        elif (redner := element.find("redner")) is not None:
            self._end_speech()
            self.speaker = _member(redner, element)
        elif (element.get("klasse") or "").startswith("AL_"):
            self._add_names(element)
        elif name in ("p", "kommentar", "zitat"):
            self._add_line(_spoken_text(element))

    def _add_line(self, text: str) -> None:
        if not text:
            return
        if self.speaker is None and self.chair:
            self.speaker = _chair(self.chair)
        if self.speaker is None:
            self._add(Speech(order=0, text=text, kind="note"), self.headings)
        else:
            self.lines.append(text)

    def _add_names(self, element: ET.Element) -> None:
        """The lists of a recorded vote are one division, until somebody speaks again."""
        text = element_text(element)
        last = self.speeches[-1] if self.speeches and not self.lines else None
        if last is not None and last.kind == "division":
            self.speeches[-1] = Speech(
                order=last.order, text=f"{last.text}\n{text}", kind="division", headings=last.headings
            )
            return
        self._end_speech()
        self._add(Speech(order=0, text=text, kind="division"), self.headings)

    def _end_speech(self) -> None:
        speaker, lines = self.speaker, self.lines
        self.speaker, self.lines = None, []
        if speaker is not None and lines:
            self._add(speaker, self.headings, "\n".join(lines))

    def _add(self, speech: Speech, headings: tuple[str, ...], text: str = "") -> None:
        self.speeches.append(
            Speech(
                order=len(self.speeches),
                id=speech.id,
                speaker=speech.speaker,
                group=speech.group,
                position=speech.position,
                text=text or speech.text,
                kind=speech.kind,
                headings=headings or UNSET,
                person=speech.person,
            )
        )


def _is_agenda(element: ET.Element) -> bool:
    return (element.get("klasse") or "").startswith("T_")


def _businesses(paragraphs: Sequence[ET.Element]) -> Iterator[_Business]:
    """The parts of an agenda item in the record's own words, each with its title and papers."""
    open_ones: list[_Business] = []
    current: _Business | None = None
    for paragraph in paragraphs:
        kind, text = paragraph.get("klasse") or "", _without_numbering(element_text(paragraph))
        if kind == "T_Drs":
            _share_papers(open_ones or [business for business in (current,) if business], _PAPER.findall(text))
            yield from open_ones
            open_ones = []
        elif kind == "T_fett" and current is not None and not current.title:
            current.title = text
        elif text and kind != "T_Ueberweisung" and (current is None or _BEGINS.match(text)):
            # „Beratung der Beschlussempfehlung …“ only introduces the motions that follow it.
            is_introduced = current in open_ones and not current.title and text[0].islower() if current else False
            if is_introduced and current is not None:
                open_ones.remove(current)
            current = _Business([text])
            open_ones.append(current)
        elif text and current is not None:
            current.lines.append(text)
    yield from open_ones


def _share_papers(businesses: Sequence[_Business], papers: Sequence[str]) -> None:
    """The papers of several parts stand in one line in their order; what is left over belongs to all of them."""
    for business, paper in zip(businesses, papers, strict=False):
        business.papers.append(paper)
    if len(businesses) == 1:
        businesses[0].papers += papers[1:]


def _without_numbering(text: str) -> str:
    while match := _NUMBERING.match(text):
        text = text[match.end() :]
    return text


def _spoken_text(element: ET.Element) -> str:
    """The words of a paragraph without its notes at the foot of the page."""
    parts = [element.text or ""]
    for child in element:
        if local_name(child) not in ("fussnote", "sup"):
            parts.append("".join(child.itertext()))
        parts.append(child.tail or "")
    return " ".join("".join(parts).split())


def _chair(name: str) -> Speech:
    """`Vizepräsidentin Aydan Özoğuz`: the office, then the name."""
    office, _, person = name.partition(" ")
    return Speech(order=0, speaker=person or name, position=office if person else None)


def _member(redner: ET.Element, paragraph: ET.Element) -> Speech:
    parts = [element_text(redner.find(f"name/{part}")) for part in ("titel", "vorname", "namenszusatz", "nachname")]
    person = (redner.get("id") or "").split()
    return Speech(
        order=0,
        speaker=" ".join(filter(None, parts)) or element_text(paragraph).rstrip(":"),
        group=element_text(redner.find("name/fraktion")) or None,
        position=element_text(redner.find("name/rolle/rolle_lang")) or None,
        person=person[0] if person else UNSET,
    )
