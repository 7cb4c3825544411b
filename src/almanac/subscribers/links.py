"""The links in mails to subscribers. Each is sealed for what it opens; opening a page changes nothing, only its form
does, because programs that look through mail follow every link.
"""

from dataclasses import dataclass
from datetime import timedelta

from almanac.kit.seals import open_seal, seal

KEY = "alert links"
PAGES = "/recap/alerts"
TO_CONFIRM = timedelta(days=3)
_CONFIRM, _LIST, _STOP = "confirm an alert", "list of alerts", "stop alerts"


@dataclass(frozen=True, slots=True)
class AlertTokens:
    """Sealed names in the paths. That of a list holds for one generation, so that its owner can make it invalid."""

    key: bytes

    def confirm(self, subscription_id: str) -> str:
        return seal(self.key, _CONFIRM, subscription_id)

    def listed(self, subscriber_id: str, generation: int) -> str:
        return seal(self.key, _LIST, subscriber_id, str(generation))

    def stop(self, subscriber_id: str) -> str:
        return seal(self.key, _STOP, subscriber_id)

    def read_confirm(self, token: str) -> str | None:
        """The id of the subscription to confirm; None if the seal is broken."""
        parts = open_seal(self.key, _CONFIRM, token)
        return parts[0] if parts else None

    def read_listed(self, token: str) -> tuple[str, int] | None:
        """Whose list it is and in which generation of links; None if the seal is broken."""
        parts = open_seal(self.key, _LIST, token)
        return (parts[0], int(parts[1])) if parts else None

    def read_stop(self, token: str) -> str | None:
        """Whose mails to stop; None if the seal is broken."""
        parts = open_seal(self.key, _STOP, token)
        return parts[0] if parts else None


@dataclass(frozen=True, slots=True)
class AlertLinks:
    """Whole addresses on the public side, for mails."""

    base: str
    tokens: AlertTokens

    def confirm(self, language: str, subscription_id: str) -> str:
        return self._page(language, "confirm", self.tokens.confirm(subscription_id))

    def listed(self, language: str, subscriber_id: str, generation: int) -> str:
        return self._page(language, "mine", self.tokens.listed(subscriber_id, generation))

    def stop(self, language: str, subscriber_id: str) -> str:
        return self._page(language, "stop", self.tokens.stop(subscriber_id))

    def whole(self, language: str, path: str) -> str:
        return f"{self.base}/{language}{path}"

    def _page(self, language: str, name: str, token: str) -> str:
        return f"{self.base}/{language}{PAGES}/{name}/{token}"
