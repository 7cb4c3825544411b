"""Whatever was written, and whenever, a recovered file is exactly what the tables were at that moment."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tablature.engine.errors import EngineError

KEYS = st.sampled_from(["a", "b", "c", "d"])
NAMES = st.sampled_from(["things", "others"])
INDEX = {"IndexName": "by-n", "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}]}
ATTRIBUTES = [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "n", "AttributeType": "N"}]
STEPS = st.one_of(
    st.tuples(st.just("put"), NAMES, KEYS, st.integers(0, 9)),
    st.tuples(st.just("put"), NAMES, KEYS, st.integers(0, 9)),
    st.tuples(st.just("delete"), NAMES, KEYS, st.just(0)),
    st.tuples(st.just("transact"), NAMES, KEYS, st.integers(0, 9)),
    st.tuples(st.sampled_from(["create", "drop", "add_index", "remove_index"]), NAMES, st.just(""), st.just(0)),
    st.tuples(st.sampled_from(["archive", "reopen", "restore"]), st.just(""), st.just(""), st.just(0)),
    st.tuples(st.just("wait"), st.just(""), st.just(""), st.sampled_from([1, 30, 90_000])),
)


class Story:
    """Steps made on real tables, with their content noted after each at the time of the clock."""

    def __init__(self, kept, read_contents) -> None:
        self.kept, self.read = kept, read_contents
        self.moments: dict[float, dict] = {}
        kept.clock.now += 1
        self.note()

    def note(self) -> None:
        self.moments[self.kept.clock.now] = self.read(self.kept.engine)

    def step(self, verb: str, name: str, key: str, value: int) -> None:
        try:
            getattr(self, verb)(name, key, value)
        except EngineError:
            return
        finally:
            self.note()

    def put(self, name, key, value):
        self.kept.put(key, value, name)

    def delete(self, name, key, value):
        self.kept.delete(key, name)

    def transact(self, name, key, value):
        items = [{"pk": {"S": each}, "n": {"N": str(value)}} for each in {key, "d"}]
        writes = [{"Put": {"TableName": name, "Item": item}} for item in items]
        self.kept.engine.call("TransactWriteItems", {"TransactItems": writes})

    def create(self, name, key, value):
        self.kept.create(name)

    def drop(self, name, key, value):
        self.kept.engine.call("DeleteTable", {"TableName": name})

    def add_index(self, name, key, value):
        addition = {"Create": {**INDEX, "Projection": {"ProjectionType": "ALL"}}}
        self.update(name, AttributeDefinitions=ATTRIBUTES, GlobalSecondaryIndexUpdates=[addition])

    def remove_index(self, name, key, value):
        self.update(name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-n"}}])

    def update(self, name, **changes):
        self.kept.engine.call("UpdateTable", {"TableName": name, **changes})

    def archive(self, *_):
        self.kept.archive.advance()

    def reopen(self, *_):
        self.kept.close()
        self.kept.open()

    def restore(self, *_):
        """Replace everything by a backup of now; afterwards the history goes on from there."""
        copy = self.kept.path.with_name("backup.db")
        copy.unlink(missing_ok=True)
        self.kept.engine.storage.back_up(str(copy))
        self.kept.clock.now += 1
        self.kept.engine.storage.restore(str(copy))
        self.kept.archive.advance()

    def wait(self, name, key, seconds):
        self.note()
        self.kept.clock.now += seconds


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(STEPS, min_size=5, max_size=40))
def test_every_moment_of_any_story_is_recovered_exactly(kept_tables, read_contents, steps):
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        kept = kept_tables(Path(folder), days=100)
        story = Story(kept, read_contents)
        story.step("create", "things", "", 0)
        for step in steps:
            story.step(*step)
        for moment, expected in story.moments.items():
            assert kept.recovered(moment + 0.5) == expected
        kept.close()
