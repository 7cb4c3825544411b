"""API: where every sentence of an issue comes from, back to the page or the speech."""

from datetime import date

from fastapi import Request
from pydantic import Field

from almanac.desks.newsletter.api.dependencies import Code, Reader, new_router
from almanac.desks.newsletter.api.schemas import PlaceBody
from almanac.desks.newsletter.service.provenance import Provenance, Standing, Support, provenance_of
from almanac.desks.newsletter.tracing import TracedSentence
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.verify import Verdict

router = new_router()


class SupportBody(ApiModel):
    """What a sentence rests on: the words quoted, the passage and item they are from, and their original address."""

    number: int = Field(description="The number of the reference in print.")
    chunk: str
    desk: str
    title: str
    source: str
    url: str = Field(description="Where it was published.")
    date: date | None
    place: PlaceBody | None
    quote: str = Field(description="The words of the source as they were when they were retrieved.")
    start: int = Field(description="Where the quoted words begin in the part of the item that `place` names.")
    end: int
    path: str = Field(description="Opens the item here, on the quoted words; empty where it is gone.")
    standing: Standing
    told: str = Field(description="What became of the source since, in a sentence.")

    @classmethod
    def of(cls, support: Support) -> "SupportBody":
        quoted, chunk = support.quoted, support.quoted.chunk
        return cls(
            number=quoted.number,
            chunk=chunk.id,
            desk=chunk.kind,
            title=chunk.title,
            source=chunk.source,
            url=chunk.url,
            date=chunk.date,
            place=PlaceBody.model_validate(chunk.place) if chunk.place else None,
            quote=quoted.text,
            start=support.start,
            end=support.end,
            path=support.path,
            standing=support.standing,
            told=support.told,
        )


class TracedBody(ApiModel):
    """A sentence of the draft with everything it rests on; it counts from 0 within its section."""

    section: str
    section_name: str
    number: int
    text: str
    verdict: Verdict
    rests_on: list[SupportBody]

    @classmethod
    def of(cls, sentence: TracedSentence, supports: tuple[Support, ...]) -> "TracedBody":
        return cls(
            section=sentence.section,
            section_name=sentence.section_name,
            number=sentence.number,
            text=sentence.text,
            verdict=sentence.verdict,
            rests_on=[SupportBody.of(one) for one in supports],
        )


class ProvenanceBody(ApiModel):
    """An issue sentence by sentence, each traced to where it was published."""

    code: str
    title: str
    revision: int
    sentences: list[TracedBody]

    @classmethod
    def of(cls, provenance: Provenance) -> "ProvenanceBody":
        full = provenance.newsletter
        return cls(
            code=full.code,
            title=full.newsletter.title,
            revision=full.draft.draft.revision,
            sentences=[TracedBody.of(sentence, found) for sentence, found in provenance.sentences],
        )


@router.get("/{code}/provenance")
async def get_provenance(request: Request, code: Code, principal: Reader) -> ProvenanceBody:
    """Each sentence, the passage it rests on, the story or speech that is from, and its original address."""
    return ProvenanceBody.of(await provenance_of(get_state(request).services, principal, code))
