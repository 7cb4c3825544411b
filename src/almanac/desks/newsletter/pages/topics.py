"""Step 2: choose topics, retrieve passages, and include or exclude them."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.topics import (
    GROUPS,
    TOPIC_LABELS,
    TOPIC_TYPES,
    TopicType,
    find_topic_type,
    recommend_topics,
)
from almanac.desks.newsletter.pages.layout import Code, Reader, Writer, load_newsletter, step_page
from almanac.desks.newsletter.pages.progress import step_progress
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service import topics as topic_service
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
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
from almanac.kit.messages import gettext, join_texts, ngettext

MAX_BARS = 8
_AGES = (
    (2, gettext("Up to 2 days")),
    (7, gettext("3 to 7 days")),
    (14, gettext("8 to 14 days")),
    (45, gettext("15 to 45 days")),
    (120, gettext("46 to 120 days")),
)
router = APIRouter(prefix=PREFIX)
Filter = Annotated[str, Query(max_length=300)]


@dataclass(frozen=True, slots=True)
class CoverageChart:
    """A small chart: each name with its figure."""

    title: str
    figures: list[tuple[str, int]]


def coverage_charts(chunks: Sequence[RetrievedChunk], today: dt.date) -> list[CoverageChart]:
    """Passages by source, topic and age."""
    if not chunks:
        return []
    return [
        CoverageChart(gettext("By source"), _largest(chunk.source for chunk in chunks)),
        CoverageChart(gettext("By topic"), _largest(TOPIC_LABELS.get(chunk.topic, chunk.topic) for chunk in chunks)),
        CoverageChart(gettext("By age"), _ages(chunks, today)),
    ]


def _largest(names: Iterable[str]) -> list[tuple[str, int]]:
    """The most frequent names; the rest as one entry, unless it is only one."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    if len(ranked) <= MAX_BARS + 1:
        return ranked
    rest = sum(count for _, count in ranked[MAX_BARS:])
    return [*ranked[:MAX_BARS], (ngettext("%(num)s other", "%(num)s others", len(ranked) - MAX_BARS), rest)]


def _ages(chunks: Sequence[RetrievedChunk], today: dt.date) -> list[tuple[str, int]]:
    ages: list[str] = [*(words for _, words in _AGES), gettext("Older"), gettext("Without a date")]
    counts = dict.fromkeys(ages, 0)
    for chunk in chunks:
        counts[_age_words(chunk.date, today)] += 1
    return [(words, count) for words, count in counts.items() if count]


def _age_words(date: dt.date | None, today: dt.date) -> str:
    if date is None:
        return gettext("Without a date")
    days = (today - date).days
    return next((words for most, words in _AGES if days <= most), gettext("Older"))


@router.get("/{code}/topics")
async def show_topics(
    request: Request, code: Code, principal: Reader, topic: Filter = "", source: Filter = "", show: Filter = ""
) -> Response:
    """Topics, and the retrieved passages filtered by topic, source and use."""
    full = await load_newsletter(request, principal, code)
    return await _show(request, full, topic=topic, source=source, show=show)


@router.post("/{code}/topics")
async def save_topics(
    request: Request,
    code: Code,
    principal: Writer,
    version: FormText = "",
    topics: FormTexts = None,
    custom: FormText = "",
    then: FormText = "",
) -> Response:
    """Save the chosen topics, and start a retrieval if asked to."""
    services = get_state(request).services
    names = [*(topics or []), *_split_lines(custom)]
    try:
        full = await topic_service.choose_topics(services, principal, code, names, expected=parse_form_version(version))
        if then == "retrieve":
            await step_service.start_step(services, principal, code, "retrieval")
    except StaleEdit:
        return await _refused(
            request, principal, code, gettext("Someone else changed the topics; here is the current selection.")
        )
    except FieldErrors as error:
        return await _refused(request, principal, code, join_texts(error.fields.values(), " "))
    if is_htmx_request(request):
        return _saved(request, full)
    return redirect_with_message(request, newsletter_path(code, "topics"), "" if then else gettext("Topics saved."))


