"""The issue as its readers will see it, on a phone, on a desk and as text, and a copy by mail to oneself."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.newsletter.exports.html import mail_of
from almanac.desks.newsletter.exports.model import MailParts
from almanac.desks.newsletter.issue import issue_of
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.pages.wizard import PREFIX, Author, Code, Reader, address, opened, step_page
from almanac.desks.newsletter.service.trying import send_test
from almanac.errors import Conflict, InputError
from almanac.http.app_state import get_state
from almanac.http.middleware import sandboxed_html
from almanac.http.pages import redirect_with_message
from almanac.http.paging import with_query

router = APIRouter(prefix=PREFIX + "/{code}/preview")
_LOOKS = (("desktop", "Desktop"), ("phone", "Phone"), ("text", "Plain text"))


@router.get("")
async def show_preview(
    request: Request, code: Code, principal: Reader, look: Annotated[str, Query(max_length=20)] = "desktop"
) -> Response:
    """The issue as a mail."""
    full = await opened(request, principal, code)
    mail: MailParts | None = None
    problem = "" if full.draft.draft.word_count else "There is nothing to show yet; write the draft first."
    if not problem:
        try:
            mail = await _mail(request, full)
        except (Conflict, InputError) as error:
            problem = error.sentence
    look = look if look in dict(_LOOKS) else "desktop"
    links = [(words, None, with_query(request.url, look=key), key == look) for key, words in _LOOKS]
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


@router.get("/mail")
async def show_mail(request: Request, code: Code, principal: Reader) -> Response:
    """The HTML part alone, for the sandboxed frame that shows it."""
    mail = await _mail(request, await opened(request, principal, code))
    return sandboxed_html(mail.html)


@router.post("/send")
async def send_to_myself(request: Request, code: Code, principal: Author) -> Response:
    """Send a copy to the person's own address."""
    await send_test(get_state(request).services, principal, code)
    return redirect_with_message(request, address(code, "preview"), f"A test is on its way to {principal.email}.")


async def _mail(request: Request, full: FullNewsletter) -> MailParts:
    today = get_state(request).services.clock.now().date()
    return await asyncio.to_thread(lambda: mail_of(issue_of(full, today)))
