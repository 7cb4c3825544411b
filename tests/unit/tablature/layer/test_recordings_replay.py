"""A recorder keeps what was sent and received, and replays it without a service."""

import pytest

from tablature import Attr, Database, Entity, Table, primary
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, RecordingMismatch
from tablature.transport.embedded import Embedded
from tablature.transport.recorder import Recorder

table = Table("recorded", pk="PK")


class Note(Entity, table=table):
    id: Attr[str]
    key = primary("NOTE#{id}")


def story(db):
    db.create(Note(id="1"))
    with pytest.raises(AlreadyExists):
        db.create(Note(id="1"))
    return db.require(Note.key(id="1"))


@pytest.fixture
def recording(tmp_path):
    recorder = Recorder(Embedded.memory())
    db = Database(recorder)
    db.admin.create_table(table)
    recorder.exchanges.clear()
    story(db)
    recorder.save(tmp_path / "story.json")
    db.close()
    return tmp_path / "story.json"


def test_a_recording_is_replayed_without_a_service(recording):
    assert story(Database(Recorder.replay(recording))).id == "1"


def test_a_call_that_differs_is_refused(recording):
    with pytest.raises(RecordingMismatch, match="Call 1 was PutItem"):
        Database(Recorder.replay(recording)).get(Note.key(id="1"))


def test_a_call_after_the_last_is_refused(recording):
    db = Database(Recorder.replay(recording))
    story(db)
    with pytest.raises(RecordingMismatch, match="ends before this GetItem"):
        db.get(Note.key(id="1"))


async def test_recording_works_awaited(recording):
    recorder = Recorder(Embedded.memory())
    async with AsyncDatabase(recorder) as db:
        await db.admin.create_table(table)
        await db.create(Note(id="2"))
        with pytest.raises(AlreadyExists):
            await db.create(Note(id="2"))
    assert [exchange.operation for exchange in recorder.exchanges[-2:]] == ["PutItem", "PutItem"]
    replayed = AsyncDatabase(Recorder.replay(recording))
    assert (await replayed.create(Note(id="1"))).id == "1"
    await replayed.close()
