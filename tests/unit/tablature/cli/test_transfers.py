"""`tablature export` and `import`: tables go to files and come back, and refusals are one sentence."""

import stat

import pytest

from tablature.cli.main import main
from tablature.engine.engine import Engine

CREATION = {
    "TableName": "songs",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.db"
    with Engine(path) as engine:
        engine.call("CreateTable", CREATION)
        for number in range(30):
            engine.call("PutItem", {"TableName": "songs", "Item": {"id": {"S": str(number)}}})
    return path


def test_tables_go_to_files_and_come_back(source, tmp_path, capsys):
    folder, target = tmp_path / "export", tmp_path / "target.db"
    assert main(["export", str(folder), "--path", str(source)]) == 0
    assert capsys.readouterr().out.startswith("songs: 30 items, checksum ")
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert main(["import", str(folder), "--path", str(target), "--name", "songs=tunes"]) == 0
    assert capsys.readouterr().out == "tunes: 30 items, compared\n"
    with Engine(target) as engine:
        assert engine.call("Scan", {"TableName": "tunes"})["Count"] == 30


def test_refusals_are_one_sentence(source, tmp_path, capsys):
    folder = tmp_path / "export"
    assert main(["export", str(folder), "--table", "songs", "--path", str(source)]) == 0
    capsys.readouterr()
    for arguments, sentence in (
        ((str(folder), "--path", str(source)), "The table songs already has items"),
        ((str(folder), "--path", str(source), "--name", "other=x"), "The export has no file 'other'"),
        ((str(tmp_path / "nowhere"), "--path", str(source)), "has no exported table"),
    ):
        assert main(["import", *arguments]) == 2
        error = capsys.readouterr().err
        assert sentence in error
        assert error.count("\n") == 1
    assert main(["import", str(folder), "--path", str(source), "--replace"]) == 0
