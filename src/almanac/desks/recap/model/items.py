"""Plain values inside stored items: what a task knows of its meeting, the parts of an article, cards for lists.

Field names are those of the stored attributes.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NotRequired, TypedDict

TaskStatus = Literal["pending", "completed", "ingested", "failed", "remake"]
ReportStatus = Literal["open", "closed"]


class TaskMeeting(TypedDict, total=False):
    """The official record a task is about."""

    issueID: str
    nameOfHouse: str
    nameOfMeeting: str
    date: str
    session: int
    numberOfSpeeches: int
    imageKind: str


class TaskChunk(TypedDict):
    """One part of a meeting that is too long for one prompt."""

    prompt_url: str
    result_url: NotRequired[str]
    status: str
    based_on_orders: NotRequired[list[int]]


class StoredParticipant(TypedDict):
    """Somebody who spoke, with what they were on that day; `key` tells people of one name apart."""

    name: str
    summary: NotRequired[str]
    key: NotRequired[str]
    yomi: NotRequired[str]
    group: NotRequired[str]
    position: NotRequired[str]
    role: NotRequired[str]


class StoredKeyword(TypedDict):
    """A word to find the article by."""

    keyword: str
    priority: NotRequired[str]


class StoredTerm(TypedDict):
    """A word that readers may not know."""

    term: str
    definition: str
    order: NotRequired[int]


class LegislativeItem(TypedDict):
    """A bill or an item of the agenda, under the key that it has in every meeting; `outcome` is what was decided."""

    key: str
    title: str
    outcome: NotRequired[str]
    orders: NotRequired[list[int]]


class StoredFinding(TypedDict):
    """Something in a sitting that doesn't reconcile, with the speeches concerned."""

    kind: str
    subject: str
    text: str
    orders: list[int]


@dataclass(kw_only=True)
class ArticleCard:
    """An article as a list shows it; `date` is the day of the sitting, the moments are those of the publication.

    `record_stage` is "preliminary" while the final record is still to come.
    """

    id: str
    title: str
    date: str
    month: str | None
    image_kind: str | None
    session: int | None
    name_of_house: str | None
    name_of_meeting: str | None
    categories: list[str]
    description: str | None
    published_at: datetime | None = None
    updated_at: datetime | None = None
    record_stage: str | None = None


@dataclass(kw_only=True)
class LegislativeItemCard(ArticleCard):
    """An article in the history of a bill or an item of the agenda, with what became of each that it is about."""

    bills: list[LegislativeItem] | None
    agenda: list[LegislativeItem] | None
