"""API routes for the rules that include, exclude or tag articles."""

from fastapi import Request, Response

from almanac.desks.news.api.dependencies import Reader, Writer, new_router
from almanac.desks.news.api.schemas import NewRuleRequest, RulePatch
from almanac.desks.news.model.rules import NewsRule, RuleEdit, RuleFields
from almanac.desks.news.service import rules
from almanac.http.api_models import Listed, RowId
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.problems import documented_problems

router = new_router()


@router.get("/rules")
async def list_rules(request: Request, _principal: Reader) -> Listed[NewsRule]:
    """Every rule, by name."""
    return Listed(items=await rules.list_rules(get_state(request).services), next_cursor=None)


@router.post("/rules", status_code=201, responses=documented_problems(409))
async def add_rule(request: Request, response: Response, body: NewRuleRequest, principal: Writer) -> NewsRule:
    """Add a rule for articles that are read from now on."""
    rule = await rules.add_rule(get_state(request).services, principal, RuleFields(**body.model_dump()))
    return with_etag(response, rule)


@router.get("/rules/{rule_id}")
async def get_rule(request: Request, response: Response, rule_id: RowId, _principal: Reader) -> NewsRule:
    """One rule."""
    rule = await rules.get_rule(get_state(request).services, rule_id)
    return with_etag(response, rule)


@router.patch("/rules/{rule_id}", responses=documented_problems(409, 412, 428))
async def edit_rule(
    request: Request, response: Response, rule_id: RowId, body: RulePatch, principal: Writer, if_match: IfMatch = None
) -> NewsRule:
    """Change a rule or switch it on or off, if its version is still the one in If-Match."""
    rule = await rules.edit_rule(
        get_state(request).services,
        principal,
        rule_id,
        RuleEdit(**body.model_dump()),
        expected=parse_if_match(if_match),
    )
    return with_etag(response, rule)


@router.delete("/rules/{rule_id}", status_code=204)
async def delete_rule(request: Request, rule_id: RowId, principal: Writer) -> None:
    """Delete a rule; articles it has tagged or excluded stay so."""
    await rules.delete_rule(get_state(request).services, principal, rule_id)
