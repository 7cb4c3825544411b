"""Request and response bodies for decisions of editors about articles."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from almanac.desks.recap.api.schemas import ErrorReportBody
from almanac.desks.recap.model.editorial import (
    ArticleState,
    CorrectedPart,
    CorrectionKind,
    CorrectionStatus,
    FindingKind,
)
from almanac.http.api_models import ApiModel, Text


class ReconciliationFindingBody(ApiModel):
    """Something in a sitting that doesn't reconcile, with the speeches concerned."""

    kind: FindingKind
    subject: str
    text: str
    orders: list[int]


class ArticleStatusBody(ApiModel):
    """Whether an article is published, held or withdrawn. `by` is empty where the desk held it by itself."""

    article_id: str
    state: ArticleState
    revision: int
    reason: str
    by: str
    since: datetime | None
    title: str
    date: str
    findings: list[ReconciliationFindingBody]


class ArticleStatusInput(ApiModel):
    """What to do with an article; a reason is needed to hold or withdraw it."""

    state: ArticleState
    reason: Text = ""


class CorrectionInput(ApiModel):
    """A correction: the text as it stands in `before`, what it says from now on in `after`, and a note for readers."""

    kind: Literal["replaced", "removed", "note"]
    part: CorrectedPart = "sentence"
    note: Text
    before: Annotated[str, Field(max_length=4000)] = ""
    after: Annotated[str, Field(max_length=4000)] = ""
    orders: list[int] = Field(default_factory=list, max_length=50, description="The speeches it rests on, if others.")
    report_id: Text = ""


class ArticleCorrectionBody(ApiModel):
    """A correction; `status` says whether it applies, no longer matches the article, or was taken back."""

    article_id: str
    correction_id: str
    kind: CorrectionKind
    part: CorrectedPart
    status: CorrectionStatus
    before: str
    after: str
    note: str
    created_at: datetime
    date: str
    house: str
    meeting: str


class ArticleCorrectionsBody(ApiModel):
    """What was corrected in an article, the latest first, and which reports were answered."""

    corrections: list[ArticleCorrectionBody]
    answered: list[ErrorReportBody]
