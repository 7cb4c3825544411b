"""robots.txt rules for our own user agent: what may be fetched, and how long to wait between requests."""

import re
from dataclasses import dataclass
from math import isnan

from protego import Protego

MAX_CHARACTERS = 500_000
LONGEST_DELAY = 60.0
# Some sites name a program with its version, which the standard doesn't know: `User-agent: Almanac/2.0`.
_AGENT_VERSION = re.compile(r"^(\s*user-agent\s*:\s*[^\s/#]+)[/ \t][^\r\n]*", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What one site allows this program. Without rules everything is allowed and there is no delay."""

    parsed: Protego
    agent: str

    @property
    def delay(self) -> float | None:
        """Seconds between requests, at most LONGEST_DELAY; None if the site asks for none."""
        seconds = self.parsed.crawl_delay(self.agent)
        return None if seconds is None or isnan(seconds) else min(max(seconds, 0.0), LONGEST_DELAY)

    def allows(self, url: str) -> bool:
        """The longest matching rule decides, and allowing wins a tie (RFC 9309)."""
        return self.parsed.can_fetch(url, self.agent)


def parse_robots(text: str, agent: str) -> RobotsRules:
    """The rules for this user agent, or those for everybody where none names it."""
    return RobotsRules(Protego.parse(_AGENT_VERSION.sub(r"\1", text[:MAX_CHARACTERS])), agent)
