"""What the author of a module says to the design tools: findings that are accepted, and actions to price."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that was looked at and is to stay, with the reason."""

    code: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class UserAction:
    """Something a person does, as what it takes: verbs, patterns, collections (`Article.create`, `Inbox.collect`)."""

    name: str
    steps: tuple[str, ...]


def accepted(code: str, subject: str, reason: str) -> Accepted:
    """Accept one finding of `tablature lint`; list acceptances in the module as `ACCEPTED = [...]`."""
    return Accepted(code, subject, reason)


def action(name: str, *steps: str) -> UserAction:
    """Describe an action for `tablature cost`; list actions in the module as `ACTIONS = [...]`."""
    return UserAction(name, steps)
