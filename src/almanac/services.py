"""What a running Almanac holds: its settings, clock and ports, made once by bootstrap and passed down to every surface."""

from dataclasses import dataclass

from almanac.accounts.port import Accounts, Principals
from almanac.config import Settings
from almanac.jobs.port import JobsPort
from almanac.kit.clock import Clock
from almanac.kit.keys import derive_key
from almanac.objects import Objects
from almanac.relational import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Ports only: nothing here says which adapter is behind them."""

    settings: Settings
    clock: Clock
    secret: bytes
    database: Database
    objects: Objects
    jobs: JobsPort
    accounts: Accounts
    principals: Principals

    def key(self, purpose: str) -> bytes:
        """The signing key for one purpose, such as `cursors`."""
        return derive_key(self.secret, purpose)
