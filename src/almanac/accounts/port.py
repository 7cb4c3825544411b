"""The ports of accounts: who a credential belongs to, how a link reaches its person, and what the verbs stand on."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from almanac.accounts.model import IssuedLink, Principal
from almanac.accounts.oidc import OidcProvider
from almanac.accounts.passwords import PasswordHashes
from almanac.accounts.permissions import EVERY_DESK
from almanac.accounts.sign_on_rules import SignOnRules
from almanac.kit.clock import Clock
from almanac.relational import Database, Unit


class Principals(Protocol):
    """Tells who is behind a credential; None where it is unknown, over, revoked or of a deactivated person."""

    async def for_session(self, token: str) -> Principal | None: ...

    async def for_token(self, token: str) -> Principal | None: ...


class LinkSender(Protocol):
    """Takes a one-time link to its person, as part of the transaction that made it."""

    async def send_link(self, unit: Unit, link: IssuedLink) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """What every verb of the service is given. `cursor_key` seals the cursors of lists; `desks` are switched on."""

    database: Database
    clock: Clock
    link_sender: LinkSender
    base_url: str
    cursor_key: bytes = field(repr=False)
    passwords: PasswordHashes = field(default_factory=PasswordHashes)
    admin_token: str | None = field(default=None, repr=False)
    session_life: timedelta = timedelta(days=30)
    session_idle: timedelta = timedelta(days=14)
    oidc: OidcProvider | None = None
    desks: frozenset[str] = EVERY_DESK
    sign_on_rules: SignOnRules = field(default_factory=SignOnRules)
