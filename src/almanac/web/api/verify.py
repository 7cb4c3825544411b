"""API: check sentences against their sources."""

import asyncio
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, model_validator

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel
from almanac.http.auth import signed_in
from almanac.kit.messages import gettext
from almanac.verify import CitedClaim, ClaimKind, FindingKind, Verdict, VerificationReport, check, check_text
from almanac.verify.markers import OWN

router = APIRouter(prefix=f"{API_PREFIX}/verify", tags=["verify"])

_MAX_SOURCES, _MAX_CLAIMS, _MAX_TEXT_LENGTH = 50, 500, 200_000
SourceId = Annotated[str, Field(min_length=1, max_length=200)]
LongText = Annotated[str, Field(max_length=_MAX_TEXT_LENGTH)]


class ClaimBody(ApiModel):
    """A sentence and the ids of the sources it is based on."""

    text: Annotated[str, Field(min_length=1, max_length=5000)]
    references: list[SourceId] = Field(default_factory=list, max_length=_MAX_SOURCES)
    needs_source: bool = Field(True, description="False for a heading: then only contradictions are faults.")


class VerifyRequest(ApiModel):
    """Either a text with `[@id]` markers after its sentences (`[@own]` after an editor's own), or claims."""

    text: LongText | None = None
    claims: list[ClaimBody] | None = Field(None, max_length=_MAX_CLAIMS)
    sources: dict[SourceId, LongText] = Field(max_length=_MAX_SOURCES)
    names: dict[SourceId, list[SourceId]] = Field(
        default_factory=dict, max_length=500, description="Names with their forms in other languages."
    )
    across_translation: bool | None = Field(
        None, description="Whether the text is a translation of its sources; by default detected from the languages."
    )

    @model_validator(mode="after")
    def _require_text_or_claims(self) -> "VerifyRequest":
        if (self.text is None) == (self.claims is None):
            raise ValueError(gettext("Send either text or claims"))
        if OWN in self.sources:
            raise ValueError(gettext("Give the source “%(own)s” another id; it marks your own sentences", own=OWN))
        return self


class FindingBody(ApiModel):
    """A problem with a sentence, with an explanation."""

    kind: FindingKind
    found: str
    expected: str | None
    reason: str


class CheckedSentenceBody(ApiModel):
    """A sentence with its verdict; offsets count characters."""

    text: str
    start: int
    end: int
    references: list[str]
    verdict: Verdict
    findings: list[FindingBody]
    best_source: str | None
    matched: tuple[int, int] | None
    needs_source: bool
    kind: ClaimKind
    uncovered: list[tuple[int, int]] = Field(
        description="Offsets in `text` of words that nothing in the source carries."
    )
    judged_by: str = Field(description="The model that confirmed it; empty if rules alone decided.")


class VerificationReportBody(ApiModel):
    """All sentences, and whether every one is supported."""

    supported: bool
    counts: dict[Verdict, int]
    sentences: list[CheckedSentenceBody]


@router.post("")
async def verify(body: VerifyRequest, _principal: Annotated[Principal, signed_in()]) -> VerificationReportBody:
    """Check sentences against their sources. Nothing is stored."""
    return VerificationReportBody.model_validate(await asyncio.to_thread(_report, body))


def _report(body: VerifyRequest) -> VerificationReport:
    if body.text is not None:
        return check_text(body.text, body.sources, across_translation=body.across_translation, names=body.names)
    claims = [CitedClaim(claim.text, tuple(claim.references), claim.needs_source) for claim in body.claims or ()]
    return check(claims, body.sources, across_translation=body.across_translation, names=body.names)
