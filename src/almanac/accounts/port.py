"""The ports of accounts: who a credential belongs to, how a link reaches its person, and what the verbs stand on."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from almanac.accounts.model import AccountNotice, IssuedLink, Principal
from almanac.accounts.passwords import PasswordHashes
from almanac.accounts.permissions import EVERY_DESK, Role
from almanac.accounts.sign_on_rules import SignOnRules
from almanac.kit.clock import Clock
from almanac.relational import Database, Unit

if TYPE_CHECKING:
    from almanac.accounts.oidc import OidcProvider


class Principals(Protocol):
    """Tells who is behind a credential; None where it is unknown, over, revoked or of a deactivated person."""

    async def for_session(self, token: str) -> Principal | None: ...

    async def for_token(self, token: str) -> Principal | None: ...


class LinkSender(Protocol):
    """Takes a one-time link or a notice to its person, as part of the transaction that made it."""

    async def send_link(self, unit: Unit, link: IssuedLink) -> None: ...

    async def send_notice(self, unit: Unit, notice: AccountNotice) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """What every verb of the service is given.

    `cursor_key` seals the cursors of lists, `second_factor_key` the secrets of authenticator apps. A sign-in counts as
    fresh for `proof_life`. Without `confirms_addresses` mail doesn't leave, so a new address holds at once.
    `desks` are switched on.
    """

    database: Database
    clock: Clock
    link_sender: LinkSender
    base_url: str
    cursor_key: bytes = field(repr=False)
    passwords: PasswordHashes = field(default_factory=PasswordHashes)
    admin_token: str | None = field(default=None, repr=False)
    session_life: timedelta = timedelta(days=30)
    session_idle: timedelta = timedelta(days=14)
    oidc: "OidcProvider | None" = None
    desks: frozenset[str] = EVERY_DESK
    sign_on_rules: SignOnRules = field(default_factory=SignOnRules)
    second_factor_key: bytes = field(default=b"", repr=False)
    second_factor_roles: frozenset[Role] = frozenset()
    proof_life: timedelta = timedelta(minutes=30)
    confirms_addresses: bool = True
    single_user: bool = False
