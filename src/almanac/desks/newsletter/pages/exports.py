"""Export and preview pages: each format with its file, the issue as a mail, and a test mail to oneself."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter.formats.export_file import ExportFormat, IssueMail
from almanac.desks.newsletter.formats.html import render_issue_mail
from almanac.desks.newsletter.formats.publication_builder import build_issue
from almanac.desks.newsletter.model.newsletter import ExportRecord, FullNewsletter
from almanac.desks.newsletter.model.readable_draft import build_readable_draft
from almanac.desks.newsletter.model.verification import list_obstacles
from almanac.desks.newsletter.pages.layout import Code, PartId, Reader, Writer, load_newsletter, step_page
from almanac.desks.newsletter.pages.progress import export_progress
from almanac.desks.newsletter.permissions import SEND
from almanac.desks.newsletter.pipeline.verification import check_draft
from almanac.desks.newsletter.service import exports as export_service
from almanac.desks.newsletter.service.archive import get_archive_status
from almanac.desks.newsletter.service.exports import send_test_mail
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.errors import Conflict, InputError
from almanac.http.api_models import API_PREFIX
from almanac.http.app_state import get_state
from almanac.http.cookies import Flash
from almanac.http.live import RunningWork
from almanac.http.middleware import sandboxed_html
from almanac.http.pages import redirect, redirect_with_message
from almanac.http.paging import with_query
from almanac.kit.messages import gettext
from almanac.mail.model import KEPT_HERE
from almanac.reader.service import get_progress

router = APIRouter(prefix=PREFIX + "/{code}")
_FORMATS = (
    (ExportFormat.PDF, "PDF", gettext("Make PDF"), gettext("To print or attach.")),
    (ExportFormat.DOCX, gettext("Word"), gettext("Make Word file"), gettext("To keep editing elsewhere.")),
    (ExportFormat.HTML, gettext("HTML mail"), gettext("Make HTML mail"), gettext("To paste into a mailing tool.")),
    (ExportFormat.WEB, gettext("Web page"), gettext("Make web page"), gettext("One file that any browser opens.")),
    (ExportFormat.MARKDOWN, gettext("Markdown"), gettext("Make Markdown"), gettext("For a site or a repository.")),
)
_PREVIEWS = (("desktop", gettext("Desktop")), ("phone", gettext("Phone")), ("text", gettext("Plain text")))


@dataclass(frozen=True, slots=True)
class ExportOffer:
    """A format and its latest file. `is_stale` means that the draft has changed since."""

    format: str
    title: str
    verb: str
    words: str
    href: str
    record: ExportRecord | None
    is_stale: bool


@router.get("/export")
async def show_exports(
    request: Request, code: Code, principal: Reader, job: Annotated[int | None, Query(ge=1, le=2**62)] = None
) -> Response:
    """The formats with their files; `job` is a running export."""
    running = await export_progress(get_state(request).services, code, job)
    return await _show(request, principal, await load_newsletter(request, principal, code), running)


@router.post("/export/{format_name}")
async def start_export(request: Request, code: Code, format_name: PartId, principal: Writer) -> Response:
    """Export the issue in a job, or show what blocks it."""
    try:
        started = await export_service.start_export(get_state(request).services, principal, code, format_name)
    except Conflict as error:
        return redirect(request, newsletter_path(code, "export"), Flash(error.sentence, "failed"))
    return redirect_with_message(request, f"{newsletter_path(code, 'export')}?job={started.job_id}")


async def _show(request: Request, principal: Principal, full: FullNewsletter, running: RunningWork) -> Response:
    services = get_state(request).services
    checked = await check_draft(services, full)
    return await step_page(
        request,
        "draft",
        full,
        template="newsletter/export.html",
        offers=[_offer(full, *offer) for offer in _FORMATS],
        obstacles=list_obstacles(full, checked),
        progress=await get_progress(services.database, build_readable_draft(full, checked)),
        draft=full.draft.draft,
        running=running,
        archive=await get_archive_status(services, full),
        may_publish=principal.may(SEND) and not full.newsletter.is_draft,
    )


def _offer(full: FullNewsletter, export_format: ExportFormat, title: str, verb: str, words: str) -> ExportOffer:
    record = full.draft.exports.get(export_format.value)
    stale = record is not None and record.revision != (full.draft.draft.revision or None)
    href = f"{API_PREFIX}/newsletters/{full.code}/exports/{export_format.value}"
    return ExportOffer(export_format.value, title, verb, words, href, record, stale)


@router.get("/preview")
async def show_preview(
    request: Request, code: Code, principal: Reader, look: Annotated[str, Query(max_length=20)] = "desktop"
) -> Response:
    """The issue as a mail."""
    full = await load_newsletter(request, principal, code)
    mail: IssueMail | None = None
    problem = "" if full.draft.draft.word_count else gettext("Nothing to show yet; write the draft first.")
    if not problem:
        try:
            mail = await _render_mail(request, full)
        except (Conflict, InputError) as error:
            problem = error.sentence
    look = look if look in dict(_PREVIEWS) else "desktop"
    links = [(words, None, with_query(request.url, look=key), key == look) for key, words in _PREVIEWS]
    return await step_page(
        request,
        "draft",
        full,
        template="newsletter/preview.html",
        mail=mail,
        problem=problem,
        look=look,
        looks_links=links,
    )


@router.get("/preview/mail")
async def show_mail(request: Request, code: Code, principal: Reader) -> Response:
    """Only the HTML part, for the sandboxed frame."""
    mail = await _render_mail(request, await load_newsletter(request, principal, code))
    return sandboxed_html(mail.html)


@router.post("/preview/send")
async def send_to_myself(request: Request, code: Code, principal: Writer) -> Response:
    """Send a test mail to the person's own address."""
    services = get_state(request).services
    await send_test_mail(services, principal, code)
    words = gettext("Test mail sent to %(email)s.", email=principal.email) if services.mail_leaves else KEPT_HERE
    return redirect_with_message(request, newsletter_path(code, "preview"), words)


async def _render_mail(request: Request, full: FullNewsletter) -> IssueMail:
    today = get_state(request).services.clock.now().date()
    return await asyncio.to_thread(lambda: render_issue_mail(build_issue(full, today)))
