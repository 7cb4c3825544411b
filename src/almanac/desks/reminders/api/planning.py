"""API: what goes out at a moment and why, the ladder's rules, and reports."""

from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import Field

from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import Author, Day, Moment, MomentQuery, Reader, new_router
from almanac.desks.reminders.api.kept_plans import keep_plan, kept_plan, plan_body
from almanac.desks.reminders.api.schemas import PlanBody
from almanac.desks.reminders.model.reports import Ageing
from almanac.desks.reminders.model.rules import LadderRules, LevelRule
from almanac.http.api_models import Model
from almanac.http.etags import IfMatch, edited_version, tagged
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.http.surface import surface_of
from almanac.kit.paging import decode_cursor, encode_cursor

router = new_router()


class LevelBody(Model):
    """One rung: none of its kind within so many days, and so many days after the rung before."""

    name: Annotated[str, Field(min_length=1, max_length=30)]
    none_within_days: Annotated[int, Field(ge=0, le=3650)]
    days_after_previous: Annotated[int, Field(ge=0, le=3650)] = 0


class RulesBody(Model):
    """The ladder's rules."""

    levels: Annotated[list[LevelBody], Field(min_length=1, max_length=10)]
    grace_days: Annotated[int, Field(ge=0, le=3650)] = 0
    business_days_only: bool = False
    holidays: Annotated[list[Day], Field(max_length=1000)] = Field(default_factory=list)

    @classmethod
    def of(cls, rules: LadderRules) -> "RulesBody":
        return cls(
            levels=[LevelBody.model_validate(level) for level in rules.levels],
            grace_days=rules.grace_days,
            business_days_only=rules.business_days_only,
            holidays=sorted(rules.holidays),
        )

    def value(self) -> LadderRules:
        levels = [LevelRule(one.name, one.none_within_days, one.days_after_previous) for one in self.levels]
        return LadderRules(
            levels=tuple(levels),
            grace_days=self.grace_days,
            business_days_only=self.business_days_only,
            holidays=frozenset(self.holidays),
        )


class BandBody(Model):
    """What is open for so many days."""

    band: str
    invoices: int
    amount: str


class AgeingBody(Model):
    """The open invoices of one currency by days since they were due."""

    currency: str
    overdue: str
    bands: list[BandBody]

    @classmethod
    def of(cls, ageing: Ageing) -> "AgeingBody":
        bands = [BandBody(band=b.band, invoices=b.invoices, amount=str(b.amount.amount)) for b in ageing.bands]
        return cls(currency=ageing.currency, overdue=str(ageing.overdue.amount), bands=bands)


class RecoveredBody(Model):
    """What came in after reminders of one level and template."""

    reminder_type: str
    template_id: str | None
    template_version: int | None
    currency: str
    sent: int
    answered: int
    amount: str


class TimeToPayBody(Model):
    """How late invoices of one currency were paid, in days after the due date."""

    currency: str
    invoices: int
    median_days: float
    mean_days: float
    on_time: int


@router.get("/plan")
async def get_plan(
    request: Request, principal: Reader, at: MomentQuery | None = None, cursor: Cursor = None, limit: Limit = 100
) -> PlanBody:
    """What would go out at a moment (this time tomorrow unless said), and why; nothing of the ledger is written.

    The pages of one plan are those of one moment, whatever happens to the ledger meanwhile.
    """
    services = surface_of(request).services
    of, key = f"reminders plan {at}", services.key("cursors")
    if cursor is not None:
        first, plan_id = _position(cursor, of, key)
        kept = await kept_plan(services, plan_id)
        body, last = kept.page(first, limit), first + limit
        return body.model_copy(
            update={"next_cursor": encode_cursor([last, plan_id], of=of, key=key) if len(kept.items) > last else None}
        )
    plan = await service.plan(services, principal, at)
    body = plan_body(plan, limit)
    if len(plan.lines) > limit:
        body.next_cursor = encode_cursor([limit, await keep_plan(services, plan)], of=of, key=key)
    return body


def _position(cursor: str, of: str, key: bytes) -> tuple[int, str]:
    """Where a page begins, and the plan that it is of."""
    first, plan_id = decode_cursor(cursor, of=of, key=key)
    return int(first or 0), str(plan_id)


@router.get("/rules")
async def get_rules(request: Request, response: Response, principal: Reader) -> RulesBody:
    """The ladder's rules in force."""
    rules = await service.get_rules(surface_of(request).services, principal)
    return RulesBody.of(tagged(response, rules))


@router.patch("/rules", responses=documented_problems(412, 428))
async def save_rules(
    request: Request, response: Response, wish: RulesBody, principal: Author, if_match: IfMatch = None
) -> RulesBody:
    """Replace the rules; whatever was not sent is decided by them. Needs If-Match with the ETag that was read."""
    saved = await service.save_rules(
        surface_of(request).services, principal, wish.value(), expected=edited_version(if_match)
    )
    return RulesBody.of(tagged(response, saved))


@router.get("/reports/ageing")
async def get_ageing(
    request: Request, principal: Reader, today: Annotated[Day | None, Query(description="Today unless said.")] = None
) -> list[AgeingBody]:
    """Open invoices by currency and age."""
    found = await service.ageing_report(surface_of(request).services, principal, today)
    return [AgeingBody.of(one) for one in found]


Since = Annotated[Moment, Query(alias="from", description="The first moment that counts.")]
Until = Annotated[Moment, Query(alias="to", description="The first moment that doesn't.")]


@router.get("/reports/recovered")
async def get_recovered(request: Request, principal: Reader, since: Since, until: Until) -> list[RecoveredBody]:
    """What came in after the reminders that were sent in a range of time, by level and template."""
    found = await service.recovered_report(surface_of(request).services, principal, since, until)
    return [
        RecoveredBody(
            reminder_type=one.level,
            template_id=one.template_id,
            template_version=one.template_version,
            currency=one.currency,
            sent=one.sent,
            answered=one.answered,
            amount=str(one.amount.amount),
        )
        for one in found
    ]


@router.get("/reports/time-to-pay")
async def get_time_to_pay(request: Request, principal: Reader, since: Since, until: Until) -> list[TimeToPayBody]:
    """How late invoices were paid that were settled in a range of time."""
    found = await service.time_to_pay_report(surface_of(request).services, principal, since, until)
    return [TimeToPayBody.model_validate(one) for one in found]
