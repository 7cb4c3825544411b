"""Running the command line in this process, and modules to run it on."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tablature.cli.main import main

TABLES = '''
"""Notes by their owner."""

from tablature import Attr, Entity, Index, Table, index, pattern, primary, upcast

notes = Table("notes", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


class Note(Entity, table=notes, schema_version=2):
    owner: Attr[str]
    number: Attr[int]
    title: Attr[str]
    topic: Attr[str]
    key = primary("OWNER#{owner}", "NOTE#{number:06d}")
    by_topic = index("GSI1", "TOPIC#{topic}", "{owner}#{number:06d}")
    on_topic = pattern(by_topic, doc="Everybody's notes on one topic.")
    of_owner = pattern(key, doc="The notes of one owner, in order.")


@upcast(Note, from_version=1)
def with_topic(item):
    return {"topic": {"S": "misc"}, **item}
'''


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in an empty folder and gives what it said."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> Outcome:
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(str(stop.code))
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return command


@pytest.fixture
def module(tmp_path: Path) -> Callable[..., str]:
    """Writes a module and gives its file name."""

    def write(text: str = TABLES, name: str = "some_tables.py") -> str:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return str(path)

    return write
