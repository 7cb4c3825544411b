"""What roles, own rights, teams and token scopes let people do: pure tables and functions, checked by every guard."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from almanac.kit.messages import gettext

DESKS = ("news", "recap", "newsletter", "reminders", "habits")
EVERY_DESK = frozenset(DESKS)
ACTIONS = ("read", "write", "approve", "send", "administer")
# What a desk holds about people who aren't users: whoever gives rights there is told.
PERSONAL_DATA: Mapping[str, str] = {"reminders": gettext("customers with their addresses, debts and letters")}


class Role(StrEnum):
    """What a person is here; everybody has exactly one. It decides at desks where nothing else is set for them."""

    ADMIN = "admin"
    EDITOR = "editor"
    APPROVER = "approver"
    MEMBER = "member"


PLATFORM_PERMISSIONS = {
    "account.own": gettext("Change their own name, password, preferences and sessions"),
    "tokens.own": gettext("Make and revoke their own API tokens"),
    "tokens.manage": gettext("See, make and revoke anybody's API tokens"),
    "users.manage": gettext(
        "Invite people, change their roles, rights and teams, deactivate them, hand over their work"
    ),
    "audit.read": gettext("Read the audit log"),
    "jobs.read": gettext("See the jobs console"),
    "jobs.retry": gettext("Retry and cancel jobs"),
    "models.read": gettext("See which models write and what they cost"),
    "mail.read": gettext("See outgoing mail"),
    "mail.settle": gettext("Resolve mail in doubt and edit the suppression list"),
    "saved.read": gettext("See their own saved queries and results"),
    "saved.own": gettext("Save queries, and keep their feeds and alerts"),
    "saved.publish": gettext("Let anyone read what their own saved queries find among what is public"),
    "setup.manage": gettext("Set up the organisation: mail, model, address and desks"),
    "webhooks.manage": gettext("Register webhook endpoints, see their deliveries, send them again"),
}


def desk_permission(desk: str, action: str) -> str:
    """The name of the right to do something at a desk, such as `desk.news.write`."""
    return f"desk.{desk}.{action}"


def desk_of(permission: str) -> str | None:
    """The desk that a right is about; None for a right of the platform."""
    first, _, rest = permission.partition(".")
    return rest.partition(".")[0] if first == "desk" else None


def permissions_at(desk: str, actions: Iterable[str]) -> frozenset[str]:
    """The rights to do these things at a desk."""
    return frozenset(desk_permission(desk, action) for action in actions)


def _at_every_desk(*actions: str) -> frozenset[str]:
    return frozenset().union(*(permissions_at(desk, actions) for desk in DESKS))


PERMISSIONS = frozenset(PLATFORM_PERMISSIONS) | _at_every_desk(*ACTIONS)

# A member sees personal data of no desk unless it is given to them. Habits are one's own, so keeping them is no
# editorial right. Outgoing mail holds invitations and reset links: whoever reads it could become anybody, so it is for
# administrators, and for tokens with the admin scope.
_OWN = {"desk.habits.write", "account.own", "tokens.own", "saved.read", "saved.own"}
_MEMBER = _OWN | {desk_permission(desk, "read") for desk in DESKS if desk not in PERSONAL_DATA}
_STAFF = _OWN | _at_every_desk("read") | {"jobs.read"}
_BY_ROLE: dict[Role, frozenset[str]] = {
    Role.MEMBER: frozenset(_MEMBER),
    Role.EDITOR: frozenset(_STAFF | _at_every_desk("write") | {"jobs.retry", "saved.publish"}),
    Role.APPROVER: frozenset(_STAFF | _at_every_desk("approve", "send")),
    Role.ADMIN: PERMISSIONS,
}

_BY_SCOPE: dict[str, frozenset[str]] = {
    "read": _at_every_desk("read") | {"jobs.read", "saved.read"},
    "write": _at_every_desk("write") | {"account.own", "jobs.retry", "saved.own"},
    "approve": _at_every_desk("approve"),
    "send": _at_every_desk("send") | {"saved.publish"},
    "admin": _at_every_desk("administer")
    | {
        "users.manage",
        "tokens.own",
        "tokens.manage",
        "audit.read",
        "models.read",
        "mail.read",
        "mail.settle",
        "webhooks.manage",
        "setup.manage",
    },
}
_BY_SCOPE |= {f"{desk}:{action}": permissions_at(desk, [action]) for desk in DESKS for action in ACTIONS}

WHOLE_SCOPES = ("read", "write", "approve", "send", "admin")
SCOPES = tuple(_BY_SCOPE)
EVERY_SCOPE = frozenset(WHOLE_SCOPES)


@dataclass(frozen=True, slots=True)
class DeskRights:
    """What a person was given at desks beside their role.

    At the desks in `replaced` the permissions in `own`, perhaps none, stand in for what the role gives there; those in
    `teams` come on top.
    """

    replaced: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    teams: frozenset[str] = frozenset()


NO_DESK_RIGHTS = DeskRights()


def role_permissions(role: Role) -> frozenset[str]:
    """Everything a role gives."""
    return _BY_ROLE[role]


def scope_permissions(scopes: Iterable[str]) -> frozenset[str]:
    """Everything that scopes let through; a scope that is not known lets nothing through."""
    return frozenset().union(*(_BY_SCOPE.get(scope, frozenset()) for scope in scopes))


@lru_cache(maxsize=4000)
def granted_permissions(
    role: Role,
    scopes: frozenset[str] = EVERY_SCOPE,
    rights: DeskRights = NO_DESK_RIGHTS,
    desks: frozenset[str] = EVERY_DESK,
) -> frozenset[str]:
    """Everything that somebody may do who has this role and these rights, comes in with these scopes, while these
    desks are switched on. Every page asks a hundred times.
    """
    by_role = {right for right in role_permissions(role) if desk_of(right) not in rights.replaced}
    held = (by_role | rights.own | rights.teams) & scope_permissions(scopes)
    return frozenset(right for right in held if desk_of(right) is None or desk_of(right) in desks)


def is_promotion(old: Role, new: Role) -> bool:
    """Whether the new role gives anything that the old one doesn't."""
    return not role_permissions(new) <= role_permissions(old)
