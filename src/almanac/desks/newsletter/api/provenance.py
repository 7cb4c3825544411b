"""API: the source of every sentence of an issue, back to the page or speech."""

from datetime import date

from fastapi import Request
from pydantic import Field

from almanac.desks.newsletter.api.dependencies import Code, Reader, new_router
from almanac.desks.newsletter.api.schemas import ChunkPlaceBody, ConfirmationBody
from almanac.desks.newsletter.model.verification import TracedSentence
from almanac.desks.newsletter.service import provenance as provenance_service
from almanac.desks.newsletter.service.provenance import IssueProvenance, QuoteStatus, QuoteSupport
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.verify import ClaimKind, Verdict

router = new_router()


class QuoteSupportBody(ApiModel):
    """The words of a source closest to a sentence, the passage and item they are from, and their original address."""

    number: int = Field(description="The number of the reference in the exported issue.")
    chunk: str
    desk: str
    title: str
    source: str
    url: str = Field(description="Where it was published.")
    date: date | None
    place: ChunkPlaceBody | None
    quote: str = Field(description="The words of the source as they were when they were retrieved.")
    start: int = Field(description="Where the quoted words begin in the part of the item that `place` names.")
    end: int
    path: str = Field(description="Opens the item at the quoted words; empty if the item is gone.")
    standing: QuoteStatus
    told: str = Field(description="How the source has changed since, in a sentence.")

    @classmethod
    def from_model(cls, support: QuoteSupport) -> "QuoteSupportBody":
        quoted, chunk = support.quoted, support.quoted.chunk
        return cls(
            number=quoted.number,
            chunk=chunk.id,
            desk=chunk.kind,
            title=chunk.title,
            source=chunk.source,
            url=chunk.url,
            date=chunk.date,
            place=ChunkPlaceBody.model_validate(chunk.place) if chunk.place else None,
            quote=quoted.text,
            start=support.start,
            end=support.end,
            path=support.path,
            standing=support.status,
            told=support.sentence,
        )


class TracedSentenceBody(ApiModel):
    """A sentence of the draft with everything it rests on; numbered from 0 within its section.

    The editor's own sentence (`kind` is own) rests on nothing; an unconfirmed one on the person who confirmed it.
    """

    section: str
    section_name: str
    number: int
    key: str
    text: str
    kind: ClaimKind
    verdict: Verdict
    uncovered: list[tuple[int, int]] = Field(
        description="Offsets in `text` of words that nothing in the source carries."
    )
    judged_by: str
    confirmed: ConfirmationBody | None
    rests_on: list[QuoteSupportBody]

    @classmethod
    def from_model(cls, sentence: TracedSentence, supports: tuple[QuoteSupport, ...]) -> "TracedSentenceBody":
        checked, confirmation = sentence.checked, sentence.confirmation
        return cls(
            section=sentence.section,
            section_name=sentence.section_name,
            number=sentence.number,
            key=sentence.key,
            text=checked.text,
            kind=checked.kind,
            verdict=checked.verdict,
            uncovered=list(checked.uncovered),
            judged_by=checked.judged_by,
            confirmed=ConfirmationBody.model_validate(confirmation) if confirmation else None,
            rests_on=[QuoteSupportBody.from_model(support) for support in supports],
        )


class ProvenanceBody(ApiModel):
    """Every sentence of an issue with its verdict, traced to where its source was published."""

    code: str
    title: str
    revision: int
    sentences: list[TracedSentenceBody]

    @classmethod
    def from_model(cls, provenance: IssueProvenance) -> "ProvenanceBody":
        full = provenance.newsletter
        return cls(
            code=full.code,
            title=full.newsletter.title,
            revision=full.draft.draft.revision,
            sentences=[
                TracedSentenceBody.from_model(sentence, supports) for sentence, supports in provenance.sentences
            ],
        )


@router.get("/{code}/provenance")
async def get_provenance(request: Request, code: Code, principal: Reader) -> ProvenanceBody:
    """Each sentence with its verdict, the closest words of its source, their item, and its original address."""
    return ProvenanceBody.from_model(
        await provenance_service.get_provenance(get_state(request).services, principal, code)
    )
