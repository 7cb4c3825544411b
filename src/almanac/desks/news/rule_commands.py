"""The commands under `almanac news rules`: what is taken, left out or tagged."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE
from almanac.desks.news import service
from almanac.desks.news.model.rules import Action, Rule, RuleEdit, RuleFields
from almanac.errors import NotFound
from almanac.services import Services
from almanac.terminal import AsJson, Run, print_json, print_table, say

RuleName = Annotated[str, typer.Argument(help="The name of the rule.")]
Query = Annotated[str | None, typer.Option("--query", help="Which articles, in the one syntax.")]
Does = Annotated[Action | None, typer.Option("--action", help="include, exclude or tag.")]
Tag = Annotated[str | None, typer.Option("--tag", help="The tag that it gives.")]


def rule_commands(run: Run) -> typer.Typer:
    """Listing, adding, changing, switching and removing rules."""
    app = typer.Typer(no_args_is_help=True, help="Rules: which articles are taken, left out or tagged when read.")
    _add_listing(app, run)
    _add_making(app, run)
    _add_changing(app, run)
    return app


def _add_listing(app: typer.Typer, run: Run) -> None:
    @app.command("list")
    def list_rules(as_json: AsJson = False) -> None:
        """Every rule."""

        async def work(services: Services) -> None:
            found = await service.list_rules(services)
            if as_json:
                print_json(found)
                return
            rows = [[one.name, "yes" if one.is_active else "no", one.action, one.tag or "", one.query] for one in found]
            print_table(
                ["Rule", "On", "Does", "Tag", "Query"], rows, empty="There are no rules; every article is taken."
            )

        run(work)


def _add_making(app: typer.Typer, run: Run) -> None:
    @app.command("add")
    def add_rule(
        name: RuleName,
        query: Annotated[str, typer.Option("--query", help="Which articles, in the one syntax.")],
        action: Annotated[Action, typer.Option("--action", help="include, exclude or tag.")] = Action.TAG,
        tag: Tag = None,
    ) -> None:
        """Add a rule for what is read from now on."""

        async def work(services: Services) -> None:
            rule = RuleFields(name=name, action=action, query=query, tag=tag)
            say(f"Added the rule “{(await service.add_rule(services, CONSOLE, rule)).name}”.")

        run(work)

    @app.command("delete")
    def delete_rule(name: RuleName) -> None:
        """Remove a rule; what it did stays."""

        async def work(services: Services) -> None:
            await service.delete_rule(services, CONSOLE, (await _named(services, name)).id)
            say(f"Removed the rule “{name}”.")

        run(work)


def _add_changing(app: typer.Typer, run: Run) -> None:
    @app.command("edit")
    def edit_rule(
        name: RuleName,
        query: Query = None,
        action: Does = None,
        tag: Tag = None,
        new_name: Annotated[str | None, typer.Option("--name", help="Another name.")] = None,
    ) -> None:
        """Change a rule; what is left out stays as it is."""
        _change(run, name, RuleEdit(name=new_name, action=action, query=query, tag=tag), "Changed the rule")

    @app.command("on")
    def switch_on(name: RuleName) -> None:
        """Let a rule count again."""
        _change(run, name, RuleEdit(is_active=True), "Switched on the rule")

    @app.command("off")
    def switch_off(name: RuleName) -> None:
        """Let a rule rest."""
        _change(run, name, RuleEdit(is_active=False), "Switched off the rule")


def _change(run: Run, name: str, edit: RuleEdit, done: str) -> None:
    async def work(services: Services) -> None:
        rule = await _named(services, name)
        changed = await service.edit_rule(services, CONSOLE, rule.id, edit, expected=rule.version)
        say(f"{done} “{changed.name}”.")

    run(work)


async def _named(services: Services, name: str) -> Rule:
    found = next((one for one in await service.list_rules(services) if one.name == name), None)
    if found is None:
        raise NotFound(f"There is no rule named “{name}”; `almanac news rules list` shows them.")
    return found
