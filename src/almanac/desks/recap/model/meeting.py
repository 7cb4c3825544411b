"""The official record of one sitting as every source hands it over, with each speech under one order.

What the words of a speech mean is left to `derive`; how a record is fetched to `sources`.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Literal

import msgspec

House = Literal["shugi", "sangi", "joint"]

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
        """The pseudo-speech with agenda and attendance, which nobody spoke."""
        return self.speaker == HEADER_SPEAKER or (self.order == 0 and not self.speaker)


class Meeting(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One sitting of a house or a committee. `with_orderly_speeches` sees to it that an order names one speech."""

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
        """The house as keys name it; whatever is neither of the two is a joint body."""
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
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()


def with_unique_orders(speeches: Iterable[Speech]) -> tuple[Speech, ...]:
    """Speeches by order, each order once: a repetition goes, another speech under a taken order moves to the end."""
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
    """The same record with every order used once; every source ends with this."""
    return msgspec.structs.replace(meeting, speeches=with_unique_orders(meeting.speeches))
