"""What the newsletter finds in parliament: speeches in the record's words, each with its official permalink."""

from dataclasses import replace
from datetime import UTC, datetime

from almanac.desks.recap.public import find_speeches, get_current_texts
from almanac.search import UNRESTRICTED_VIEWER, SearchViewer

WINDOW = {"since": datetime(2026, 2, 1, tzinfo=UTC), "until": datetime(2026, 3, 1, tzinfo=UTC)}


async def test_speeches_that_hold_the_words_come_with_their_permalink(desk, services, sitting):
    meeting_record = sitting(1)
    await desk.publish(meeting_record)
    passages = await find_speeches(services, UNRESTRICTED_VIEWER, ["読書環境", "nothing"], **WINDOW)
    (speech,) = passages
    record = meeting_record["speechRecord"][3]
    assert ("大野空" in speech.source, speech.url) == (True, record["speechURL"])
    assert speech.text == record["speech"][speech.place.start : speech.place.end]
    assert speech.place.path == f"/recap/articles/{meeting_record['issueID']}/speeches/3"


async def test_the_words_of_a_speech_can_be_read_again(desk, services, sitting):
    await desk.publish(sitting(1))
    (speech,) = await find_speeches(services, UNRESTRICTED_VIEWER, ["読書環境"], **WINDOW)
    gone = replace(speech.place, item="nowhere")
    now = await get_current_texts(services, UNRESTRICTED_VIEWER, [speech.place, gone])
    assert list(now) == [speech.place.name]
    assert now[speech.place.name].version == speech.place.version
    assert await get_current_texts(services, SearchViewer("somebody"), [speech.place]) == {}


async def test_whoever_may_not_read_the_desk_finds_nothing(services):
    assert await find_speeches(services, SearchViewer("somebody"), ["図書館"], **WINDOW) == []
    assert await find_speeches(services, UNRESTRICTED_VIEWER, [], **WINDOW) == []
