"""The one way from a record to a recap, by whatever writer the settings chose."""

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.writing.keeping import Keeping
from almanac.kit.clock import Clock
from almanac.llm.port import Writer

DESK = "recap"
PROMPT_VERSION = "1.0"


async def write_recap(meeting: Meeting, *, writer: Writer, clock: Clock, keeping: Keeping) -> Recap:
    """Write about a sitting; failures are those of `almanac.llm.failures`, and finished packs stay kept."""
    raise NotImplementedError
