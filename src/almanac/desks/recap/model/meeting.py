"""The official record of one meeting, in the form that every source returns, with unique speech orders.

`facts` interprets the speeches; `sources` fetches the records.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from almanac.kit.json_text import encode_json
from almanac.kit.lazy import lazy_regex

DietHouse = Literal["shugi", "sangi", "joint"]
SpeechKind = Literal["speech", "note", "division"]
DIET = "diet"
"""The parliament of every record that names none."""

# “Information on the record”: the header of a record is stored as a speech by this speaker.
HEADER_SPEAKER = "会議録情報"
# How sources mark a record that isn't final: in the kind or the number of the record, or at the head of its header.
_PRELIMINARY = lazy_regex(
    r"(?i)未定稿|速報|暫定版|未校正|仮会議録|\b(?:draft|uncorrected|provisional|preliminary|rolling)\b|\bvorläufig|\bvorabfassung"
)
_HEAD = 200
_DIET_HOUSES: Mapping[str, DietHouse] = {"衆議院": "shugi", "参議院": "sangi"}


class Speech(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One speech as the record gives it. `group`, `position` and `role` are the speaker's on that day.

    Records of other parliaments also say under which `headings` it was made, the outermost first; which `person` spoke,
    by the source's own id; and what the record itself reports: a `note` such as “Question put and agreed to”, or a
    `division`. A field that is unset isn't encoded, so that the digests of records without it stay as they are.
    """

    order: int
    id: str = ""
    speaker: str = ""
    yomi: str | None = None
    group: str | None = None
    position: str | None = None
    role: str | None = None
    text: str = ""
    start_page: int | None = None
    url: str | None = None
    kind: SpeechKind | UnsetType = UNSET
    headings: tuple[str, ...] | UnsetType = UNSET
    person: str | UnsetType = UNSET

    @property
    def heading_path(self) -> tuple[str, ...]:
        """The headings above it, the outermost first; empty if the record has none."""
        return () if isinstance(self.headings, UnsetType) else self.headings

    @property
    def is_spoken(self) -> bool:
        """Whether somebody said it, and the record doesn't only report it."""
        return self.kind not in ("note", "division")

    @property
    def is_header(self) -> bool:
        """Whether it is the pseudo-speech with agenda and attendance at the start of a record."""
        return self.speaker == HEADER_SPEAKER or (self.order == 0 and not self.speaker)


class Meeting(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One meeting of a house or a committee. `with_ordered_speeches` makes the orders of its speeches unique.

    `parliament` is the id of its parliament in `model.parliaments`; unset is the National Diet.
    """

    issue_id: str
    session: int
    house: str
    meeting: str
    issue: str = ""
    date: date
    image_kind: str | None = None
    closing: str | None = None
    url: str | None = None
    pdf_url: str | None = None
    speeches: tuple[Speech, ...] = ()
    parliament: str | UnsetType = UNSET

    @property
    def parliament_id(self) -> str:
        return DIET if isinstance(self.parliament, UnsetType) else self.parliament

    @property
    def canonical_house(self) -> str:
        """The house as used in keys: of the Diet's, anything but the two houses counts as a joint body.

        A house of another parliament is called by the parliament's id and the record's own name for it.
        """
        if self.parliament_id == DIET:
            return _DIET_HOUSES.get(self.house, "joint")
        return f"{self.parliament_id}:{self.house}"

    @cached_property
    def is_preliminary(self) -> bool:
        """Whether the record says of itself that the final one is still to come."""
        head = self.header.text[:_HEAD] if self.header else ""
        marks = (self.image_kind, self.issue, self.meeting, head)
        return any(mark and _PRELIMINARY.search(mark) for mark in marks)

    @cached_property
    def header(self) -> Speech | None:
        return next((speech for speech in self.speeches if speech.is_header), None)

    @cached_property
    def spoken(self) -> tuple[Speech, ...]:
        """Without the header."""
        return tuple(speech for speech in self.speeches if not speech.is_header)

    @cached_property
    def by_order(self) -> Mapping[int, Speech]:
        return {speech.order: speech for speech in self.speeches}

    @cached_property
    def digest(self) -> str:
        """Changes whenever the record does, whatever the source says about its time of change."""
        return hashlib.sha256(encode_json(self)).hexdigest()


def with_unique_orders(speeches: Iterable[Speech]) -> tuple[Speech, ...]:
    """Speeches by order, each order once: duplicates go, other speeches with a used order move to the end."""
    kept: dict[int, Speech] = {}
    displaced: list[Speech] = []
    for speech in sorted(speeches, key=lambda each: each.order):
        first = kept.setdefault(speech.order, speech)
        if (first.speaker, first.text) != (speech.speaker, speech.text):
            displaced.append(speech)
    free = max(kept, default=-1) + 1
    moved = (msgspec.structs.replace(speech, order=free + at) for at, speech in enumerate(displaced))
    return (*kept.values(), *moved)


def with_ordered_speeches(meeting: Meeting) -> Meeting:
    """The meeting with unique orders; every source must apply this."""
    return msgspec.structs.replace(meeting, speeches=with_unique_orders(meeting.speeches))
