"""Step 2 as a page: topics by group, the retrieval under way, what it brought, and what to use of it."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter import service
from almanac.desks.newsletter.model.chunks import Chunk
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.topics import GROUPS, TOPIC_TYPES, TopicType, recommended, topic_type
from almanac.desks.newsletter.pages.coverage import coverage_bars
from almanac.desks.newsletter.pages.running import step_progress
from almanac.desks.newsletter.pages.wizard import PREFIX, Author, Code, Reader, address, opened, step_page
from almanac.errors import Conflict, FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.pages import (
    FormText,
    FormTexts,
    is_htmx_request,
    parse_form_version,
    redirect_with_message,
    render_fragment,
)
from almanac.http.paging import with_query

router = APIRouter(prefix=PREFIX)
Filter = Annotated[str, Query(max_length=300)]


@router.get("/{code}/topics")
async def show_topics(
    request: Request, code: Code, principal: Reader, topic: Filter = "", source: Filter = "", show: Filter = ""
) -> Response:
    """Topics, and the retrieved passages by topic, source and whether they are used."""
    full = await opened(request, principal, code)
    return await _show(request, full, topic=topic, source=source, show=show)


@router.post("/{code}/topics")
async def save_topics(
    request: Request,
    code: Code,
    principal: Author,
    version: FormText = "",
    topics: FormTexts = None,
    custom: FormText = "",
    then: FormText = "",
) -> Response:
    """Keep the chosen topics, and retrieve at once if that was asked for."""
    services = get_state(request).services
    wanted = [*(topics or []), *_lines(custom)]
    try:
        full = await service.choose_topics(services, principal, code, wanted, expected=parse_form_version(version))
        if then == "retrieve":
            await service.start_step(services, principal, code, "retrieval")
    except StaleEdit:
        return await _refused(request, principal, code, "Somebody else changed the topics meanwhile; here they are.")
    except FieldErrors as error:
        return await _refused(request, principal, code, " ".join(error.fields.values()))
    if is_htmx_request(request):
        return _saved(request, full)
    return redirect_with_message(request, address(code, "topics"), "" if then else "The topics are saved.")


@router.post("/{code}/topics/chunks")
async def save_choice(
    request: Request,
    code: Code,
    principal: Author,
    version: FormText = "",
    shown: FormTexts = None,
    included: FormTexts = None,
) -> Response:
    """Use the ticked passages and no other one of those that were shown."""
    services = get_state(request).services
    ticked, seen = set(included or []), shown or []
    try:
        full = await service.include_chunks(
            services,
            principal,
            code,
            included=[one for one in seen if one in ticked],
            excluded=[one for one in seen if one not in ticked],
            expected=parse_form_version(version),
        )
    except StaleEdit:
        return await _refused(request, principal, code, "Somebody else chose meanwhile; here is what is chosen now.")
    if is_htmx_request(request):
        return _saved(request, full)
    return redirect_with_message(request, address(code, "topics"), "Your choice is saved.")


@router.post("/{code}/topics/retrieve")
async def retrieve(request: Request, code: Code, principal: Author) -> Response:
    """Look for passages, in a job."""
    await service.start_step(get_state(request).services, principal, code, "retrieval")
    return redirect_with_message(request, address(code, "topics"))


async def _show(
    request: Request,
    full: FullNewsletter,
    /,
    *,
    topic: str = "",
    source: str = "",
    show: str = "",
    problem: str = "",
    status_code: int = 200,
) -> Response:
    step = full.topics
    chosen = [chunk for chunk in step.chunks if _fits(chunk, topic, source, show)]
    today = get_state(request).services.clock.now().date()
    return await step_page(
        request,
        "topics",
        full,
        status_code=status_code,
        step=step,
        groups=_groups(full),
        problem=problem,
        suggested={one.key for one in recommended(full.newsletter.configuration.target_audience)},
        custom="\n".join(name for name in step.selected if topic_type(name) is None),
        chunks=chosen,
        topic=topic,
        source=source,
        show=show,
        topics=_counted(chunk.topic for chunk in step.chunks),
        sources=_counted(chunk.source for chunk in step.chunks),
        facets=_facets(request, step.chunks, show),
        bars=coverage_bars(step.chunks, today),
        coverage=step.coverage,
        running=await step_progress(get_state(request).services, full, "retrieval"),
    )


async def _refused(request: Request, principal: Principal, code: str, sentence: str) -> Response:
    """The page as things stand, with what went wrong; in place the sentence alone is told."""
    if is_htmx_request(request):
        raise Conflict(sentence)
    return await _show(request, await opened(request, principal, code), problem=sentence, status_code=409)


def _saved(request: Request, full: FullNewsletter) -> HTMLResponse:
    return HTMLResponse(render_fragment(request, "newsletter/topics_saved.html", step=full.topics))


def _groups(full: FullNewsletter) -> list[tuple[str, list[tuple[TopicType, bool]]]]:
    """The four groups, each type with whether it is chosen."""
    chosen = set(full.topics.selected)
    return [
        (words, [(one, one.name in chosen) for one in TOPIC_TYPES if one.group == group])
        for group, words in GROUPS.items()
    ]


def _fits(chunk: Chunk, topic: str, source: str, show: str) -> bool:
    by_use = {"used": chunk.included, "unused": not chunk.included, "before": bool(chunk.used_in)}
    return topic in ("", chunk.topic) and source in ("", chunk.source) and by_use.get(show, True)


def _facets(request: Request, chunks: Sequence[Chunk], show: str) -> list[tuple[str, int | None, str, bool]]:
    kinds = (("", "All"), ("used", "Included"), ("unused", "Excluded"), ("before", "Used before"))
    return [
        (
            words,
            sum(_fits(chunk, "", "", key) for chunk in chunks),
            with_query(request.url, show=key or None),
            show == key,
        )
        for key, words in kinds
    ]


def _counted(names: Iterable[str]) -> list[tuple[str, str]]:
    """Options of a filter, each with how many there are."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [(name, f"{name} ({count})") for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.replace(",", "\n").splitlines() if line.strip()]
