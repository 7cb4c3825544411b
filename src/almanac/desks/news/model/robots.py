"""robots.txt as RFC 9309 has it: the group for our name, the longest matching rule, `*` and `$`, and Crawl-delay."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import quote, unquote, urlsplit

MOST_CHARACTERS = 500_000
LONGEST_DELAY = 60.0
_ANYBODY = "*"


@dataclass(slots=True)
class _Group:
    """The rules that follow one or more user-agent lines."""

    agents: list[str] = field(default_factory=list)
    rules: list[tuple[str, bool]] = field(default_factory=list)
    delay: float | None = None


@dataclass(frozen=True, slots=True)
class Robots:
    """What a site lets one program do."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay: float | None = None

    def allows(self, url: str) -> bool:
        """The longest rule that matches decides; allowing wins a tie; robots.txt itself is always allowed."""
        parts = urlsplit(url)
        path = _plain((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        if path == "/robots.txt":
            return True
        matching = [(len(pattern), allowed) for pattern, allowed in self.rules if _pattern(pattern).match(path)]
        return max(matching)[1] if matching else True


def read_robots(text: str, agent: str) -> Robots:
    """The rules for a program of this name; those for everybody where none names it."""
    groups = _groups(text[:MOST_CHARACTERS])
    name = re.split(r"[/\s]", agent.strip(), maxsplit=1)[0].lower()
    own = [group for group in groups if any(one and one != _ANYBODY and one in name for one in group.agents)]
    chosen = own or [group for group in groups if _ANYBODY in group.agents]
    rules = tuple(rule for group in chosen for rule in group.rules)
    delays = [group.delay for group in chosen if group.delay is not None]
    return Robots(rules, min(max(delays), LONGEST_DELAY) if delays else None)


def _groups(text: str) -> list[_Group]:
    groups: list[_Group] = []
    naming = False
    for line in text.lstrip("\ufeff").splitlines():
        key, _, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if key == "user-agent":
            if not naming:
                groups.append(_Group())
            groups[-1].agents.append(value.lower())
            naming = True
        elif groups and key in ("allow", "disallow"):
            naming = False
            if value:
                groups[-1].rules.append((_plain(value), key == "allow"))
        elif groups and key == "crawl-delay":
            naming = False
            groups[-1].delay = _seconds(value)
    return groups


def _seconds(value: str) -> float | None:
    try:
        return max(0.0, float(value))
    except ValueError:
        return None


def _plain(path: str) -> str:
    """One spelling of the path, so that an escaped rule meets a plain address and the other way round."""
    return quote(unquote(path), safe="/*$?=&;:@!+,'()~-._%")


@lru_cache(maxsize=2000)
def _pattern(rule: str) -> re.Pattern[str]:
    ends = rule.endswith("$")
    pieces = (re.escape(piece) for piece in rule.removesuffix("$").split("*"))
    return re.compile(".*".join(pieces) + ("$" if ends else ""), re.DOTALL)
