"""Rules in the one query syntax: what is taken, what is left out, what gets a tag."""

from almanac.accounts.model import Principal
from almanac.desks.news.announcing import record
from almanac.desks.news.model.rules import Action, Rule
from almanac.desks.news.store import tasks as store
from almanac.errors import Conflict, FieldErrors, InputError, NotFound
from almanac.relational import Duplicate
from almanac.services import Services

NAME_LIMIT, TAG_LIMIT = 255, 50


async def list_rules(services: Services) -> list[Rule]:
    """Every rule by name."""
    async with services.database.unit() as unit:
        return await store.list_rules(unit)


async def add_rule(
    services: Services, principal: Principal, *, name: str, action: Action, query: str, tag: str | None = None,
    is_active: bool = True,
) -> Rule:  # fmt: skip
    """Add a rule for articles that are read from now on."""
    _check(services, name, action, query, tag)
    async with services.database.unit() as unit:
        try:
            rule_id = await store.add_rule(
                unit, name=name.strip(), action=action, query=query, tag=tag.strip() if tag else None,
                is_active=is_active, now=services.clock.now(),
            )  # fmt: skip
        except Duplicate as error:
            raise Conflict(f"There is a rule named “{name.strip()}” already; choose another name.") from error
        await record(unit, services, principal.actor, "news.rule.added", name.strip(), query=query)
        found = await store.find_rule(unit, rule_id)
    assert found is not None
    return found


async def delete_rule(services: Services, principal: Principal, rule_id: int) -> None:
    """Remove a rule; what it did to articles stays."""
    async with services.database.unit() as unit:
        if rule_id >= 2**31 or not await store.delete_rule(unit, rule_id):
            raise NotFound("There is no such rule.")
        await record(unit, services, principal.actor, "news.rule.deleted", str(rule_id))


def _check(services: Services, name: str, action: Action, query: str, tag: str | None) -> None:
    wrong: dict[str, str] = {}
    if not 0 < len(name.strip()) <= NAME_LIMIT:
        wrong["name"] = f"Give the rule a name of 1 to {NAME_LIMIT} characters."
    if action == Action.TAG and not 0 < len((tag or "").strip()) <= TAG_LIMIT:
        wrong["tag"] = f"Say which tag to give, in 1 to {TAG_LIMIT} characters."
    try:
        if services.search.parse(query).root is None:
            wrong["query"] = "Say which articles are meant; an empty query means all of them."
    except InputError as error:
        wrong["query"] = error.sentence
    if wrong:
        raise FieldErrors(wrong)
