"""Handing the newsletters of a person over to another, with their schedules, citations and place in search."""

from almanac.accounts.model import User
from almanac.citations.store import hand_over_citations
from almanac.desks.newsletter.indexing import KIND
from almanac.desks.newsletter.permissions import WRITE
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.http.handover_part import HandoverPart
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.search.store import hand_over_documents
from almanac.services import Services


async def _count(services: Services, user_id: str) -> int:
    return len(await newsletter_store.list_owned_codes(services.tables, user_id))


async def _move(services: Services, unit: Unit, leaver: User, heir: User) -> int:
    """The table is written first: a repeated handover finds what is left there, and the rest in its transaction."""
    codes = await newsletter_store.list_owned_codes(services.tables, leaver.id)
    for code in codes:
        await newsletter_store.change_owner(
            services.tables, code, owner_id=heir.id, owner_email=heir.email, owner_name=heir.name
        )
    await hand_over_citations(unit, leaver.id, heir.id)
    await hand_over_documents(unit, [KIND.name], leaver.id, heir.id)
    return len(codes)


NEWSLETTERS = HandoverPart(
    name="newsletters",
    title=gettext("Newsletters"),
    plural=gettext("newsletters"),
    permission=WRITE,
    count=_count,
    move=_move,
)
