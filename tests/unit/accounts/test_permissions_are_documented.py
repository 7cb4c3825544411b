"""docs/reference/permissions.md lists every permission with the roles and scopes that have it."""

from pathlib import Path

from almanac.accounts.permissions import (
    ACTIONS,
    DESKS,
    PLATFORM_PERMISSIONS,
    WHOLE_SCOPES,
    Role,
    desk_permission,
    role_permissions,
    scope_permissions,
)

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "permissions.md"


def row(permission: str, meaning: str) -> str:
    roles = ", ".join(role for role in Role if permission in role_permissions(role))
    scopes = ", ".join(scope for scope in WHOLE_SCOPES if permission in scope_permissions([scope]))
    return f"| `{permission}` | {meaning} | {roles} | {scopes} |"


def expected_rows() -> list[str]:
    platform = [row(permission, meaning) for permission, meaning in PLATFORM_PERMISSIONS.items()]
    desks = [
        row(desk_permission(desk, action), f"{action.capitalize()} at the {desk} desk")
        for desk in DESKS
        for action in ACTIONS
    ]
    return platform + desks


def test_the_reference_lists_every_permission_as_it_is():
    shown = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert shown == expected_rows()
