"""`almanac user`: people, their roles, and one-time sign-in links."""

from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE, User
from almanac.accounts.permissions import ACTIONS, Role
from almanac.accounts.service import (
    UserEdit,
    UserFilter,
    create_user,
    edit_user,
    end_sessions_of,
    get_access,
    get_user_by_email,
    issue_sign_in_link,
    list_users,
    reset_second_factor,
    set_own_rights,
)
from almanac.cli.runtime import with_services
from almanac.cli.teams import parse_actions
from almanac.desks import enabled_desks
from almanac.errors import InputError, NotFound
from almanac.http.handover import hand_over
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, print_table

app = typer.Typer(no_args_is_help=True, help="Add people, change roles, make sign-in links.")

Email = Annotated[str, typer.Argument(help="The person's e-mail address.")]
Why = Annotated[str, typer.Option("--why", help="The reason, for the audit log.")]


@app.command("add")
@with_services
async def add(
    services: Services,
    email: Email,
    name: Annotated[str, typer.Option("--name", help="The person's name.")],
    role: Annotated[Role, typer.Option("--role", help="What the person may do.")] = Role.MEMBER,
    as_json: AsJson = False,
) -> None:
    """Add a person and print a one-time sign-in link."""
    user = await create_user(services.accounts, CONSOLE, email=email, name=name, role=role)
    link = await issue_sign_in_link(services.accounts, CONSOLE, user.id)
    if as_json:
        print_json({**_fields(user), "sign_in_link": link.url})
    else:
        print_line(f"Added {user.name} as {user.role}. They sign in once with {link.url}")


@app.command("list")
@with_services
async def list_people(services: Services, as_json: AsJson = False) -> None:
    """List everybody with role and last sign-in."""
    users: list[User] = []
    cursor: str | None = None
    while True:
        page = await list_users(services.accounts, CONSOLE, cursor=cursor, limit=200)
        users += page.items
        if (cursor := page.next_cursor) is None:
            break
    if as_json:
        print_json([_fields(user) for user in users])
        return
    rows = [[u.email, u.name, u.role, "yes" if u.active else "no", u.last_signed_in_at or "never"] for u in users]
    print_table(["E-mail", "Name", "Role", "Active", "Last sign-in"], rows, empty="Nobody has an account yet.")


@app.command("link")
@with_services
async def link(services: Services, email: Email = "", as_json: AsJson = False) -> None:
    """Print a one-time sign-in link for a person, or for the first administrator; it works once, for a day."""
    user = await (get_user_by_email(services.accounts, CONSOLE, email) if email else _first_admin(services))
    made = await issue_sign_in_link(services.accounts, CONSOLE, user.id)
    print_json({"sign_in_link": made.url, "expires_at": made.expires_at}) if as_json else print_line(made.url)


@app.command("role")
def role(
    email: Email,
    role: Annotated[Role, typer.Argument(help="The new role.")],
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Change a person's role."""
    _edit(email, UserEdit(role=role), why, f"now has the role {role}", as_json=as_json)


@app.command("edit")
def edit(
    email: Email,
    new_email: Annotated[str | None, typer.Option("--email", help="The new e-mail address.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="The new name.")] = None,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Change a person's e-mail address or name. The former address gets a notice."""
    if new_email is None and name is None:
        raise InputError("Say what to change: --email, --name or both.")
    _edit(email, UserEdit(email=new_email, name=name), why, "is saved", as_json=as_json)


@app.command("reset-second-factor")
@with_services
async def reset_factor(services: Services, email: Email, why: Why = "", as_json: AsJson = False) -> None:
    """Remove a person's app, recovery codes and passkeys, and end their sessions; for somebody locked out."""
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    await reset_second_factor(services.accounts, CONSOLE, user.id, why=why)
    print_json(_fields(user)) if as_json else print_line(f"{user.name} signs in in one step again.")


@app.command("sign-out")
@with_services
async def end_sessions(services: Services, email: Email, why: Why = "", as_json: AsJson = False) -> None:
    """End a person's sessions on all devices."""
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    ended = await end_sessions_of(services.accounts, CONSOLE, user.id, why=why)
    print_json({"ended": ended}) if as_json else print_line(f"Ended {counted(ended, 'session')} of {user.name}.")


@app.command("deactivate")
def deactivate(email: Email, why: Why = "", as_json: AsJson = False) -> None:
    """Close an account: its sessions and tokens end at once; its records stay."""
    _edit(email, UserEdit(active=False), why, "can no longer sign in", as_json=as_json)


@app.command("reactivate")
def reactivate(email: Email, why: Why = "", as_json: AsJson = False) -> None:
    """Reopen a closed account."""
    _edit(email, UserEdit(active=True), why, "can sign in again", as_json=as_json)


async def _first_admin(services: Services) -> User:
    wanted = UserFilter(role=Role.ADMIN, active=True)
    admins = (await list_users(services.accounts, CONSOLE, wanted, limit=200)).items
    if not admins:
        raise NotFound("There is no administrator yet; start Almanac once, or add one with `almanac user add`.")
    return min(admins, key=lambda user: user.created_at)


@app.command("rights")
@with_services
async def rights(
    services: Services,
    email: Email,
    desk: Annotated[
        str | None, typer.Argument(help="The desk at which to set rights; without it they are listed.")
    ] = None,
    actions: Annotated[
        str | None, typer.Argument(help="read,write,approve,send,administer; `none`, or `role` to let the role decide.")
    ] = None,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Show what a person may do at each desk and why, or set it at one desk."""
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    if desk is not None:
        if actions is None:
            raise InputError("Say which rights: a list such as read,write, `none`, or `role` to let the role decide.")
        chosen = None if actions == "role" else parse_actions(actions)
        await set_own_rights(services.accounts, CONSOLE, user.id, desk, chosen, why=why)
    access = await get_access(services.accounts, CONSOLE, user.id)
    if as_json:
        print_json(access.desks)
        return
    rows = [[row.desk, *(", ".join(row.sources[action]) or "no" for action in ACTIONS)] for row in access.desks]
    print_table(["Desk", *(action.capitalize() for action in ACTIONS)], rows, empty="No desk is switched on.")


@app.command("handover")
@with_services
async def handover(
    services: Services,
    email: Email,
    heir: Annotated[str, typer.Argument(help="E-mail address of the person who takes the work over.")],
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Give a person's newsletters, sources, saved queries and groups to another, and revoke their API tokens."""
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    result = await hand_over(services, enabled_desks(services.settings), CONSOLE, user.id, heir, why=why)
    if as_json:
        print_json({"heir": result.heir.id, "moved": result.moved, "revoked_tokens": result.revoked_tokens})
        return
    rows = [[name.replace("_", " "), count] for name, count in result.moved.items()]
    print_table(["Handed over", "Number"], [*rows, ["API tokens revoked", result.revoked_tokens]], empty="Nothing.")


@with_services
async def _edit(services: Services, email: str, edit: UserEdit, why: str, outcome: str, *, as_json: bool) -> None:
    user = await get_user_by_email(services.accounts, CONSOLE, email)
    user = await edit_user(services.accounts, CONSOLE, user.id, edit, why=why)
    print_json(_fields(user)) if as_json else print_line(f"{user.name} {outcome}.")


def _fields(user: User) -> dict[str, object]:
    return {
        "id": user.id,
        "email": user.email,
        "name": user.name,
        "role": user.role,
        "active": user.active,
        "last_signed_in_at": user.last_signed_in_at,
    }
