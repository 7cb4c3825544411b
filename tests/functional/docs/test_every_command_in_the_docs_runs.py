"""Every line that starts with `$` in README and docs is run; what a page shows of the output is really printed.

`make` targets are only resolved, since they run this suite. An ellipsis in shown output stands for anything.
"""

import contextlib
import io
import re
import shlex
import subprocess

import pytest

from tablature.cli.main import main as tablature

PROMPT = "$ "
RUN_ELSEWHERE = {
    "docs/how-to/use-another-database.md": "tests/functional/deploy/test_any_server_restores_any_backup.py",
    "docs/reference/engine.md": "tests/functional/tablature/test_the_engine_page_is_true.py",
    "docs/tutorial/from-news-to-newsletter.md": "tests/functional/flow/test_the_tutorial_runs.py",
    "docs/tablature/tutorial.md": "tests/functional/tablature/test_the_tutorial_runs.py",
}


def steps(block):
    """Each command of a console block with the output the page shows below it."""
    results = []
    for line in block.splitlines():
        if line.startswith(PROMPT):
            results.append((line.removeprefix(PROMPT), []))
        elif line.strip():
            results[-1][1].append(line.strip())
    return results


def shown_is_printed(shown, printed):
    return all(re.search(re.escape(line).replace("…", ".*"), printed) for line in shown)


def run_step(machine, command, root):
    words = shlex.split(command)
    if words[0] == "almanac":
        answer = machine.run(*words[1:])
        assert answer.code == 0, f"{command}: {answer.err}"
        return answer.out
    if words[:3] == ["python", "-m", "tablature"]:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert tablature(words[3:]) == 0, command
        return printed.getvalue()
    if command == "make run":
        machine.serve().stop()
    if words[0] == "make":
        subprocess.run(["make", "-n", *words[1:]], cwd=root, check=True, capture_output=True)
        return ""
    if words[0] == "export":
        name, _, value = words[1].partition("=")
        assert machine.run("config", **{name: value}).code == 0
        return ""
    raise AssertionError(f"The docs show a command that no test can run: {command}")


def test_commands_of_a_page_run(page, root, request):
    blocks = page.blocks("console")
    if str(page) in RUN_ELSEWHERE:
        assert (root / RUN_ELSEWHERE[str(page)]).exists()
        return
    if not blocks:
        return
    machine = request.getfixturevalue("idle_machine")
    with machine.database_kept_running():
        for command, shown in [step for block in blocks for step in steps(block)]:
            printed = run_step(machine, command, root)
            assert shown_is_printed(shown, printed), f"{command} printed {printed!r}"


def test_a_command_that_fails_would_be_noticed(bare_machine, root):
    with pytest.raises(AssertionError, match="No such command"):
        run_step(bare_machine, "almanac nonsense", root)


def test_output_that_is_not_printed_would_be_noticed():
    assert shown_is_printed(["Added … as editor."], "Added Ada as editor. More.")
    assert not shown_is_printed(["Removed …"], "Added Ada")
