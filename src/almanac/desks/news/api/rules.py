"""API: rules that take, leave out or tag articles."""

from fastapi import Request, Response
from pydantic import Field

from almanac.desks.news import service
from almanac.desks.news.api.dependencies import Editor, Number, Reader, Words, new_router
from almanac.desks.news.model.rules import NewsRule, RuleAction, RuleEdit, RuleFields
from almanac.http.api_models import ApiModel, Listed
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.problems import documented_problems

router = new_router()


class RuleChange(ApiModel):
    """What to set; what is left out stays as it is. A rule that is not active does nothing."""

    name: Words | None = None
    action: RuleAction | None = None
    query: Words | None = Field(None, examples=["solar country:MY -rooftop"])
    tag: Words | None = None
    is_active: bool | None = None


class RuleWish(RuleChange):
    """A rule to add: what it is called, what it does, and which articles it means."""

    name: Words
    action: RuleAction
    query: Words = Field(examples=["solar country:MY -rooftop"])
    is_active: bool = True


@router.get("/rules")
async def list_rules(request: Request, _principal: Reader) -> Listed[NewsRule]:
    """Every rule, by name."""
    return Listed(items=await service.list_rules(get_state(request).services), next_cursor=None)


@router.post("/rules", status_code=201, responses=documented_problems(409))
async def add_rule(request: Request, response: Response, wish: RuleWish, principal: Editor) -> NewsRule:
    """Add a rule for articles that are read from now on."""
    made = await service.add_rule(get_state(request).services, principal, RuleFields(**wish.model_dump()))
    return with_etag(response, made)


@router.get("/rules/{rule_id}")
async def get_rule(request: Request, response: Response, rule_id: Number, _principal: Reader) -> NewsRule:
    """One rule."""
    rule = await service.get_rule(get_state(request).services, rule_id)
    return with_etag(response, rule)


@router.patch("/rules/{rule_id}", responses=documented_problems(409, 412, 428))
async def edit_rule(
    request: Request, response: Response, rule_id: Number, wish: RuleChange, principal: Editor, if_match: IfMatch = None
) -> NewsRule:
    """Change a rule, or switch it off or on, if it is still what was read."""
    rule = await service.edit_rule(
        get_state(request).services,
        principal,
        rule_id,
        RuleEdit(**wish.model_dump()),
        expected=parse_if_match(if_match),
    )
    return with_etag(response, rule)


@router.delete("/rules/{rule_id}", status_code=204)
async def delete_rule(request: Request, rule_id: Number, principal: Editor) -> None:
    """Remove a rule; what it did to articles stays."""
    await service.delete_rule(get_state(request).services, principal, rule_id)
