"""What accounts are made of: principals, users, sessions, tokens and links, with the rules that need no storage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Literal

from almanac.accounts.permissions import (
    EVERY_DESK,
    EVERY_SCOPE,
    NO_DESK_RIGHTS,
    DeskRights,
    Role,
    desk_of,
    granted_permissions,
)
from almanac.accounts.sign_in_methods import SignInMethod
from almanac.audit.model import Actor
from almanac.errors import AlmanacError, NotAllowed
from almanac.kit.messages import gettext

Via = Literal["session", "token", "automation", "console"]
Theme = Literal["light", "dark", "system"]

SESSION_PREFIX, TOKEN_PREFIX, LINK_PREFIX = "alms_", "almt_", "alml_"
SHOWN_TOKEN_CHARACTERS = 10
LINK_PATH = "/link/"
CONFIRM_PATH, TWO_STEP_PATH = "/account/confirm", "/account/two-step"


class LinkExpired(AlmanacError, code="link_over", status=410):
    """The one-time link was used, replaced or has expired."""

    def __init__(self) -> None:
        super().__init__(gettext("This link was used or has expired; ask for a new one."))


class ProofNeeded(NotAllowed, code="proof_needed"):
    """The sign-in is too old for what is asked; the person confirms first that it is they."""

    def __init__(self) -> None:
        super().__init__(gettext("Confirm first that it is you, then repeat this."))


class SecondFactorNeeded(NotAllowed, code="second_factor_needed"):
    """The role needs a second factor, which isn't set up yet; nothing else is allowed before."""

    def __init__(self) -> None:
        super().__init__(gettext("Your role needs two-step sign-in; set it up first."))


class LinkPurpose(StrEnum):
    """What a one-time link is for: signing in at once, a first or a new password, or confirming a new address."""

    SIGN_IN = "sign_in"
    INVITE = "invite"
    RESET = "reset"
    EMAIL = "email"


