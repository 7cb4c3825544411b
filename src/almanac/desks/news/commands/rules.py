"""The commands under `almanac news rules`: which articles are included, excluded or tagged."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news import service
from almanac.desks.news.model.rules import NewsRule, RuleAction, RuleEdit, RuleFields
from almanac.errors import NotFound
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_json, print_line, print_table

RuleName = Annotated[str, typer.Argument(help="The name of the rule.")]
NewQuery = Annotated[str, typer.Option("--query", help="Which articles, as a search query.")]
Query = Annotated[str | None, typer.Option("--query", help="Which articles, as a search query.")]
Action = Annotated[RuleAction | None, typer.Option("--action", help="include, exclude or tag.")]
Tag = Annotated[str | None, typer.Option("--tag", help="The tag to add.")]


def rule_commands(run: Run) -> typer.Typer:
    """List, add, edit, switch and delete rules."""
    app = typer.Typer(no_args_is_help=True, help="Rules: which articles are included, excluded or tagged when read.")
    _add_list(app, run)
    _add_create(app, run)
    _add_edit(app, run)
    return app


def _add_list(app: typer.Typer, run: Run) -> None:
    @app.command("list")
    def list_rules(as_json: AsJson = False) -> None:
        """Every rule."""

        async def work(services: Services) -> None:
            rules = await service.list_rules(services)
            if as_json:
                print_json(rules)
                return
            rows = [
                [rule.name, "yes" if rule.is_active else "no", rule.action, rule.tag or "", rule.query]
                for rule in rules
            ]
            empty = "There are no rules; every article is included."
            print_table(["Rule", "On", "Action", "Tag", "Query"], rows, empty=empty)

        run(work)


def _add_create(app: typer.Typer, run: Run) -> None:
    @app.command("add")
    def add_rule(
        name: RuleName,
        query: NewQuery,
        action: Annotated[RuleAction, typer.Option("--action", help="include, exclude or tag.")] = RuleAction.TAG,
        tag: Tag = None,
    ) -> None:
        """Add a rule for articles that are read from now on."""

        async def work(services: Services) -> None:
            rule = RuleFields(name=name, action=action, query=query, tag=tag)
            print_line(f"Added the rule “{(await service.add_rule(services, CONSOLE, rule)).name}”.")

        run(work)

    @app.command("delete")
    def delete_rule(name: RuleName) -> None:
        """Delete a rule; articles it has tagged or excluded stay so."""

        async def work(services: Services) -> None:
            await service.delete_rule(services, CONSOLE, (await _find_rule(services, name)).id)
            print_line(f"Deleted the rule “{name}”.")

        run(work)


def _add_edit(app: typer.Typer, run: Run) -> None:
    @app.command("edit")
    def edit_rule(
        name: RuleName,
        query: Query = None,
        action: Action = None,
        tag: Tag = None,
        new_name: Annotated[str | None, typer.Option("--name", help="Another name.")] = None,
    ) -> None:
        """Change a rule; options that are left out keep their value."""
        _edit_rule(run, name, RuleEdit(name=new_name, action=action, query=query, tag=tag), "Changed the rule")

    @app.command("on")
    def switch_on(name: RuleName) -> None:
        """Switch a rule on."""
        _edit_rule(run, name, RuleEdit(is_active=True), "Switched on the rule")

    @app.command("off")
    def switch_off(name: RuleName) -> None:
        """Switch a rule off."""
        _edit_rule(run, name, RuleEdit(is_active=False), "Switched off the rule")


def _edit_rule(run: Run, name: str, edit: RuleEdit, done: str) -> None:
    async def work(services: Services) -> None:
        rule = await _find_rule(services, name)
        changed = await service.edit_rule(services, CONSOLE, rule.id, edit, expected=rule.version)
        print_line(f"{done} “{changed.name}”.")

    run(work)


async def _find_rule(services: Services, name: str) -> NewsRule:
    rule = next((rule for rule in await service.list_rules(services) if rule.name == name), None)
    if rule is None:
        raise NotFound(f"There is no rule named “{name}”; `almanac news rules list` shows them.")
    return rule
