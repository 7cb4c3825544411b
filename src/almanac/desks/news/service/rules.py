"""Rules in the one query syntax: what is taken, what is left out, what gets a tag."""

from almanac.accounts.model import Principal
from almanac.desks.news.events import record_event
from almanac.desks.news.model.rules import NewsRule, RuleAction, RuleEdit, RuleFields
from almanac.desks.news.store import rules
from almanac.errors import Conflict, FieldErrors, InputError, NotFound, StaleEdit
from almanac.kit.messages import gettext
from almanac.relational import DuplicateRow, Unit
from almanac.services import Services

NAME_LIMIT, TAG_LIMIT = 255, 50


async def list_rules(services: Services) -> list[NewsRule]:
    """Every rule by name."""
    async with services.database.unit() as unit:
        return await rules.list_rules(unit)


async def get_rule(services: Services, rule_id: int) -> NewsRule:
    async with services.database.unit() as unit:
        return await _rule(unit, rule_id)


async def add_rule(services: Services, principal: Principal, rule: RuleFields) -> NewsRule:
    """Add a rule for articles that are read from now on."""
    wanted = RuleEdit().apply_to(rule)
    _check(services, wanted)
    async with services.database.unit() as unit:
        try:
            rule_id = await rules.add_rule(unit, wanted, services.clock.now())
        except DuplicateRow as error:
            raise _taken(wanted) from error
        await record_event(unit, services, principal.actor, "news.rule.added", wanted.name, query=wanted.query)
        return await _rule(unit, rule_id)


async def edit_rule(
    services: Services, principal: Principal, rule_id: int, edit: RuleEdit, *, expected: int | None = None
) -> NewsRule:
    """Change a rule or switch it on or off, for articles read from now on; with `expected`, only that version."""
    async with services.database.unit() as unit:
        rule = await _rule(unit, rule_id)
        wanted = edit.apply_to(rule)
        _check(services, wanted)
        version = rule.version if expected is None else expected
        try:
            changed = await rules.edit_rule(unit, rule_id, wanted, expected=version)
        except DuplicateRow as error:
            raise _taken(wanted) from error
        if not changed:
            sentence = gettext("Somebody else changed this rule; review it before you change it.")
            raise StaleEdit(sentence, str(rule.version))
        await record_event(
            unit,
            services,
            principal.actor,
            "news.rule.changed",
            wanted.name,
            query=wanted.query,
            is_active=wanted.is_active,
        )
        return await _rule(unit, rule_id)


async def delete_rule(services: Services, principal: Principal, rule_id: int) -> None:
    """Remove a rule; what it did to articles stays."""
    async with services.database.unit() as unit:
        rule = await _rule(unit, rule_id)
        await rules.delete_rule(unit, rule_id)
        await record_event(unit, services, principal.actor, "news.rule.deleted", rule.name)


async def _rule(unit: Unit, rule_id: int) -> NewsRule:
    rule = await rules.find_rule(unit, rule_id) if rule_id < 2**31 else None
    if rule is None:
        raise NotFound(gettext("This rule doesn't exist; it may have been deleted."))
    return rule


def _taken(rule: RuleFields) -> Conflict:
    return Conflict(gettext("There is a rule named “%(name)s” already; choose another name.", name=rule.name))


def _check(services: Services, rule: RuleFields) -> None:
    wrong: dict[str, str] = {}
    if not 0 < len(rule.name) <= NAME_LIMIT:
        wrong["name"] = gettext("Enter a name of 1 to %(limit)s characters.", limit=NAME_LIMIT)
    if rule.action == RuleAction.TAG and not 0 < len(rule.tag or "") <= TAG_LIMIT:
        wrong["tag"] = gettext("Enter a tag of 1 to %(limit)s characters.", limit=TAG_LIMIT)
    try:
        if services.search.parse(rule.query).root is None:
            wrong["query"] = gettext("Enter a query; an empty one would match every article.")
    except InputError as error:
        wrong["query"] = error.sentence
    if wrong:
        raise FieldErrors(wrong)
