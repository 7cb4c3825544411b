"""The newsletter desk on the home page: a person's newsletters by step, and the drafts to continue."""

from collections import Counter
from collections.abc import Collection, Sequence

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.newsletter import Newsletter
from almanac.desks.newsletter.permissions import ADMINISTER, WRITE
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.store.newsletters import find_newsletters
from almanac.desks.newsletter.urls import newsletter_path
from almanac.http.overview import (
    MAX_WAITING_ITEMS,
    Figure,
    NamedObject,
    Overview,
    OverviewLink,
    Series,
    WaitingGroup,
    WaitingItem,
)
from almanac.kit.messages import gettext, ngettext
from almanac.kit.paging import Page
from almanac.services import Services
from tablature.kept_reads import KeptReads

STEPS = (gettext("Configuration"), gettext("Topics"), gettext("Outline"), gettext("Draft"))
ENDS = {"completed": gettext("Completed"), "exported": gettext("Exported")}
_MAX_COUNTED = 100
_OWN: KeptReads[Page[Newsletter]] = KeptReads()


async def get_overview(services: Services, principal: Principal) -> Overview:
    """The overview of a person's latest hundred newsletters."""
    page = await _OWN.get(
        services.tables,
        principal.user_id,
        lambda: newsletter_service.list_own_newsletters(services, principal, limit=_MAX_COUNTED),
    )
    newsletters, more = page.items, page.next_cursor is not None
    drafts = [newsletter for newsletter in newsletters if newsletter.status == "draft"]
    done, latest = (
        len(newsletters) - len(drafts),
        max(newsletters, key=lambda newsletter: newsletter.updated_at, default=None),
    )
    is_author = principal.may(WRITE)
    return Overview(
        figures=(
            Figure(len(drafts), gettext("in progress"), "/newsletter?status=draft", or_more=more),
            Figure(done, gettext("finished"), "/newsletter", or_more=more),
        ),
        series=Series(gettext("Newsletters by step"), _by_step(newsletters), over_time=False),
        last=OverviewLink(latest.title, newsletter_path(latest.code), latest.updated_at) if latest else None,
        waiting=_waiting(drafts, or_more=more) if is_author else (),
        first_step=None
        if newsletters or not is_author
        else OverviewLink(gettext("Create a newsletter"), "/newsletter/new"),
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


def _by_step(newsletters: Sequence[Newsletter]) -> list[tuple[str, int]]:
    counts = Counter(map(_stage, newsletters))
    return [(name, counts[name]) for name in (*STEPS, *ENDS.values())]


def _stage(newsletter: Newsletter) -> str:
    return ENDS.get(newsletter.status) or STEPS[max(1, min(newsletter.current_step, len(STEPS))) - 1]


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
            label=gettext("Newsletter"),
            words=ngettext("%(num)s newsletter", "%(num)s newsletters", len(drafts)),
            href=href,
            count=len(drafts),
            items=items,
            verb=gettext("Continue"),
            or_more=or_more,
        ),
    )
