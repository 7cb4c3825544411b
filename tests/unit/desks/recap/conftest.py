"""Records as tests need them, and the demo's sittings with what is written about them."""

import asyncio
from datetime import UTC, date, datetime
from functools import cache

import pytest

from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.meeting import Meeting, Speech, with_ordered_speeches
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.kit.clock import FixedClock
from almanac.llm.extractive.writer import ExtractiveWriter

CLOCK = FixedClock(datetime(2026, 6, 1, tzinfo=UTC))


def a_meeting(*texts, header="", house="衆議院", meeting="国土交通委員会", **changes):
    """A sitting whose speeches have these texts; a pair also gives the speaker, a dict everything else."""
    speeches = [Speech(order=0, speaker="会議録情報", text=header)] if header else []
    for order, entry in enumerate(texts, 1):
        fields = entry if isinstance(entry, dict) else {"speaker": "榛名一成", "text": entry}
        if isinstance(entry, tuple):
            fields = {"speaker": entry[0], "text": entry[1]}
        speeches.append(Speech(**{"order": order, "id": f"x_{order}", **fields}))
    return with_ordered_speeches(
        Meeting(
            issue_id=changes.pop("issue_id", "1251X"),
            session=251,
            house=house,
            meeting=meeting,
            date=date(2026, 4, 8),
            speeches=tuple(speeches),
            **changes,
        )
    )


@cache
def written_about(meeting):
    """The recap that extraction writes."""
    writer = ExtractiveWriter(CLOCK)
    return asyncio.run(write_recap(meeting, writer=writer, clock=CLOCK, pack_store=NoPackStore()))


@pytest.fixture(scope="session")
def meeting_with():
    return a_meeting


@pytest.fixture(scope="session")
def recap_of():
    return written_about


@pytest.fixture(scope="session")
def sample_of():
    """A sitting of the demo by its name."""
    return {sample.name: sample.meeting for sample in sample_meetings()}.__getitem__
