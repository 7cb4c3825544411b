"""Exports as a page: each format with its file, how large it is, and whether the draft has changed since."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.newsletter import service
from almanac.desks.newsletter.checks import obstacles
from almanac.desks.newsletter.exports.model import Format
from almanac.desks.newsletter.model.newsletter import ExportRecord, FullNewsletter
from almanac.desks.newsletter.pages.running import export_progress
from almanac.desks.newsletter.pages.wizard import PREFIX, Author, Code, PartId, Reader, address, opened, step_page
from almanac.errors import Conflict
from almanac.http.api_models import API_PREFIX
from almanac.http.app_state import get_state
from almanac.http.cookies import Flash
from almanac.http.live import RunningWork
from almanac.http.pages import redirect, redirect_with_message

router = APIRouter(prefix=PREFIX + "/{code}/export")
_OFFERED = (
    (Format.PDF, "PDF", "Make PDF", "To print, or to send along."),
    (Format.DOCX, "Word", "Make Word file", "To go on editing elsewhere."),
    (Format.HTML, "HTML mail", "Make HTML mail", "To paste into a mailing tool."),
    (Format.WEB, "Web page", "Make web page", "One file that any browser opens."),
    (Format.MARKDOWN, "Markdown", "Make Markdown", "For a site or a repository."),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A format, and the file that was made in it last. `is_stale` tells that the draft has changed since."""

    format: str
    title: str
    verb: str
    words: str
    href: str
    record: ExportRecord | None
    is_stale: bool


@router.get("")
async def show_exports(
    request: Request, code: Code, principal: Reader, job: Annotated[int | None, Query(ge=1, le=2**62)] = None
) -> Response:
    """The formats with their files; `job` is an export under way."""
    running = await export_progress(get_state(request).services, code, job)
    return await _show(request, await opened(request, principal, code), running)


@router.post("/{format_name}")
async def start_export(request: Request, code: Code, format_name: PartId, principal: Author) -> Response:
    """Write the issue in a format, in a job, or show what stands in the way."""
    try:
        started = await service.start_export(get_state(request).services, principal, code, format_name)
    except Conflict as error:
        return redirect(request, address(code, "export"), Flash(error.sentence, "failed"))
    return redirect_with_message(request, f"{address(code, 'export')}?job={started.job_id}")


async def _show(request: Request, full: FullNewsletter, running: RunningWork) -> Response:
    standing = obstacles(full, await service.check_draft(full))
    return await step_page(
        request,
        "draft",
        full,
        template="newsletter/export.html",
        offers=[_offer(full, *one) for one in _OFFERED],
        obstacles=standing,
        draft=full.draft.draft,
        running=running,
    )


def _offer(full: FullNewsletter, wanted: Format, title: str, verb: str, words: str) -> Offer:
    record = full.draft.exports.get(wanted.value)
    stale = record is not None and record.revision != (full.draft.draft.revision or None)
    href = f"{API_PREFIX}/newsletters/{full.code}/exports/{wanted.value}"
    return Offer(wanted.value, title, verb, words, href, record, stale)
