"""API: whether sentences say what their sources say."""

import asyncio
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, model_validator

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel
from almanac.http.auth import signed_in
from almanac.verify import CitedClaim, FindingKind, Verdict, VerificationReport, check, check_text

router = APIRouter(prefix=f"{API_PREFIX}/verify", tags=["verify"])

_MOST_SOURCES, _MOST_CLAIMS, _MOST_TEXT = 50, 500, 200_000
SourceId = Annotated[str, Field(min_length=1, max_length=200)]
LongText = Annotated[str, Field(max_length=_MOST_TEXT)]


class ClaimBody(ApiModel):
    """A sentence and the ids of the sources that it rests on."""

    text: Annotated[str, Field(min_length=1, max_length=5000)]
    references: list[SourceId] = Field(default_factory=list, max_length=_MOST_SOURCES)
    needs_source: bool = True


class VerifyRequest(ApiModel):
    """Either a text with `[@id]` markers after its sentences, or claims."""

    text: LongText | None = None
    claims: list[ClaimBody] | None = Field(None, max_length=_MOST_CLAIMS)
    sources: dict[SourceId, LongText] = Field(max_length=_MOST_SOURCES)
    names: dict[SourceId, list[SourceId]] = Field(
        default_factory=dict, max_length=500, description="Names with their forms in other languages."
    )
    across_translation: bool | None = Field(
        None, description="Whether the text is a translation of its sources; seen from the languages if left out."
    )

    @model_validator(mode="after")
    def _one_of_two(self) -> "VerifyRequest":
        if (self.text is None) == (self.claims is None):
            raise ValueError("Send either text or claims")
        return self


class FindingBody(ApiModel):
    """One fault, with a sentence for a person."""

    kind: FindingKind
    found: str
    expected: str | None
    reason: str


class CheckedSentenceBody(ApiModel):
    """One sentence with its verdict; offsets count characters."""

    text: str
    start: int
    end: int
    references: list[str]
    verdict: Verdict
    findings: list[FindingBody]
    best_source: str | None
    matched: tuple[int, int] | None
    needs_source: bool


class VerificationReportBody(ApiModel):
    """All sentences, and whether every one is supported."""

    supported: bool
    counts: dict[Verdict, int]
    sentences: list[CheckedSentenceBody]


@router.post("")
async def verify(wish: VerifyRequest, _principal: Annotated[Principal, signed_in()]) -> VerificationReportBody:
    """Check sentences against their sources. Nothing is stored."""
    return VerificationReportBody.model_validate(await asyncio.to_thread(_report, wish))


def _report(wish: VerifyRequest) -> VerificationReport:
    if wish.text is not None:
        return check_text(wish.text, wish.sources, across_translation=wish.across_translation, names=wish.names)
    claims = [CitedClaim(each.text, tuple(each.references), each.needs_source) for each in wish.claims or ()]
    return check(claims, wish.sources, across_translation=wish.across_translation, names=wish.names)
