"""API: rules that take, leave out or tag articles."""

from fastapi import Request
from pydantic import Field

from almanac.desks.news import service
from almanac.desks.news.model.rules import Action
from almanac.desks.news.routes.parts import Editor, Number, Reader, Words, new_router
from almanac.http.api_models import Listed, Model
from almanac.http.problems import documented_problems
from almanac.http.surface import surface_of

router = new_router()


class RuleBody(Model):
    """A rule: which articles it means, and what it does with them."""

    id: int
    name: str
    action: Action
    query: str
    tag: str | None
    is_active: bool
    version: int


class RuleWish(Model):
    """A rule to add."""

    name: Words
    action: Action
    query: Words = Field(examples=["solar country:MY -rooftop"])
    tag: Words | None = None
    is_active: bool = True


@router.get("/rules")
async def list_rules(request: Request, _principal: Reader) -> Listed[RuleBody]:
    """Every rule, by name."""
    found = await service.list_rules(surface_of(request).services)
    return Listed(items=[RuleBody.model_validate(rule) for rule in found], next_cursor=None)


@router.post("/rules", status_code=201, responses=documented_problems(409))
async def add_rule(request: Request, wish: RuleWish, principal: Editor) -> RuleBody:
    """Add a rule for articles that are read from now on."""
    made = await service.add_rule(
        surface_of(request).services, principal, name=wish.name, action=wish.action, query=wish.query, tag=wish.tag,
        is_active=wish.is_active,
    )  # fmt: skip
    return RuleBody.model_validate(made)


@router.delete("/rules/{rule_id}", status_code=204)
async def delete_rule(request: Request, rule_id: Number, principal: Editor) -> None:
    """Remove a rule; what it did to articles stays."""
    await service.delete_rule(surface_of(request).services, principal, rule_id)
