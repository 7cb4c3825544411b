"""The newsletter desk at a glance: one's own issues by how far they are, and the drafts to go on with."""

from collections import Counter
from collections.abc import Sequence

from almanac.accounts.model import Principal
from almanac.desks.newsletter import service
from almanac.desks.newsletter.model.newsletter import Newsletter
from almanac.http.overview import MOST_ITEMS, Figure, Overview, OverviewLink, Series, WaitingGroup, WaitingItem
from almanac.services import Services

STEPS = ("Configuration", "Topics", "Outline", "Draft")
ENDS = {"completed": "Completed", "exported": "Exported"}
_LOOKED_AT = 100


async def glance(services: Services, principal: Principal) -> Overview:
    """One's own newsletters, the latest hundred of them."""
    page = await service.list_own(services, principal, limit=_LOOKED_AT)
    own, more = page.items, page.next_cursor is not None
    drafts = [one for one in own if one.status == "draft"]
    done, begun = len(own) - len(drafts), max(own, key=lambda one: one.updated_at, default=None)
    is_author = principal.may("desk.newsletter.write")
    return Overview(
        figures=(
            Figure(len(drafts), "in the making", "/newsletter?status=draft", or_more=more),
            Figure(done, "finished", "/newsletter", or_more=more),
        ),
        series=Series("Newsletters by how far they are", _by_step(own), over_time=False),
        last=OverviewLink(begun.title, _path(begun), begun.updated_at) if begun else None,
        waiting=_waiting(drafts, or_more=more) if is_author else (),
        first_step=None if own or not is_author else OverviewLink("Begin a newsletter", "/newsletter/new"),
    )


def _by_step(own: Sequence[Newsletter]) -> list[tuple[str, int]]:
    counts = Counter(map(_stage, own))
    return [(name, counts[name]) for name in (*STEPS, *ENDS.values())]


def _stage(newsletter: Newsletter) -> str:
    return ENDS.get(newsletter.status) or STEPS[max(1, min(newsletter.current_step, len(STEPS))) - 1]


def _waiting(drafts: Sequence[Newsletter], *, or_more: bool) -> tuple[WaitingGroup, ...]:
    if not drafts:
        return ()
    items = [
        WaitingItem(
            title=one.title,
            text=f"Go on with step {STEPS.index(_stage(one)) + 1} of {len(STEPS)}: {_stage(one)}.",
            href=_path(one),
            since=one.updated_at,
        )
        for one in sorted(drafts, key=lambda one: one.updated_at)[:MOST_ITEMS]
    ]
    href = "/newsletter?status=draft"
    return (WaitingGroup(noun="newsletter", href=href, count=len(drafts), items=items, verb="Go on", or_more=or_more),)


def _path(newsletter: Newsletter) -> str:
    return f"/newsletter/{newsletter.code}"
