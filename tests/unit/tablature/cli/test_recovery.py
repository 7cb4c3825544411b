"""`tablature history` and `recover`: any moment of a file as another file, and refusals as one sentence."""

from datetime import UTC, datetime

import pytest

from tablature.cli.main import main
from tablature.engine.engine import Engine
from tablature.engine.history import HistoryArchive

CREATION = {
    "TableName": "songs",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
SONG = {"TableName": "songs", "Item": {"id": {"S": "1"}}}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "songs.db"
    with Engine(path) as engine:
        HistoryArchive(engine.storage).start(7)
        engine.call("CreateTable", CREATION)
        engine.call("PutItem", SONG)
    return path


def test_a_moment_becomes_a_file(path, tmp_path, capsys):
    moment, target = datetime.now(UTC).isoformat(), tmp_path / "then.db"
    with Engine(path) as engine:
        engine.call("DeleteTable", {"TableName": "songs"})
    assert main(["history", "--path", str(path)]) == 0
    assert "1 base copies" in capsys.readouterr().out
    assert main(["recover", "--path", str(path), "--to", moment, "--target", str(target)]) == 0
    assert "2 changes applied" in capsys.readouterr().out
    with Engine(target) as engine:
        assert engine.call("Scan", {"TableName": "songs"})["Items"] == [SONG["Item"]]


def test_refusals_are_one_sentence(path, tmp_path, capsys):
    now = datetime.now(UTC).isoformat()
    for arguments, sentence in (
        (["history", "--path", str(tmp_path / "other.db")], "has no history"),
        (["recover", "--path", str(path), "--to", "2020-01-01T00:00Z", "--target", "x.db"], "The history starts at"),
        (["recover", "--path", str(path), "--to", now, "--target", str(path)], "exists already"),
    ):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert sentence in error
        assert error.count("\n") == 1
