"""Facts that the record itself states: agenda, bills, decisions with their votes, attendance.

The rules in `facts` fill them; no writer does.
"""

from typing import Literal

import msgspec

BillKind = Literal["bill", "budget", "treaty", "approval", "resolution", "petition", "personnel", "other"]
Outcome = Literal[
    "passed",
    "amended",
    "rejected",
    "approved",
    "consented",
    "adopted",
    "appointed",
    "designated",
    "permitted",
    "continued",
    "withdrawn",
    "agreed",
    "introduced",
    "referred",
    "other",
]


class AgendaItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item of the agenda in the record's words; `bill` is the key of the bill it is about."""

    title: str
    number: int | None = None
    orders: tuple[int, ...] = ()
    bill: str | None = None


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """Something the houses decide about. `key` is the same in both houses and all meetings of a session.

    `orders` are the speeches that name it or were made while it was before the house; `notes` what the record puts in
    brackets behind it, such as 内閣提出.
    """

    key: str
    title: str
    kind: BillKind
    session: int
    notes: tuple[str, ...] = ()
    orders: tuple[int, ...] = ()


class Ballot(msgspec.Struct, frozen=True, kw_only=True):
    """The votes that one person got in an election."""

    name: str
    votes: int


class Vote(msgspec.Struct, frozen=True, kw_only=True):
    """A counted vote; an election has `ballots`, in the order of the record, instead of sides."""

    total: int | None = None
    in_favour: int | None = None
    against: int | None = None
    ballots: tuple[Ballot, ...] = ()


class HouseDecision(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided at `order`, in the record's own sentence; `manner` is as in 起立多数 or 異議なし.

    `method` is how the vote was taken: 起立, 挙手, 押しボタン, 記名投票, 異議なし, 指名; empty if nothing tells.
    The question was put at `asked_at`. Without a subject it is a decision whose subject the record doesn't let us tell.
    """

    order: int
    text: str
    outcome: Outcome
    asked_at: int | None = None
    subject: str = ""
    manner: str = ""
    method: str = ""
    vote: Vote | None = None
    bill: str | None = None

    @property
    def votes_won(self) -> int | None:
        """In an election the votes for who was chosen; None elsewhere."""
        ballots = self.vote.ballots if self.vote else ()
        return next((each.votes for each in ballots if f"{each.name}君" in self.subject), None)


class Attendant(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody the header lists, under the heading or office it gives."""

    name: str
    office: str = ""


class RecordFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that rules could read from one record; `opened` and `closed` are its own words for the time."""

    agenda: tuple[AgendaItem, ...] = ()
    bills: tuple[Bill, ...] = ()
    decisions: tuple[HouseDecision, ...] = ()
    attendance: tuple[Attendant, ...] = ()
    opened: str = ""
    closed: str = ""
