"""robots.txt as RFC 9309 has it: the group for our name, the longest matching rule, `*` and `$`, and Crawl-delay."""

import re
from dataclasses import dataclass, field
from math import isnan
from urllib.parse import quote, unquote, urlsplit

MAX_CHARACTERS = 500_000
LONGEST_DELAY = 60.0
_ANYBODY = "*"
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


@dataclass(slots=True)
class _Group:
    """The rules that follow one or more user-agent lines."""

    agents: list[str] = field(default_factory=list)
    rules: list[tuple[str, bool]] = field(default_factory=list)
    delay: float | None = None


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What a site lets one program do."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay: float | None = None

    def allows(self, url: str) -> bool:
        """The longest rule that matches decides; allowing wins a tie; robots.txt itself is always allowed."""
        parts = urlsplit(url)
        path = _plain((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        if path == "/robots.txt":
            return True
        matching = [(len(pattern), allowed) for pattern, allowed in self.rules if _matches(pattern, path)]
        return max(matching)[1] if matching else True


def parse_robots(text: str, agent: str) -> RobotsRules:
    """The rules for a program of this name; those for everybody where none names it."""
    groups = _groups(text[:MAX_CHARACTERS])
    own = [group for group in groups if _product(agent) in group.agents]
    chosen = own or [group for group in groups if _ANYBODY in group.agents]
    rules = tuple(rule for group in chosen for rule in group.rules)
    delays = [group.delay for group in chosen if group.delay is not None]
    return RobotsRules(rules, min(max(delays), LONGEST_DELAY) if delays else None)


def _groups(text: str) -> list[_Group]:
    groups: list[_Group] = []
    naming = False
    for line in text.lstrip("\ufeff").splitlines():
        key, _, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if key == "user-agent":
            if not naming:
                groups.append(_Group())
            groups[-1].agents.append(_product(value))
            naming = True
        elif groups and key in ("allow", "disallow"):
            naming = False
            if value:
                groups[-1].rules.append((_plain(value), key == "allow"))
        elif groups and key == "crawl-delay":
            naming = False
            groups[-1].delay = _seconds(value)
    return groups


def _product(agent: str) -> str:
    """The name by which a program is meant, without its version."""
    return re.split(r"[/\s]", agent.strip(), maxsplit=1)[0].lower()


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return None if isnan(seconds) else max(0.0, seconds)


def _plain(path: str) -> str:
    """One spelling of the path, so that an escaped rule meets a plain address and the other way round.

    What has a meaning in paths or in rules stays escaped: `%2F` is no slash and `%2A` stands for no other characters.
    """
    return quote(_ESCAPED.sub(_unescaped, path), safe="/*$?=&;:@!+,'()~-._%#[]")


def _unescaped(run: re.Match[str]) -> str:
    characters = unquote(run[0], errors="surrogateescape")
    return "".join(quote(one, safe="~", errors="surrogateescape") for one in characters)


def _matches(rule: str, path: str) -> bool:
    """Whether a path begins as a rule says. Each piece between stars is looked for after the one before, which is all
    it takes: trying every place for every piece would let a rule with many stars stop a worker."""
    first, *others = rule.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    if not others:
        return path == first or not rule.endswith("$")
    *middle, last = others
    at = len(first)
    for piece in middle:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return path.endswith(last, at) if rule.endswith("$") else path.find(last, at) >= 0
