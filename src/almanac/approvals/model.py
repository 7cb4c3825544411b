"""What an approval is: the thing asked about, the hash it is bound to, who asked, who decided, and where it stands."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS, desk_permission
from almanac.errors import InputError
from almanac.kit.messages import gettext

Verdict = Literal["approved", "rejected"]
_KIND = re.compile(r"[a-z]+(\.[a-z][a-z_-]*)?")
_HASH = re.compile(r"[0-9a-f]{64}")


class ApprovalState(StrEnum):
    """The state of an approval. Void and withdrawn are final; a new request is needed after them."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    VOID = "void"
    WITHDRAWN = "withdrawn"


OPEN_STATES = frozenset({ApprovalState.WAITING, ApprovalState.APPROVED})


@dataclass(frozen=True, slots=True)
class ApprovalSubject:
    """What is approved: a kind such as `newsletter.draft`, which begins with its desk's name, and an id."""

    kind: str
    id: str

    def __post_init__(self) -> None:
        if not _KIND.fullmatch(self.kind) or self.desk not in DESKS:
            raise InputError(
                gettext(
                    "“%(kind)s” isn't a valid kind of subject; start it with a desk, such as newsletter.draft.",
                    kind=self.kind,
                )
            )
        if not 0 < len(self.id) <= 200 or "\0" in self.id:
            raise InputError(gettext("What is approved needs an id of 1 to 200 characters."))

    @property
    def desk(self) -> str:
        return self.kind.partition(".")[0]

    def permission(self, action: str) -> str:
        """The right to write, approve or send this."""
        return desk_permission(self.desk, action)


@dataclass(frozen=True, slots=True)
class ApprovalPerson:
    """Somebody who asked or decided, as they were called then."""

    id: str
    name: str

    @classmethod
    def of(cls, principal: Principal) -> "ApprovalPerson":
        return cls(principal.user_id, principal.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One question and its answer, bound to `content_hash`. `title` and `link` let people find what it is about."""

    id: str
    subject: ApprovalSubject
    content_hash: str
    state: ApprovalState
    asked_by: ApprovalPerson
    asked_at: datetime
    title: str = ""
    link: str = ""
    authors: frozenset[str] = frozenset()
    decided_by: ApprovalPerson | None = None
    decided_at: datetime | None = None
    note: str = ""
    ended_at: datetime | None = None
    ended_why: str = ""

    @property
    def by(self) -> ApprovalPerson:
        """Who made it what it is: the one who decided, else the one who asked."""
        return self.decided_by or self.asked_by

    @property
    def at(self) -> datetime:
        """When it got its current state."""
        return self.ended_at or self.decided_at or self.asked_at

    @property
    def is_open(self) -> bool:
        """Whether it still counts: it waits, or it is approved."""
        return self.state in OPEN_STATES


def check_hash(content_hash: str) -> str:
    """The hash itself, or an InputError if it isn't a full content hash."""
    if not _HASH.fullmatch(content_hash):
        raise InputError(gettext("A content hash has 64 hexadecimal digits; send it as it was shown."))
    return content_hash
