"""API: speeches by words, person, bill and any other filter, in the words of the record."""

from datetime import date
from typing import Annotated, get_args

from fastapi import Depends, Query, Request
from pydantic import AwareDatetime
from starlette.responses import Response, StreamingResponse

from almanac.desks.recap.api.articles import JSON_LINES
from almanac.desks.recap.api.dependencies import Reader, Values, new_router
from almanac.desks.recap.api.schemas import SpeechHitBody, SpeechPageBody
from almanac.desks.recap.model.speech_filters import SpeechFacet, SpeechFilter, SpeechOrder, parse_speech_filter
from almanac.desks.recap.service import speeches
from almanac.http.api_models import Text
from almanac.http.app_state import get_state
from almanac.http.paging import Cursor, Limit
from almanac.http.responses import attachment_header

router = new_router()
SpeechFacets = Annotated[
    list[SpeechFacet], Query(max_length=len(get_args(SpeechFacet)), description="Count these facets.")
]


def query_speech_filter(
    person: Values = [],  # noqa: B006 - read only
    speaker: Annotated[Values, Query(description="The key of one person among namesakes.")] = [],  # noqa: B006 - read only
    group: Annotated[Values, Query(description="The speaker's group on that day.")] = [],  # noqa: B006 - read only
    reaction: Annotated[Values, Query(description="What the speech does, such as 質問 or 反対.")] = [],  # noqa: B006 - read only
    bill: Annotated[Values, Query(description="The key of a bill.")] = [],  # noqa: B006 - read only
    house: Values = [],  # noqa: B006 - read only
    meeting: Annotated[Values, Query(description="The committee, or the plenary.")] = [],  # noqa: B006 - read only
    session: Values = [],  # noqa: B006 - read only
    q: Annotated[Text, Query(description="Words that must occur, in the syntax of search.")] = "",
    since: Annotated[date | None, Query(alias="from", description="First day of meetings.")] = None,
    until: Annotated[date | None, Query(description="Last day of meetings.")] = None,
    order: SpeechOrder = "newest",
) -> SpeechFilter:
    """The speech filter of a request. Values of one facet are alternatives; different facets must all match."""
    return parse_speech_filter(
        {
            "person": person,
            "speaker": speaker,
            "group": group,
            "reaction": reaction,
            "bill": bill,
            "house": house,
            "meeting": meeting,
            "session": session,
            "q": [q],
            "from": [since.isoformat() if since else ""],
            "until": [until.isoformat() if until else ""],
            "order": [order],
        }
    )


QuerySpeechFilter = Annotated[SpeechFilter, Depends(query_speech_filter)]


@router.get("/speeches")
async def list_speeches(
    request: Request,
    _principal: Reader,
    wanted: QuerySpeechFilter,
    facet: SpeechFacets = [],  # noqa: B006 - read only
    cursor: Cursor = None,
    limit: Limit = 20,
) -> SpeechPageBody:
    """Speeches by any combination of filters, by day or by relevance."""
    services = get_state(request).services
    page = await speeches.list_speeches(services, wanted, facets=facet, cursor=cursor, limit=limit)
    return SpeechPageBody.model_validate(page)


@router.get("/speeches/new")
async def list_new_speeches(
    request: Request,
    _principal: Reader,
    wanted: QuerySpeechFilter,
    moment: Annotated[AwareDatetime, Query(description="Speeches of meetings first published here after this moment.")],
    limit: Limit = 50,
) -> list[SpeechHitBody]:
    """Speeches that came since a moment, in the order of publication; those of a meeting written again aren't new."""
    hits = await speeches.list_speeches_since(get_state(request).services, wanted, moment, limit=limit)
    return [SpeechHitBody.model_validate(hit) for hit in hits]


@router.get(
    "/feeds/speeches.jsonl",
    response_class=Response,
    responses={200: {"content": {JSON_LINES: {}}, "description": "One speech a line, as JSON."}},
)
async def download_speeches(request: Request, _principal: Reader, wanted: QuerySpeechFilter) -> Response:
    """Every speech that a filter finds, in the words of the record, one a line."""
    lines = speeches.export_speeches(get_state(request).services, wanted)
    return StreamingResponse(lines, media_type=JSON_LINES, headers=attachment_header("speeches.jsonl"))