@router.post("/{code}/topics/chunks")
async def save_choice(
    request: Request,
    code: Code,
    principal: Writer,
    version: FormText = "",
    shown: FormTexts = None,
    included: FormTexts = None,
) -> Response:
    """Include the ticked passages and exclude the others that were shown."""
    services = get_state(request).services
    included_ids, seen = set(included or []), shown or []
    try:
        full = await topic_service.include_chunks(
            services,
            principal,
            code,
            included=[chunk_id for chunk_id in seen if chunk_id in included_ids],
            excluded=[chunk_id for chunk_id in seen if chunk_id not in included_ids],
            expected=parse_form_version(version),
        )
    except StaleEdit:
        return await _refused(
            request, principal, code, gettext("Someone else changed the selection; here is the current one.")
        )
    if is_htmx_request(request):
        return _saved(request, full)
    return redirect_with_message(request, newsletter_path(code, "topics"), gettext("Selection saved."))


@router.post("/{code}/topics/retrieve")
async def start_retrieval(request: Request, code: Code, principal: Writer) -> Response:
    """Retrieve passages in a job."""
    try:
        await step_service.start_step(get_state(request).services, principal, code, "retrieval")
    except Conflict as error:
        return await _refused(request, principal, code, error.sentence)
    return redirect_with_message(request, newsletter_path(code, "topics"))


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
        suggested={suggestion.key for suggestion in recommend_topics(full.newsletter.configuration.target_audience)},
        custom="\n".join(name for name in step.selected if find_topic_type(name) is None),
        chunks=chosen,
        topic=topic,
        source=source,
        show=show,
        topics=_counted(chunk.topic for chunk in step.chunks),
        sources=_counted(chunk.source for chunk in step.chunks),
        facets=_facets(request, step.chunks, show),
        charts=coverage_charts(step.chunks, today),
        coverage=step.coverage,
        running=await step_progress(get_state(request).services, full, "retrieval"),
    )


async def _refused(request: Request, principal: Principal, code: str, sentence: str) -> Response:
    """The current page with the reason; an htmx request gets only the sentence."""
    if is_htmx_request(request):
        raise Conflict(sentence)
    return await _show(request, await load_newsletter(request, principal, code), problem=sentence, status_code=409)


def _saved(request: Request, full: FullNewsletter) -> HTMLResponse:
    return HTMLResponse(render_fragment(request, "newsletter/topics_saved.html", step=full.topics))


def _groups(full: FullNewsletter) -> list[tuple[str, list[tuple[TopicType, bool]]]]:
    """The four groups of topic types, each with whether it is chosen."""
    chosen = set(full.topics.selected)
    return [
        (words, [(topic, topic.name in chosen) for topic in TOPIC_TYPES if topic.group == group])
        for group, words in GROUPS.items()
    ]


def _fits(chunk: RetrievedChunk, topic: str, source: str, show: str) -> bool:
    by_use = {"used": chunk.included, "unused": not chunk.included, "before": bool(chunk.used_in)}
    return topic in ("", chunk.topic) and source in ("", chunk.source) and by_use.get(show, True)


def _facets(request: Request, chunks: Sequence[RetrievedChunk], show: str) -> list[tuple[str, int | None, str, bool]]:
    kinds = (
        ("", gettext("All")),
        ("used", gettext("Included")),
        ("unused", gettext("Excluded")),
        ("before", gettext("Used before")),
    )
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
    """The options of a filter with their counts."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [
        (name, gettext("%(name)s (%(count)s)", name=TOPIC_LABELS.get(name, name), count=count))
        for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def _split_lines(text: str) -> list[str]:
    return [line.strip() for line in text.replace(",", "\n").splitlines() if line.strip()]
