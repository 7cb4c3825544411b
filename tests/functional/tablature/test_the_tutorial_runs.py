"""docs/tablature/tutorial.md: its file is written, its examples print what they show, its commands run."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "tablature" / "tutorial.md"
FENCE = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def blocks():
    return FENCE.findall(PAGE.read_text("utf-8"))


@pytest.fixture
def folder(tmp_path, blocks, monkeypatch):
    """A folder with the files that the page has its reader write, on the import path."""
    for _, name, body in blocks:
        if name:
            (tmp_path / name).write_text(body, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("library", None)


def run_session(text, names):
    """Run what a prompt shows; whatever is printed otherwise fails."""
    session = doctest.DocTestParser().get_doctest(text, names, "tutorial", str(PAGE), 0)
    printed = []
    runner = doctest.DocTestRunner(verbose=False)
    failed, _ = runner.run(session, out=printed.append, clear_globs=False)
    assert not failed, "".join(printed)
    names.update(session.globs)


def test_the_examples_run_one_after_another(folder, blocks):
    names = {"__name__": "tutorial"}
    for language, name, body in blocks:
        if language == "pycon":
            run_session(body, names)
        elif language == "python" and not name:
            exec(compile(body, str(PAGE), "exec"), names)
    assert callable(names["at_amazon"])


def test_the_commands_print_what_is_shown(folder, blocks):
    (body,) = [body for language, _, body in blocks if language == "console"]
    command, shown = body.removeprefix("$ ").strip().split("\n")
    printed = subprocess.run(
        [sys.executable, "-m", *command.split()], check=True, capture_output=True, text=True
    ).stdout
    assert re.search(re.escape(shown).replace("…", ".*"), printed), printed