LINK_LIFE: Mapping[LinkPurpose, timedelta] = {
    LinkPurpose.SIGN_IN: timedelta(hours=24),
    LinkPurpose.INVITE: timedelta(days=7),
    LinkPurpose.RESET: timedelta(hours=1),
    LinkPurpose.EMAIL: timedelta(hours=24),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """How a person wants to see things. No language means the browser's, no time zone the installation's.

    `toured` is true for who needs no tour any more.
    """

    theme: Theme = "system"
    language: str = ""
    time_zone: str | None = None
    toured: bool = False


@dataclass(frozen=True, kw_only=True)
class Principal:
    """Who is asking, and how they came in.

    It may do what its role and its rights at desks give, cut down by the scopes and by the desks that are switched on.
    """

    user_id: str
    name: str
    email: str
    role: Role
    via: Via
    scopes: frozenset[str] = EVERY_SCOPE
    rights: DeskRights = NO_DESK_RIGHTS
    desks: frozenset[str] = EVERY_DESK
    session_id: str | None = None
    token_id: str | None = None
    method: SignInMethod = SignInMethod.UNKNOWN
    proven_at: datetime | None = None
    must_enrol: bool = False
    preferences: Preferences = Preferences()

    @cached_property
    def permissions(self) -> frozenset[str]:
        """Everything that this principal may do. A principal is made anew for each request, so this is never stale."""
        return granted_permissions(self.role, self.scopes, self.rights, self.desks)

    def may(self, permission: str) -> bool:
        """Whether this principal has the permission."""
        return permission in self.permissions

    def require(self, permission: str) -> None:
        """Refuse with a sentence unless this principal has the permission."""
        if self.may(permission):
            return
        if permission in granted_permissions(self.role, EVERY_SCOPE, self.rights, self.desks):
            raise NotAllowed(
                gettext("This API token lacks the scope for that; use another one."), permission=permission
            )
        if desk := desk_of(permission):
            raise NotAllowed(
                gettext("You don't have the right to do that at the %(desk)s desk; ask an administrator.", desk=desk),
                permission=permission,
            )
        raise NotAllowed(
            gettext("The role %(role)s doesn't allow that; ask an administrator.", role=self.role),
            permission=permission,
        )

    def owns(self, owner_id: str) -> bool:
        """Whether a thing with this owner is this principal's own."""
        return self.user_id == owner_id

    @property
    def has_account(self) -> bool:
        """Whether it is a person, however they came in; automation and the command line itself have no account."""
        return self.user_id not in (AUTOMATION.user_id, CONSOLE.user_id)

    @property
    def actor(self) -> Actor:
        """This principal as the audit log names it."""
        return Actor(self.user_id, self.via)


AUTOMATION = Principal(user_id="automation", name="Automation", email="", role=Role.ADMIN, via="automation")
CONSOLE = Principal(user_id="console", name="Command line", email="", role=Role.ADMIN, via="console")


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person with an account. `version` rises with each edit and guards against lost updates."""

    id: str
    email: str
    name: str
    role: Role
    active: bool
    has_password: bool
    version: int
    created_at: datetime
    updated_at: datetime
    last_signed_in_at: datetime | None
    preferences: Preferences
    rights: DeskRights = NO_DESK_RIGHTS

    @property
    def is_invited(self) -> bool:
        """Whether the account is open but nobody ever signed in to it."""
        return self.active and self.last_signed_in_at is None

    def as_principal(self, via: Via, *, desks: frozenset[str] = EVERY_DESK) -> Principal:
        """The person as a principal with all the rights they have now."""
        return Principal(
            user_id=self.id,
            name=self.name,
            email=self.email,
            role=self.role,
            via=via,
            rights=self.rights,
            desks=desks,
            preferences=self.preferences,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """People who share rights at desks. `size` counts its active members, `rights` are permissions."""

    id: str
    name: str
    description: str
    version: int
    size: int
    rights: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMember:
    """A person as a team lists them."""

    id: str
    name: str
    email: str
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInClient:
    """Where a sign-in comes from, and the session it replaces if the browser still has one."""

    address: str
    user_agent: str = ""
    replaces: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One browser that is signed in. The token itself is only in the browser."""

    id: str
    user_id: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    address: str
    user_agent: str
    method: SignInMethod


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A fresh session: `token` goes into the cookie and is shown nowhere else."""

    token: str = field(repr=False)
    session: Session
    user: User


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingSignIn:
    """The first step is done; `token` goes into a short-lived cookie until the second is."""

    token: str = field(repr=False)
    user: User


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """A credential for programs. `prefix` is the part that may be shown to tell tokens apart."""

    id: str
    user_id: str
    name: str
    prefix: str
    scopes: frozenset[str]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """A token at the only moment its secret is known."""

    token: ApiToken
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedLink:
    """A one-time link at the only moment its address is known; `path` is the part after the base address.

    `inviter` is the name of the person who invites, where it is one.
    """

    url: str = field(repr=False)
    path: str = field(repr=False)
    purpose: LinkPurpose
    user: User
    expires_at: datetime
    email: str | None = None
    inviter: str = ""

    @property
    def recipient(self) -> str:
        """The address that the link goes to: the person's, or the one that it confirms."""
        return self.email or self.user.email


class NoticeKind(StrEnum):
    """What a person is told by mail about their account, without having asked."""

    EMAIL_CHANGED = "email_changed"
    SECOND_FACTOR_ON = "second_factor_on"
    SECOND_FACTOR_OFF = "second_factor_off"
    SECOND_FACTOR_RESET = "second_factor_reset"
    PASSKEY_ADDED = "passkey_added"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountNotice:
    """A mail about a change of an account; `email` is where it goes, which may be the former address."""

    id: str
    kind: NoticeKind
    email: str
    name: str
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLink:
    """What a page may know about a link that still works, before it is used."""

    purpose: LinkPurpose
    user: User
    expires_at: datetime
    email: str | None = None
