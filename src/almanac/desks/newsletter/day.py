"""The desk's part of the day: the drafts to continue, and what was finished and sent out."""

from collections.abc import Collection, Sequence

from almanac.accounts.model import Principal
from almanac.desks.newsletter.events import COMPLETED, EXPORTED, PREPARED
from almanac.desks.newsletter.model.newsletter import Newsletter
from almanac.desks.newsletter.permissions import ADMINISTER, WRITE
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.store.newsletters import find_newsletters
from almanac.desks.newsletter.urls import newsletter_path
from almanac.http.day import MAX_WAITING_ITEMS, Day, DayLink, Deed, DeskDay, WaitingGroup, WaitingItem
from almanac.http.desk import NamedObject
from almanac.kit.messages import gettext, ngettext
from almanac.kit.paging import Page
from almanac.services import Services
from tablature.kept_reads import KeptReads

STEPS = (gettext("Configuration"), gettext("Topics"), gettext("Outline"), gettext("Draft"))
_MAX_COUNTED = 100
_OWN: KeptReads[Page[Newsletter]] = KeptReads()
DEEDS = {
    "newsletter.created": Deed(
        lambda number: ngettext("%(num)s newsletter was begun", "%(num)s newsletters were begun", number),
        href="/newsletter",
    ),
    COMPLETED: Deed(
        lambda number: ngettext("%(num)s newsletter was completed", "%(num)s newsletters were completed", number),
        href="/newsletter",
    ),
    EXPORTED: Deed(
        lambda number: ngettext("%(num)s newsletter was exported", "%(num)s newsletters were exported", number),
        kind="published",
        href="/newsletter",
    ),
    "newsletter.published": Deed(
        lambda number: ngettext("%(num)s newsletter was published", "%(num)s newsletters were published", number),
        kind="published",
        href="/newsletter",
    ),
    PREPARED: Deed(
        lambda number: ngettext("%(num)s newsletter was prepared", "%(num)s newsletters were prepared", number),
        kind="collected",
        href="/newsletter",
    ),
}


async def load_day(services: Services, principal: Principal, day: Day) -> DeskDay:
    """A person's own drafts among their latest hundred newsletters; other days have only what was done on them."""
    if not day.is_today or not principal.may(WRITE):
        return DeskDay()
    page = await _OWN.get(
        services.tables,
        principal.user_id,
        lambda: newsletter_service.list_own_newsletters(services, principal, limit=_MAX_COUNTED),
    )
    drafts = [newsletter for newsletter in page.items if newsletter.is_draft]
    return DeskDay(
        waiting=_waiting(drafts, or_more=page.next_cursor is not None),
        first_step=None if page.items else DayLink(gettext("Create a newsletter"), "/newsletter/new"),
    )


async def name_newsletters(services: Services, principal: Principal, codes: Collection[str]) -> dict[str, str]:
    """Titles of those newsletters that the person may open, for the audit log."""
    newsletters = await find_newsletters(services.tables, codes)
    everything = principal.may(ADMINISTER)
    return {item.code: item.title for item in newsletters if everything or principal.owns(item.owner_id)}


async def name_newsletter(services: Services, principal: Principal, code: str) -> NamedObject:
    """The newsletter that a job worked on. Raises NotFound."""
    newsletter = (await open_newsletter(services, principal, code)).newsletter
    return NamedObject(newsletter.title, newsletter_path(code), newsletter.owner_id)


def _stage(newsletter: Newsletter) -> str:
    return STEPS[max(1, min(newsletter.current_step, len(STEPS))) - 1]


def _waiting(drafts: Sequence[Newsletter], *, or_more: bool) -> tuple[WaitingGroup, ...]:
    if not drafts:
        return ()
    items = [
        WaitingItem(
            title=draft.title,
            text=gettext(
                "Continue with step %(step)s of %(total)s: %(name)s.",
                step=STEPS.index(_stage(draft)) + 1,
                total=len(STEPS),
                name=_stage(draft),
            ),
            href=newsletter_path(draft.code),
            since=draft.updated_at,
        )
        for draft in sorted(drafts, key=lambda draft: draft.updated_at)[:MAX_WAITING_ITEMS]
    ]
    href = "/newsletter?status=draft"
    return (
        WaitingGroup(
            noun="newsletter",
            words=ngettext("%(num)s newsletter to finish", "%(num)s newsletters to finish", len(drafts)),
            href=href,
            count=len(drafts),
            icon="newsletter",
            items=items,
            verb=gettext("Continue"),
            or_more=or_more,
        ),
    )
