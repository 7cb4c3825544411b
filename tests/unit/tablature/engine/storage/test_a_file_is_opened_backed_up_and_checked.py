"""A database file can be opened again, copied while in use, and checked; other files are refused with a sentence."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablature.engine.engine import Engine
from tablature.engine.storage import UnreadableFile


def test_what_was_stored_is_there_when_the_file_is_opened_again(
    tmp_path: Path, define: Callable[..., dict[str, Any]]
) -> None:
    with Engine(tmp_path / "things.db") as engine:
        engine.call("CreateTable", define("things", "pk:S"))
        engine.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}}})
    with Engine(tmp_path / "things.db") as engine:
        assert engine.call("Scan", {"TableName": "things"})["Items"] == [{"pk": {"S": "a"}}]


def test_a_backup_taken_in_use_opens_as_a_database_of_its_own(
    tmp_path: Path, define: Callable[..., dict[str, Any]]
) -> None:
    with Engine(tmp_path / "things.db") as engine:
        engine.call("CreateTable", define("things", "pk:S"))
        engine.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "before"}}})
        engine.storage.back_up(str(tmp_path / "copy.db"))
        engine.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "after"}}})
    with Engine(tmp_path / "copy.db") as copy:
        assert copy.call("Scan", {"TableName": "things"})["Items"] == [{"pk": {"S": "before"}}]
        assert copy.storage.check() == []


def test_an_index_that_disagrees_with_the_items_is_found(tmp_path: Path, define: Callable[..., dict[str, Any]]) -> None:
    path = tmp_path / "things.db"
    with Engine(path) as engine:
        engine.call("CreateTable", define("things", "pk:S", gsis={"by_owner": ("ALL", "owner:S")}))
        engine.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}, "owner": {"S": "x"}}})
        table = engine.storage.table("things")
        assert table is not None
        with sqlite3.connect(path) as connection:
            connection.execute(f"DELETE FROM {table.indexes[0].entries}")
        connection.close()
        assert engine.storage.check() == ["index by_owner of table things disagrees with the items"]


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "other.db")
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(UnreadableFile, match="is a database of another program; name another file"):
        Engine(tmp_path / "other.db")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database at all " * 100)
    with pytest.raises(UnreadableFile, match="cannot be opened as a database"):
        Engine(tmp_path / "text.db")


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not exist; create it first"):
        Engine(tmp_path / "absent" / "things.db")
