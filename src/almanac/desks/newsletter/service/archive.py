"""The public archive of issues: put one in, take it out, and tell whether it shows the current text."""

import asyncio
from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.newsletter.events import record_action
from almanac.desks.newsletter.formats.html import render_archive_page
from almanac.desks.newsletter.formats.publication_builder import build_issue
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.permissions import SEND
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.store import archive
from almanac.desks.newsletter.store.archive import ArchivedIssue, IssueText
from almanac.desks.newsletter.urls import archive_path
from almanac.errors import AlmanacError, Conflict, NotFound
from almanac.kit.messages import gettext
from almanac.services import Services

_PART = "newsletter"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveStatus:
    """Whether anyone may read an issue. `url` is its address; `is_stale` means that the draft says something else now.

    If `is_open` is false, the settings don't make the archive public.
    """

    is_open: bool
    url: str
    issue: ArchivedIssue | None = None
    is_stale: bool = False


async def publish_issue(services: Services, principal: Principal, code: str) -> ArchiveStatus:
    """Show a completed issue to everybody, as it is now. Needs the right to send."""
    principal.require(SEND)
    full = await open_newsletter(services, principal, code, consistent=True)
    if not _is_open(services):
        raise Conflict(gettext("The archive isn't public: ALMANAC_PUBLIC doesn't list newsletter."))
    if full.newsletter.is_draft:
        raise Conflict(gettext("Only a completed newsletter can be published; complete the draft first."))
    text = await asyncio.to_thread(_issue_text, services, full)
    async with services.database.unit() as unit:
        await archive.publish_issue(unit, text, by=principal.user_id, now=services.clock.now())
        await record_action(unit, services, principal.actor, "newsletter.published", code)
    return await get_archive_status(services, full)


async def withdraw_issue(services: Services, principal: Principal, code: str) -> None:
    """Take an issue back; its address then says that it was withdrawn. Needs the right to send."""
    principal.require(SEND)
    await open_newsletter(services, principal, code)
    async with services.database.unit() as unit:
        if not await archive.withdraw_issue(unit, code, services.clock.now()):
            raise NotFound(gettext("This newsletter isn't in the archive."))
        await record_action(unit, services, principal.actor, "newsletter.withdrawn", code)


async def get_archive_status(services: Services, full: FullNewsletter) -> ArchiveStatus:
    """What anyone may read of a newsletter."""
    async with services.database.reading() as reading:
        issue = await archive.get_archived_issue(reading, full.code)
    url = f"{services.settings.public_side_url}/en{archive_path(full.code)}"
    is_stale = issue is not None and await asyncio.to_thread(_differs, services, full, issue)
    return ArchiveStatus(is_open=_is_open(services), url=url, issue=issue, is_stale=is_stale)


def _is_open(services: Services) -> bool:
    return _PART in services.settings.public_parts


def _differs(services: Services, full: FullNewsletter, issue: ArchivedIssue) -> bool:
    try:
        return _issue_text(services, full).body != issue.body
    except AlmanacError:
        # A draft with references to nothing can't be rendered; it surely isn't what was published.
        return True


def _issue_text(services: Services, full: FullNewsletter) -> IssueText:
    publication = build_issue(full, services.clock.now().date())
    front = publication.front
    return IssueText(
        code=full.code,
        title=front.title,
        summary=front.preheader,
        language=front.language,
        day=front.date,
        body=render_archive_page(publication),
    )
