"""Every fenced block of README and docs is run, or checked as far as it can be; what can't run here is listed with why.

Console blocks are run by their own test; here are all the others, and the rule that there are no others.
"""

import ast
import json
import re
import shlex
import subprocess
import sys

import pytest
import typer

from almanac.cli.main import app
from almanac.config import describe_unknown_variables, load_settings
from almanac.desks import DESKS
from almanac.web.api import api

FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SETTING = re.compile(r"^(?:export )?(ALMANAC_\w+)=(.*)$")
REQUEST = re.compile(r"^(GET|POST|PUT|PATCH|DELETE) +(/\S+)")
PROGRAMS = ("almanac", "python", "pip", "make", "docker", "git", "systemctl", "useradd", "cp", "install", "curl")

# Checked by a test of its own.
RUN_ELSEWHERE = {"docs/reference/engine.md", "docs/tablature/tutorial.md"}
# Python that shows one call in the middle of a program: it is parsed, and its names belong to the reader's code.
FRAGMENTS = {
    "docs/how-to/add-a-page.md": "parts of files, compared with them by tests/architecture/test_docs.py",
    "docs/how-to/add-a-job.md": "the same",
    "docs/how-to/add-a-parliament.md": "a parliament of the reader's; run whole by parliaments/test_how_to.py",
    "docs/how-to/add-a-translation.md": "texts of the reader's pages",
    "docs/explanation/approvals.md": "calls inside a unit of work of the reader's",
    "docs/explanation/how-jobs-run.md": "a task of the reader's",
    "docs/how-to/bring-demo-content.md": "a desk of the reader's",
    "docs/how-to/export-a-newsletter.md": "calls with a publication of the reader's",
    "docs/how-to/receive-webhooks.md": "one block is a receiver's check, run by test_the_webhook_snippet_is_right.py",
}
# Commands that no test machine can or should run, by their first words.
NOT_HERE = {
    "docker": "needs Docker; the files it reads are checked by tests/functional/deploy",
    "pip install": "changes the environment of the tests",
    "export ALMANAC_SECRET_KEY": "sets variables for the line below it",
    "almanac recap collect --from": "asks a parliament's server",
    "almanac recap speeches 図書館": "run by tests/functional/recap/test_the_command_line.py",
    "almanac recap votes": "run on files by tests/functional/recap/test_group_votes.py",
    "almanac verify": "reads files of the reader's; run with files by tests/functional/cli/test_verifying_drafts.py",
    "almanac worker": "runs until it is stopped; run by tests/functional/jobs",
    "almanac serve --processes": "runs until it is stopped; run by tests/functional/cli/test_several_processes.py",
    "ALMANAC_WORKER=no almanac serve": "runs until it is stopped; run by tests/functional/deploy",
    "python3 -m venv local-model": "installs an optional model",
    "local-model/bin/pip": "installs an optional model",
    "LOCAL_MODEL_PYTHON": "runs a slow test with an optional model",
    "almanac tables": "names a moment or a folder of the reader's; run by tests/functional/cli/test_tables_commands.py",
    "almanac team": "names people of the reader's; run by tests/functional/cli/test_rights_commands.py",
    "almanac user": "the same",
    "almanac subscriber": "names a reader; run by tests/functional/cli/test_subscriber_commands.py",
    "almanac knowledge add": "fetches from the network; run with files by tests/functional/cli",
    "curl https": "asks a site of the reader's; the same files are read by tests/functional/web/public/test_data.py",
    "curl -O": "the same",
    "curl": "needs a token of the reader's; the same is sent by tests/functional/web/test_knowledge.py",
    "make": "only resolved, since it runs this suite",
}


def blocks(page, *languages):
    if str(page) in RUN_ELSEWHERE:
        return []
    blocks = [(place, body) for language, place, body in FENCE.findall(page.text) if language in languages]
    # A block that names the machine or file it is for is carried out by tests/functional/deploy.
    return [body for place, body in blocks if not place.startswith((" on ", " in ", " restart "))]


def lines(page):
    """Lines outside console blocks that might be commands, settings or requests."""
    text = "\n".join(blocks(page, "text", "sh", "bash", "toml", "ini", ""))
    return [line for line in text.splitlines() if line.strip() and not line.startswith((" ", "#"))]


def test_every_block_is_of_a_kind_that_is_checked(page):
    kinds = {language for language, _, _ in FENCE.findall(page.text)}
    assert kinds <= {
        "console",
        "python",
        "pycon",
        "json",
        "text",
        "sh",
        "mermaid",
        "xml",
        "csv",
        "toml",
        "sql",
        "jinja",
    }, kinds


def test_python_runs_or_is_a_fragment_that_parses(page):
    for block in blocks(page, "python"):
        if str(page) in FRAGMENTS:
            compile(block, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        else:
            subprocess.run([sys.executable, "-W", "error", "-c", block], check=True, timeout=120, capture_output=True)


def test_json_is_json(page):
    for block in blocks(page, "json"):
        json.loads(block)


def test_settings_that_a_page_shows_are_accepted(page, tmp_path):
    for result in filter(None, map(SETTING.match, lines(page))):
        name, value = result[1], result[2].split(" #")[0].split(" almanac ")[0].strip()
        if "$(" in value:
            continue
        value = value.replace("…", "x" * 40)
        assert describe_unknown_variables({name: value}) == []
        load_settings({name: value}, tmp_path)


def test_requests_that_a_page_shows_have_a_route(page, described_paths):
    for result in filter(None, map(REQUEST.match, lines(page))):
        path = re.sub(r"\{[^}]*\}", "{}", result[2])
        if path.startswith("/api/"):
            assert path in described_paths, result[0]


def test_a_command_outside_a_console_block_is_listed_with_a_reason(page):
    commands = [line for line in lines(page) if line.split("=")[0].split()[0] in PROGRAMS or " almanac " in f" {line} "]
    prose = [line for line in commands if line.rstrip().endswith((".", ":")) or "`" in line]
    unlisted = [line for line in commands if line not in prose and not line.startswith(tuple(NOT_HERE))]
    assert unlisted == []
    for line in commands:
        if line.startswith("almanac "):
            assert_options_exist(line)


def assert_options_exist(line):
    """A command that is not run still names a command and options that there are."""
    words = shlex.split(line)[1:]
    command = typer.main.get_command(app)
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    options = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options, line


def paths_of(router):
    for route in router.routes:
        if (included := getattr(route, "original_router", None)) is not None:
            yield from paths_of(included)
        else:
            yield re.sub(r"\{[^}]*\}", "{}", route.path)


@pytest.fixture(scope="module")
def described_paths():
    """The paths of the API, without their parameters' names."""
    routers = [api, *(desk.api for desk in DESKS)]
    return {path for router in routers for path in paths_of(router)}


def test_every_reason_is_still_needed(all_pages):
    shown = [line for page in all_pages for line in lines(page)]
    unused = [words for words in NOT_HERE if words != "make" and not any(line.startswith(words) for line in shown)]
    assert unused == []
    with_python = {str(page) for page in all_pages if blocks(page, "python")}
    assert set(FRAGMENTS) <= with_python
