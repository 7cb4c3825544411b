"""The port: what a desk, or the platform, brings so that its things can be asked about."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from almanac.kit.messages import gettext
from almanac.why.model import WhyQuestion, WhyReader, WhySubject, WhyTrace

TraceMaker = Callable[[WhyReader, str], Awaitable[WhyTrace]]
"""Explains the subject with an id. Raises NotFound for what doesn't exist and for what the reader may not see."""

UNKNOWN_SUBJECT = gettext("Nothing that you may see has this name.")
"""What is answered about things that don't exist, and about those that the reader may not see."""

SubjectFinder = Callable[[WhyReader, WhyQuestion], Awaitable[Sequence[WhySubject]]]
"""Recognises what search doesn't find, such as an address; best first. Cheap unless the question is asked outright."""


async def find_no_subjects(_reader: WhyReader, _question: WhyQuestion) -> Sequence[WhySubject]:
    """The finder of a source all of whose subjects are found by search."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhySource:
    """What a desk can explain, by kind. `documents` are those kinds that search finds under the same name and id.

    `examples` are questions for a page that has none yet, for readers with `permission`.
    """

    permission: str
    traces: Mapping[str, TraceMaker]
    documents: frozenset[str] = frozenset()
    find: SubjectFinder = field(default=find_no_subjects)
    examples: tuple[tuple[str, str], ...] = ()
