"""Hansard in the JSON of the official interface (hansard-api.parliament.uk): debates with their items and children.

A debate has an `Overview`, `Items` and `ChildDebates`. Items without an attribution go on with the speech before them,
unless they report the procedure.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import quote

import msgspec

from almanac.desks.recap.model.meeting import Meeting, with_ordered_speeches
from almanac.desks.recap.model.parliaments.uk import PARTIES, UNITED_KINGDOM
from almanac.desks.recap.sources.diet_record import UnreadableRecord
from almanac.desks.recap.sources.hansard_speeches import NOBODY, HansardSpeaker, SpeechCollector, is_note
from almanac.kit.messages import gettext
from almanac.kit.text import slug

_HOUSES = {"Commons": "House of Commons", "Lords": "House of Lords"}
_WEBSITE = "https://hansard.parliament.uk"
_TAG = re.compile(r"<[^>]*>")
_BREAK = re.compile(r"(?i)<br\s*/?>|</p>\s*<p[^>]*>|</div>")
_ALL_ITALIC = re.compile(r"(?is)\s*(?:<p[^>]*>\s*)?<(em|i)>(?:(?!</?\1>).)*</\1>\s*(?:</p>)?\s*")
_BRACKETS = re.compile(r"\s*\(([^()]*)\)")
_OFFICE = re.compile(
    r"(?i)(?:the\s|mr\.?\s+(?:deputy\s+)?speaker|madam\s+(?:deputy\s+)?speaker|madam\s+chair|mr\.?\s+chair)"
)
_SKIPPED = frozenset({"timestamp", "hs_columnnumber", "hs_columnumber", "hs_clheading", "hs_clchairman", "hs_clmember"})
_NOTES = frozenset({"hs_procedure", "hs_tabledby", "hs_76fchair", "hs_amendmentheading", "hs_debatetype"})


class _Overview(msgspec.Struct, rename="pascal", kw_only=True):
    ext_id: str | None = None
    title: str | None = None
    date: str | None = None
    house: str | None = None
    location: str | None = None


class _DebateItem(msgspec.Struct, rename="pascal", kw_only=True):
    item_type: str | None = None
    external_id: str | None = None
    hrs_tag: str | None = msgspec.field(default=None, name="HRSTag")
    member_id: int | str | None = None
    attributed_to: str | None = None
    value: str | None = None
    order_in_section: int | None = None


class HansardDivision(msgspec.Struct, rename="pascal", kw_only=True):
    """A division as the interface lists it; `external_id` is that of the item in the debate."""

    external_id: str | None = None
    number: int | str | None = None
    ayes_count: int | None = None
    noes_count: int | None = None


class HansardDebate(msgspec.Struct, rename="pascal", kw_only=True):
    """One debate of a sitting. `divisions` are asked for separately and may be put beside the rest."""

    overview: _Overview = msgspec.field(default_factory=_Overview)
    items: list[_DebateItem] | None = None
    child_debates: list["HansardDebate"] | None = None
    divisions: list[HansardDivision] | None = None

    @property
    def has_divisions(self) -> bool:
        """Whether an item of it, or of a debate below it, is a division."""
        own = any(item.item_type == "Division" for item in self.items or ())
        return own or any(child.has_divisions for child in self.child_debates or ())


def is_debate(decoded: object) -> bool:
    """Whether some JSON is a debate of this interface."""
    return isinstance(decoded, dict) and "Overview" in decoded and "Items" in decoded


def parse_debates(decoded: Sequence[Any]) -> Meeting:
    """The debates of one day and place as a sitting; UnreadableRecord where the first doesn't say which."""
    try:
        debates = [msgspec.convert(each, HansardDebate, strict=False) for each in decoded]
    except msgspec.MsgspecError as error:
        raise UnreadableRecord(gettext("The record has an unexpected format (%(error)s).", error=error)) from error
    return build_sitting(debates)


def build_sitting(debates: Sequence[HansardDebate]) -> Meeting:
    """A sitting from its debates in their order; all of them together are one record."""
    first = debates[0].overview if debates else _Overview()
    house = _HOUSES.get(first.house or "", "")
    if not house or not first.date:
        raise UnreadableRecord(gettext("The debate doesn't say which house sat on which day."))
    day = date.fromisoformat(first.date[:10])
    place = (first.location or "").removeprefix(first.house or "").strip() or "Chamber"
    collector = SpeechCollector()
    people = _people(debates)
    for debate in debates:
        _collect(collector, debate, (), people)
    name = "" if place == "Chamber" else slug(place)
    return with_ordered_speeches(
        Meeting(
            issue_id="-".join(filter(None, ("uk", (first.house or "").lower(), name, day.isoformat())))[:64],
            session=UNITED_KINGDOM.session_on(day),
            house=house,
            meeting=place,
            date=day,
            url=f"{_WEBSITE}/{first.house}/{day.isoformat()}",
            speeches=collector.numbered(),
            parliament=UNITED_KINGDOM.id,
        )
    )


