"""What the newsletter finds in parliament: speeches in the record's words, each with its official permalink."""

from datetime import UTC, datetime

from almanac.desks.recap.public import speeches_about
from almanac.search import ALL_SEEING, Viewer

WINDOW = {"since": datetime(2026, 2, 1, tzinfo=UTC), "until": datetime(2026, 3, 1, tzinfo=UTC)}


async def test_speeches_that_hold_the_words_come_with_their_permalink(desk, services, sitting):
    one = sitting(1)
    await desk.publish(one)
    found = await speeches_about(services, ALL_SEEING, ["読書環境", "nothing"], **WINDOW)
    (speech,) = found
    record = one["speechRecord"][3]
    assert (speech.speaker, speech.url) == ("大野空", record["speechURL"])
    assert speech.text in record["speech"].replace("\u3000", " ")
    assert speech.path == f"/recap/articles/{one['issueID']}#speech-3"


async def test_whoever_may_not_read_the_desk_finds_nothing(services):
    assert await speeches_about(services, Viewer("somebody"), ["図書館"], **WINDOW) == []
    assert await speeches_about(services, ALL_SEEING, [], **WINDOW) == []
