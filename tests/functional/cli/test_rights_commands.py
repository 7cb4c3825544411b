"""People, teams and rights from the command line: every command of the page about them, in its order."""

import re
import shlex
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs/how-to/people-teams-and-rights.md"
COMMANDS = re.findall(r"^almanac (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.fixture
def staffed_machine(idle_machine):
    for name in ("ada", "lea"):
        added = idle_machine.run("user", "add", f"{name}@example.org", "--name", name.title(), "--role", "member")
        assert added.code == 0, added.err
    return idle_machine


def test_every_command_of_the_page_runs_and_does_what_it_says(staffed_machine):
    with staffed_machine.database_kept_running():
        answers = {command: staffed_machine.run(*shlex.split(command)) for command in COMMANDS}
        assert {command: answer.err for command, answer in answers.items() if answer.code} == {}
        assert "Finance" in answers["team list"].out
        rights = staffed_machine.run("user", "rights", "ada@example.org").out
        (line,) = [line for line in rights.splitlines() if "Reminders" in line or "reminders" in line]
        assert "Finance" in line


def test_rights_that_do_not_exist_are_a_sentence(staffed_machine):
    with staffed_machine.database_kept_running():
        for wrong, words in ((("reminders", "fly"), "fly"), (("kitchen", "read"), "desk does not exist")):
            answer = staffed_machine.run("user", "rights", "ada@example.org", *wrong)
            assert answer.code in (1, 2)
            assert words in answer.err
            assert len(answer.err.splitlines()) < 5
