"""What a person can do from the command palette; declared once by each desk, and offered to who has the permission."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A verb with the page that does it, or with the form that is sent to do it at once.

    `words` are others that people try, in English. With `posts`, choosing it sends a form to `href`.
    """

    title: str
    href: str
    permission: str
    words: str = ""
    posts: bool = False
    values: Mapping[str, str] = field(default_factory=dict)
