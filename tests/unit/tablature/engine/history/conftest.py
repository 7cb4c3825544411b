"""An engine with a history and a clock that the test moves."""

from pathlib import Path

import pytest

from tablature.engine.engine import Engine
from tablature.engine.history import HistoryArchive, history_folder, recover

START = 1_800_000_000.0


class SetClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


class KeptTables:
    """A table file with a history, and what it holds now or held at some moment."""

    def __init__(self, folder: Path, days: int = 7) -> None:
        self.path, self.clock, self.days = folder / "tables.db", SetClock(), days
        self._copies = 0
        self.open()

    def open(self) -> None:
        self.engine = Engine(self.path, clock=self.clock)
        self.archive = HistoryArchive(self.engine.storage)
        self.archive.start(self.days)

    def create(self, name: str = "things", **more) -> None:
        definition = {
            "TableName": name,
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        }
        self.engine.call("CreateTable", definition | more)

    def put(self, key: str, value: int = 0, name: str = "things") -> None:
        item = {"pk": {"S": key}, "n": {"N": str(value)}}
        self.engine.call("PutItem", {"TableName": name, "Item": item})

    def delete(self, key: str, name: str = "things") -> None:
        self.engine.call("DeleteItem", {"TableName": name, "Key": {"pk": {"S": key}}})

    def recovered(self, moment: float) -> dict:
        """Every table as it was at a moment."""
        self.archive.advance()
        self._copies += 1
        target = self.path.with_name(f"recovered-{self._copies}.db")
        recover(history_folder(self.path), moment, target)
        with Engine(target, clock=self.clock) as engine:
            return contents(engine)

    def close(self) -> None:
        self.engine.close()


def contents(engine: Engine) -> dict:
    """Every table with its items, and what describes it but for times and sizes."""
    tables = {}
    for name in engine.call("ListTables", {})["TableNames"]:
        items = engine.call("Scan", {"TableName": name})["Items"]
        tables[name] = {item["pk"]["S"]: item for item in items}
    return tables


@pytest.fixture
def tables(tmp_path):
    kept = KeptTables(tmp_path)
    yield kept
    kept.close()


@pytest.fixture(scope="session")
def kept_tables() -> type[KeptTables]:
    return KeptTables


@pytest.fixture(scope="session")
def read_contents():
    return contents
