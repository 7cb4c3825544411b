"""`almanac token`: API tokens, which never allow more than their owner may do."""

from datetime import timedelta
from typing import Annotated

import typer

from almanac.accounts.model import CONSOLE, ApiToken
from almanac.accounts.permissions import WHOLE_SCOPES
from almanac.accounts.service import create_token, get_user_by_email, list_all_tokens, list_tokens, revoke_token
from almanac.cli.runtime import with_services
from almanac.services import Services
from almanac.terminal import AsJson, print_json, print_line, print_table

app = typer.Typer(no_args_is_help=True, help="Make, list and revoke API tokens.")

Owner = Annotated[str, typer.Option("--for", help="E-mail address of the person the token belongs to.")]
Scopes = Annotated[
    list[str],
    typer.Option("--scope", help=f"What it may do: {', '.join(WHOLE_SCOPES)}, or `news:read`; repeatable."),
]


@app.command("make")
@with_services
async def make(
    services: Services,
    name: Annotated[str, typer.Argument(help="What the token is for.")],
    owner: Owner = "admin@localhost",
    scope: Scopes = ["read"],  # noqa: B006 - typer copies the default and never changes it
    days: Annotated[int, typer.Option("--days", min=1, max=3650, help="Days until it expires.")] = 365,
    as_json: AsJson = False,
) -> None:
    """Create a token and print it; it is shown only once."""
    user = await get_user_by_email(services.accounts, CONSOLE, owner)
    expires_at = services.clock.now() + timedelta(days=days)
    made = await create_token(
        services.accounts, CONSOLE, name=name, scopes=scope, expires_at=expires_at, owner_id=user.id
    )
    if as_json:
        print_json(
            {
                "id": made.token.id,
                "token": made.secret,
                "scopes": sorted(made.token.scopes),
                "expires_at": expires_at,
            }
        )
    else:
        print_line(f"{made.secret}\nSave it now: it can't be shown again. It expires on {expires_at:%d %B %Y}.")


@app.command("list")
@with_services
async def list_api_tokens(
    services: Services,
    owner: Annotated[str | None, typer.Option("--for", help="Only the tokens of this person.")] = None,
    as_json: AsJson = False,
) -> None:
    """List tokens by their first characters, with scopes and last use."""
    if owner is None:
        tokens = await list_all_tokens(services.accounts, CONSOLE)
    else:
        user = await get_user_by_email(services.accounts, CONSOLE, owner)
        tokens = await list_tokens(services.accounts, CONSOLE, user_id=user.id)
    if as_json:
        print_json(tokens)
        return
    rows = [
        [t.id, t.name, f"{t.prefix}…", " ".join(sorted(t.scopes)), _expiry(t), t.last_used_at or "never"]
        for t in tokens
    ]
    print_table(["Id", "Name", "Token", "Scopes", "Expires", "Last used"], rows, empty="No API tokens.")


@app.command("revoke")
@with_services
async def revoke(
    services: Services,
    token_id: Annotated[str, typer.Argument(help="The id that `almanac token list` shows.")],
    why: Annotated[str, typer.Option("--why", help="The reason, for the audit log.")] = "",
    as_json: AsJson = False,
) -> None:
    """Revoke a token permanently."""
    await revoke_token(services.accounts, CONSOLE, token_id, why=why)
    print_json({"id": token_id, "revoked": True}) if as_json else print_line("Token revoked.")


def _expiry(token: ApiToken) -> str:
    return "revoked" if token.revoked_at else str(token.expires_at or "never")
