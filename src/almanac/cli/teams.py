"""`almanac team`: teams, their members and their rights at desks."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE, Team
from almanac.accounts.service import (
    add_team_member,
    create_team,
    delete_team,
    get_team,
    get_team_by_name,
    get_user_by_email,
    list_teams,
    remove_team_member,
    set_team_rights,
)
from almanac.cli.runtime import with_services
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, print_table

app = typer.Typer(no_args_is_help=True, help="Make teams, and give them rights at desks.")

Name = Annotated[str, typer.Argument(help="The team's name.")]
Person = Annotated[str, typer.Argument(help="The person's e-mail address.")]
Why = Annotated[str, typer.Option("--why", help="The reason, for the audit log.")]


def parse_actions(text: str) -> list[str]:
    """The actions in a list such as `read,write`; `none` is no action."""
    return [] if text == "none" else [word.strip() for word in text.split(",")]


@app.command("add")
@with_services
async def add(
    services: Services,
    name: Name,
    description: Annotated[str, typer.Option("--description", help="What the team is for.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make a team without members and rights."""
    team = await create_team(services.accounts, CONSOLE, name=name, description=description)
    print_json(team) if as_json else print_line(f"Added the team {team.name}.")


@app.command("list")
@with_services
async def list_all(services: Services, as_json: AsJson = False) -> None:
    """List teams with their size and rights."""
    teams = await list_teams(services.accounts, CONSOLE)
    if as_json:
        print_json(teams)
        return
    rows = [[team.name, team.size, _rights(team), team.description] for team in teams]
    print_table(["Name", "Members", "Rights", "Description"], rows, empty="There are no teams yet.")


@app.command("show")
@with_services
async def show(services: Services, name: Name, as_json: AsJson = False) -> None:
    """List the members of a team."""
    team = await get_team_by_name(services.accounts, CONSOLE, name)
    team, members = await get_team(services.accounts, CONSOLE, team.id)
    if as_json:
        print_json({"team": team, "members": members})
        return
    print_line(f"{team.name}: {_rights(team) or 'no rights'}")
    rows = [[member.email, member.name, "yes" if member.active else "no"] for member in members]
    print_table(["E-mail", "Name", "Active"], rows, empty="Nobody is in this team yet.")


@app.command("join")
@with_services
async def join(services: Services, name: Name, email: Person, as_json: AsJson = False) -> None:
    """Put a person into a team."""
    team = await get_team_by_name(services.accounts, CONSOLE, name)
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    await add_team_member(services.accounts, CONSOLE, team.id, user.id)
    result = {"team": team.id, "user": user.id, "member": True}
    print_json(result) if as_json else print_line(f"{user.name} is in {team.name}.")


@app.command("leave")
@with_services
async def leave(services: Services, name: Name, email: Person, as_json: AsJson = False) -> None:
    """Take a person out of a team."""
    team = await get_team_by_name(services.accounts, CONSOLE, name)
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    await remove_team_member(services.accounts, CONSOLE, team.id, user.id)
    result = {"team": team.id, "user": user.id, "member": False}
    print_json(result) if as_json else print_line(f"{user.name} is not in {team.name} any more.")


@app.command("rights")
@with_services
async def rights(
    services: Services,
    name: Name,
    desk: Annotated[str, typer.Argument(help="The desk.")],
    actions: Annotated[str, typer.Argument(help="read,write,approve,send,administer; or `none`.")],
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Set what the members of a team may do at a desk."""
    team = await get_team_by_name(services.accounts, CONSOLE, name)
    team = await set_team_rights(services.accounts, CONSOLE, team.id, desk, parse_actions(actions), why=why)
    print_json(team) if as_json else print_line(f"{team.name}: {_rights(team) or 'no rights'}")


@app.command("delete")
@with_services
async def delete(services: Services, name: Name, why: Why = "", as_json: AsJson = False) -> None:
    """Delete a team; its members lose what it gave them at once."""
    team = await get_team_by_name(services.accounts, CONSOLE, name)
    await delete_team(services.accounts, CONSOLE, team.id, why=why)
    print_json({"id": team.id, "deleted": True}) if as_json else print_line(f"Deleted the team {team.name}.")


def _rights(team: Team) -> str:
    return ", ".join(right.removeprefix("desk.") for right in sorted(team.rights))
