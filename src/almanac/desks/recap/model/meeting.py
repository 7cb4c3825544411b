"""The official record of one meeting, in the form that every source returns, with unique speech orders.

`facts` interprets the speeches; `sources` fetches the records.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Literal

import msgspec

from almanac.kit.json_text import encode_json

House = Literal["shugi", "sangi", "joint"]

# “Information on the record”: the header of a record is stored as a speech by this speaker.
HEADER_SPEAKER = "会議録情報"
_HOUSES: Mapping[str, House] = {"衆議院": "shugi", "参議院": "sangi"}


class Speech(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One speech as the record gives it. `group`, `position` and `role` are the speaker's on that day."""

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

    @property
    def is_header(self) -> bool:
        """Whether it is the pseudo-speech with agenda and attendance at the start of a record."""
        return self.speaker == HEADER_SPEAKER or (self.order == 0 and not self.speaker)


class Meeting(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One meeting of a house or a committee. `with_ordered_speeches` makes the orders of its speeches unique."""

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

    @property
    def canonical_house(self) -> House:
        """The house as used in keys; anything but the two houses counts as a joint body."""
        return _HOUSES.get(self.house, "joint")

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
