"""The commands under `almanac news rules`: which articles are included, excluded or tagged."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news.model.rules import NewsRule, RuleAction, RuleEdit, RuleFields
from almanac.desks.news.service import rules as rule_service
from almanac.errors import NotFound
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, Run, print_json, print_line, print_table

commands = CommandList()
RuleName = Annotated[str, typer.Argument(help="The name of the rule.")]
NewQuery = Annotated[str, typer.Option("--query", help="Which articles, as a search query.")]
Query = Annotated[str | None, typer.Option("--query", help="Which articles, as a search query.")]
Action = Annotated[RuleAction | None, typer.Option("--action", help="include, exclude or tag.")]
Tag = Annotated[str | None, typer.Option("--tag", help="The tag to add.")]


def rule_commands(run: Run) -> typer.Typer:
    """List, add, edit, switch and delete rules."""
    app = typer.Typer(no_args_is_help=True, help="Rules: which articles are included, excluded or tagged when read.")
    commands.mount(app, run)
    return app


@commands.command("list")
async def list_rules(services: Services, as_json: AsJson = False) -> None:
    """Every rule."""
    rules = await rule_service.list_rules(services)
    if as_json:
        print_json(rules)
        return
    rows = [[rule.name, "yes" if rule.is_active else "no", rule.action, rule.tag or "", rule.query] for rule in rules]
    empty = "There are no rules; every article is included."
    print_table(["Rule", "On", "Action", "Tag", "Query"], rows, empty=empty)


@commands.command("add")
async def add_rule(
    services: Services,
    name: RuleName,
    query: NewQuery,
    action: Annotated[RuleAction, typer.Option("--action", help="include, exclude or tag.")] = RuleAction.TAG,
    tag: Tag = None,
) -> None:
    """Add a rule for articles that are read from now on."""
    rule = RuleFields(name=name, action=action, query=query, tag=tag)
    print_line(f"Added the rule “{(await rule_service.add_rule(services, CONSOLE, rule)).name}”.")


@commands.command("delete")
async def delete_rule(services: Services, name: RuleName) -> None:
    """Delete a rule; articles it has tagged or excluded stay so."""
    await rule_service.delete_rule(services, CONSOLE, (await _find_rule(services, name)).id)
    print_line(f"Deleted the rule “{name}”.")


@commands.command("edit")
async def edit_rule(
    services: Services,
    name: RuleName,
    query: Query = None,
    action: Action = None,
    tag: Tag = None,
    new_name: Annotated[str | None, typer.Option("--name", help="Another name.")] = None,
) -> None:
    """Change a rule; options that are left out keep their value."""
    await _edit_rule(services, name, RuleEdit(name=new_name, action=action, query=query, tag=tag), "Changed the rule")


@commands.command("on")
async def switch_on(services: Services, name: RuleName) -> None:
    """Switch a rule on."""
    await _edit_rule(services, name, RuleEdit(is_active=True), "Switched on the rule")


@commands.command("off")
async def switch_off(services: Services, name: RuleName) -> None:
    """Switch a rule off."""
    await _edit_rule(services, name, RuleEdit(is_active=False), "Switched off the rule")


async def _edit_rule(services: Services, name: str, edit: RuleEdit, done: str) -> None:
    rule = await _find_rule(services, name)
    changed = await rule_service.edit_rule(services, CONSOLE, rule.id, edit, expected=rule.version)
    print_line(f"{done} “{changed.name}”.")


async def _find_rule(services: Services, name: str) -> NewsRule:
    rule = next((rule for rule in await rule_service.list_rules(services) if rule.name == name), None)
    if rule is None:
        raise NotFound(f"There is no rule named “{name}”; `almanac news rules list` shows them.")
    return rule
