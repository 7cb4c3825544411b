"""What each role may do and what each token scope lets through: pure tables and functions, checked by every guard."""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

DESKS = ("news", "recap", "newsletter", "reminders", "habits")
ACTIONS = ("read", "write", "approve", "send")


class Role(StrEnum):
    """What a person is here; everybody has exactly one."""

    ADMIN = "admin"
    EDITOR = "editor"
    APPROVER = "approver"
    MEMBER = "member"


PLATFORM_PERMISSIONS = {
    "account.own": "Change their own name, password, preferences and sessions",
    "tokens.own": "Make and revoke their own API tokens",
    "tokens.manage": "See, make and revoke anybody's API tokens",
    "users.manage": "Invite people, change their roles, deactivate them",
    "audit.read": "Read the audit log",
    "jobs.read": "See the jobs console",
    "jobs.retry": "Retry and cancel jobs",
    "models.read": "See which models write and what they cost",
    "mail.read": "See outgoing mail",
    "mail.settle": "Resolve mail in doubt and edit the suppression list",
    "saved.read": "See their own saved queries and results",
    "saved.own": "Save queries, and keep their feeds and alerts",
    "webhooks.manage": "Register webhook endpoints, see their deliveries, send them again",
}


def desk_permission(desk: str, action: str) -> str:
    """The name of the right to do something at a desk, such as `desk.news.write`."""
    return f"desk.{desk}.{action}"


def _at_every_desk(*actions: str) -> frozenset[str]:
    return frozenset(desk_permission(desk, action) for desk in DESKS for action in actions)


PERMISSIONS = frozenset(PLATFORM_PERMISSIONS) | _at_every_desk(*ACTIONS)

# Habits are one's own, so keeping them is no editorial right. Outgoing mail holds invitations and reset links: whoever
# reads it could become anybody, so it is for administrators, and for tokens with the admin scope.
_MEMBER = _at_every_desk("read") | {"desk.habits.write", "account.own", "tokens.own", "saved.read", "saved.own"}
_BY_ROLE: dict[Role, frozenset[str]] = {
    Role.MEMBER: _MEMBER,
    Role.EDITOR: _MEMBER | _at_every_desk("write") | {"jobs.read", "jobs.retry"},
    Role.APPROVER: _MEMBER | _at_every_desk("approve", "send") | {"jobs.read"},
    Role.ADMIN: PERMISSIONS,
}

_BY_SCOPE: dict[str, frozenset[str]] = {
    "read": _at_every_desk("read") | {"jobs.read", "saved.read"},
    "write": _at_every_desk("write") | {"account.own", "jobs.retry", "saved.own"},
    "approve": _at_every_desk("approve"),
    "send": _at_every_desk("send"),
    "admin": frozenset(
        {
            "users.manage",
            "tokens.own",
            "tokens.manage",
            "audit.read",
            "models.read",
            "mail.read",
            "mail.settle",
            "webhooks.manage",
        }
    ),
}
_BY_SCOPE |= {f"{desk}:{action}": frozenset({desk_permission(desk, action)}) for desk in DESKS for action in ACTIONS}

WHOLE_SCOPES = ("read", "write", "approve", "send", "admin")
SCOPES = tuple(_BY_SCOPE)
EVERY_SCOPE = frozenset(WHOLE_SCOPES)


def role_permissions(role: Role) -> frozenset[str]:
    """Everything a role may do."""
    return _BY_ROLE[role]


def scope_permissions(scopes: Iterable[str]) -> frozenset[str]:
    """Everything that scopes let through; a scope that is not known lets nothing through."""
    return frozenset().union(*(_BY_SCOPE.get(scope, frozenset()) for scope in scopes))


@lru_cache(maxsize=1000)
def granted_permissions(role: Role, scopes: frozenset[str]) -> frozenset[str]:
    """Everything that somebody of this role may do, coming in with these scopes. Every page asks a hundred times."""
    return role_permissions(role) & scope_permissions(scopes)


def allows(role: Role, scopes: frozenset[str], permission: str) -> bool:
    """Whether somebody of this role, coming in with these scopes, has the permission."""
    return permission in granted_permissions(role, scopes)


def is_promotion(old: Role, new: Role) -> bool:
    """Whether the new role may do anything that the old one may not."""
    return not role_permissions(new) <= role_permissions(old)
