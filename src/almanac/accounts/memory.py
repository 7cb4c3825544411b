"""In-memory stand-ins for the ports of accounts, for tests and for parts that run without a database."""

from almanac.accounts.model import AUTOMATION, AccountNotice, IssuedLink, Principal
from almanac.kit.ids import same_secret
from almanac.relational import Unit


class MemoryPrincipals:
    """The Principals port on two dictionaries."""

    def __init__(self, admin_token: str | None = None) -> None:
        self._admin_token = admin_token
        self.sessions: dict[str, Principal] = {}
        self.tokens: dict[str, Principal] = {}

    async def for_session(self, token: str) -> Principal | None:
        return self.sessions.get(token)

    async def for_token(self, token: str) -> Principal | None:
        if self._admin_token and token.isascii() and same_secret(token, self._admin_token):
            return AUTOMATION
        return self.tokens.get(token)


class MemoryLinkSender:
    """Keeps the links and notices it was given, so that a test can follow them."""

    def __init__(self) -> None:
        self.links: list[IssuedLink] = []
        self.notices: list[AccountNotice] = []

    async def send_link(self, unit: Unit, link: IssuedLink) -> None:  # noqa: ARG002 - the port's signature
        self.links.append(link)

    async def send_notice(self, unit: Unit, notice: AccountNotice) -> None:  # noqa: ARG002 - the port's signature
        self.notices.append(notice)