def _walk(debates: Iterable[HansardDebate]) -> Iterator[HansardDebate]:
    for debate in debates:
        yield debate
        yield from _walk(debate.child_debates or ())


def _people(debates: Sequence[HansardDebate]) -> Mapping[str, HansardSpeaker]:
    """What each member is called, from the fullest of their attributions: later ones give only a name or an office."""
    people: dict[str, HansardSpeaker] = {}
    for debate in _walk(debates):
        for item in debate.items or ():
            if item.member_id and item.attributed_to:
                named, before = _attribution(item), people.get(str(item.member_id), NOBODY)
                people[str(item.member_id)] = HansardSpeaker(
                    name=before.name if before.group or before.position else named.name or before.name,
                    group=before.group or named.group,
                    position=before.position or named.position,
                    person=named.person,
                )
    return people


def _collect(
    collector: SpeechCollector, debate: HansardDebate, above: tuple[str, ...], people: Mapping[str, HansardSpeaker]
) -> None:
    title = " ".join((debate.overview.title or "").split())
    path = (*above, title) if title else above
    divisions = {division.external_id: division for division in debate.divisions or ()}
    speaker = NOBODY
    for item in sorted(debate.items or (), key=lambda each: each.order_in_section or 0):
        if item.item_type == "Division":
            _add_division(collector, path, item, divisions.get(item.external_id))
            continue
        if (item.item_type or "").lower() in _SKIPPED or (item.hrs_tag or "").lower() in _SKIPPED:
            continue
        if item.attributed_to:
            speaker = _speaker(item, people)
        paragraphs = [(text, _is_noted(item, text)) for text in _lines(item.value or "")]
        if paragraphs:
            url = _address(debate.overview, item)
            collector.add(path, speaker, paragraphs, speech_id=item.external_id or "", url=url)
        if paragraphs and paragraphs[-1][1]:
            speaker = NOBODY
    for child in debate.child_debates or ():
        _collect(collector, child, path, people)


def _address(overview: _Overview, item: _DebateItem) -> str | None:
    """Where the website shows an item."""
    if not (overview.house and overview.date and overview.ext_id and item.external_id):
        return None
    title = "".join(word.capitalize() for word in re.findall(r"\w+", overview.title or "")) or "Debate"
    page = f"{_WEBSITE}/{overview.house}/{overview.date[:10]}/debates/{overview.ext_id}/{quote(title)}"
    return f"{page}#contribution-{quote(item.external_id)}"


def _add_division(
    collector: SpeechCollector, path: tuple[str, ...], item: _DebateItem, division: HansardDivision | None
) -> None:
    if division is None or division.ayes_count is None or division.noes_count is None:
        collector.add(path, NOBODY, [(text, True) for text in _lines(item.value or "")])
        return
    counts = {"ayes": str(division.ayes_count), "noes": str(division.noes_count)}
    collector.add_division(path, str(division.number or ""), counts, {}, speech_id=item.external_id or "")


def _lines(value: str) -> list[str]:
    plain = html.unescape(_TAG.sub("", _BREAK.sub("\n", value)))
    return [" ".join(line.split()) for line in plain.splitlines() if line.strip()]


def _is_noted(item: _DebateItem, text: str) -> bool:
    if (item.hrs_tag or "").lower() in _NOTES or is_note(text):
        return True
    return not item.attributed_to and bool(_ALL_ITALIC.fullmatch(item.value or ""))


def _speaker(item: _DebateItem, people: Mapping[str, HansardSpeaker]) -> HansardSpeaker:
    own = _attribution(item)
    listed = people.get(str(item.member_id), NOBODY) if item.member_id else NOBODY
    return HansardSpeaker(
        name=listed.name or own.name,
        group=own.group or listed.group,
        position=own.position or listed.position,
        person=own.person,
    )


def _attribution(item: _DebateItem) -> HansardSpeaker:
    """As in “The Secretary of State for Health (Jane Smith)”, “Ada Marsh (Skipsea) (Green)” or “Mr Speaker”."""
    text = " ".join((item.attributed_to or "").split()).strip(" :")
    outer, inner = _BRACKETS.sub("", text).strip(), _BRACKETS.findall(text)
    person = f"member-{item.member_id}" if item.member_id else ""
    if _OFFICE.match(outer):
        return HansardSpeaker(name=inner[0] if inner else outer, position=outer, person=person)
    party = PARTIES.get(inner[-1].casefold(), inner[-1]) if len(inner) > 1 else None
    if len(inner) == 1:
        party = PARTIES.get(inner[0].casefold())
    return HansardSpeaker(name=outer, group=party, person=person)
