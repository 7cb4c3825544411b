"""Handover of a person's work to another: what there is, by kind, and giving all of it away in one go.

What a person wrote stays signed with their name, and decisions stay theirs. Habits are private: they are left to the
person, who exports or deletes them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.accounts import service as accounts_service
from almanac.accounts import store as account_store
from almanac.accounts.model import Principal, User
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject, DetailValue
from almanac.errors import FieldErrors
from almanac.http.desk import Desk
from almanac.http.handover_part import HandoverPart
from almanac.kit.messages import gettext
from almanac.knowledge import store as knowledge_store
from almanac.knowledge.indexing import KIND as KNOWLEDGE
from almanac.relational import Unit
from almanac.saved import store as saved_store
from almanac.search.store import hand_over_documents
from almanac.services import Services


@dataclass(frozen=True, slots=True)
class WorkCount:
    """How much work of a kind a person has."""

    part: HandoverPart
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoverPlan:
    """What a person would hand over: work by kind, and tokens that are revoked."""

    leaver: User
    work: Sequence[WorkCount]
    tokens: Sequence[str]

    @property
    def is_empty(self) -> bool:
        return not self.tokens and not any(row.count for row in self.work)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoverResult:
    """What was handed over, by the name of its kind, and how many tokens were revoked."""

    leaver: User
    heir: User
    moved: dict[str, int]
    revoked_tokens: int


async def plan_handover(services: Services, desks: Sequence[Desk], by: Principal, user_id: str) -> HandoverPlan:
    """What a person has to hand over, for those who manage people."""
    by.require("users.manage")
    leaver = await accounts_service.get_user(services.accounts, by, user_id)
    work = [WorkCount(part, await part.count(services, leaver.id)) for part in _list_parts(desks)]
    async with services.database.unit() as unit:
        tokens = await account_store.list_tokens(unit, leaver.id)
    return HandoverPlan(leaver=leaver, work=work, tokens=[token.name for token in tokens if token.revoked_at is None])


async def hand_over(
    services: Services, desks: Sequence[Desk], by: Principal, user_id: str, to_email: str, *, why: str = ""
) -> HandoverResult:
    """Give all work of a person to another, and revoke their tokens. Repeating it after a crash finishes it."""
    plan = await plan_handover(services, desks, by, user_id)
    leaver, heir = plan.leaver, await accounts_service.get_user_by_email(services.accounts, by, to_email)
    _refuse_unfit(services, plan, heir)
    moved: dict[str, int] = {}
    async with services.database.unit() as unit:
        for part in _list_parts(desks):
            moved[part.name] = await part.move(services, unit, leaver, heir)
        revoked = await account_store.revoke_tokens(unit, leaver.id, services.clock.now())
        detail: dict[str, DetailValue] = {"heir": heir.id, "revoked": revoked, **moved}
        deed = AuditAction(by.actor, "user.work_handed_over", AuditSubject("user", leaver.id), why, detail)
        await audit.record(unit, services.clock, deed)
    return HandoverResult(leaver=leaver, heir=heir, moved=moved, revoked_tokens=revoked)


def _refuse_unfit(services: Services, plan: HandoverPlan, heir: User) -> None:
    """Work goes to somebody else who can go on with it."""
    if heir.id == plan.leaver.id:
        raise FieldErrors({"to": gettext("Choose somebody else.")})
    if not heir.active:
        raise FieldErrors({"to": gettext("This person is deactivated; choose somebody else.")})
    may = heir.as_principal("automation", desks=services.accounts.desks).may
    for row in plan.work:
        if row.count and not may(row.part.permission):
            raise FieldErrors(
                {
                    "to": gettext(
                        "%(name)s may not work with %(work)s; give them the right first.",
                        name=heir.name,
                        work=row.part.plural,
                    )
                }
            )


def _list_parts(desks: Sequence[Desk]) -> list[HandoverPart]:
    names = {desk.name for desk in desks}
    return [
        *(part for desk in desks for part in desk.handover),
        *([_SOURCES] if "newsletter" in names else []),
        _SAVED_QUERIES,
    ]


async def _count_saved(services: Services, user_id: str) -> int:
    async with services.database.unit() as unit:
        return await saved_store.count_saved(unit, user_id)


async def _move_saved(services: Services, unit: Unit, leaver: User, heir: User) -> int:
    return await saved_store.hand_over_saved(unit, leaver.id, heir.id, services.clock.now())


async def _count_sources(services: Services, user_id: str) -> int:
    async with services.database.reading() as reading:
        return await knowledge_store.count_owned_sources(reading, user_id)


async def _move_sources(_services: Services, unit: Unit, leaver: User, heir: User) -> int:
    await hand_over_documents(unit, [KNOWLEDGE.name], leaver.id, heir.id)
    return await knowledge_store.hand_over_sources(unit, leaver.id, heir.id)


_SOURCES = HandoverPart(
    name="sources",
    title=gettext("Knowledge sources"),
    plural=gettext("knowledge sources"),
    permission="desk.newsletter.write",
    count=_count_sources,
    move=_move_sources,
    note=gettext("Private ones too."),
)
_SAVED_QUERIES = HandoverPart(
    name="saved_queries",
    title=gettext("Saved queries"),
    plural=gettext("saved queries"),
    permission="saved.own",
    count=_count_saved,
    move=_move_saved,
    note=gettext("Alerts go to the new owner; feeds are closed, because their addresses are known."),
)
