"""Every command on a sound module: what it writes, and its exit code."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tablature.cli.main import main

ROOT = Path(__file__).resolve().parents[4]
COMMANDS = [
    "lint",
    "docs",
    "cfn",
    "terraform",
    "iam",
    "cost",
    "explain",
    "migrate",
    "backfill",
    "export",
    "import",
    "history",
    "recover",
]
CLEAN = """
from tablature import Attr, Entity, Table, primary

notes = Table("notes", pk="PK")


class Note(Entity, table=notes):
    id: Attr[str]
    key = primary("NOTE#{id}")
"""

HOT = """
from tablature import Attr, Entity, Index, Table, index, pattern, primary

notes = Table("notes", pk="PK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


class Note(Entity, table=notes):
    id: Attr[str]
    key = primary("NOTE#{id}")
    every = index("GSI1", "NOTES", "{id}")
    latest = pattern(every)
"""


def test_a_sound_design_exits_with_0(run, module):
    result = run("lint", module(CLEAN))
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Nothing found; 0 accepted;")


def test_a_finding_exits_with_1(run, module):
    name = module(CLEAN.replace("id: Attr[str]", "id: Attr[str]\n    tags: Attr[list[str]]"))
    result = run("lint", name)
    assert result.code == 1
    assert result.out.startswith("warning TAB301 Note.tags: 'tags' has no limit.\n        try: attr(longest=100)\n")


def test_advice_alone_exits_with_0(run, module):
    name = module(CLEAN.replace("id: Attr[str]", "id: Attr[str]\n    body: Attr[str]"))
    result = run("lint", name)
    assert result.code == 0
    assert "advice  TAB303 Note.body" in result.out


def test_findings_as_json(run, module):
    name = module(CLEAN.replace("id: Attr[str]", "id: Attr[str]\n    tags: Attr[list[str]]"))
    result = run("lint", name, "--json")
    data = json.loads(result.out)
    assert data["fails"] is True
    assert [(entry["code"], entry["subject"]) for entry in data["findings"]] == [("TAB301", "Note.tags")]


def test_the_peak_of_writes_decides_the_shards(run, module):
    name = module(HOT)
    assert "shards=2," in run("lint", name, "--peak-writes", "10").out
    assert "shards=32," in run("lint", name, "--peak-writes", "10000").out


def test_a_module_by_its_dotted_name(run, module):
    module(CLEAN, "dotted_notes.py")
    assert run("lint", "dotted_notes").code == 0


def test_explain_reads_values_spans_and_beginnings(run, module):
    name = module()
    span = json.loads(run("explain", name, "of_owner", "owner=ann", "number=5..9").out)
    assert span["requests"][0]["ExpressionAttributeValues"] == {
        ":v0": {"S": "OWNER#ann"},
        ":v1": {"S": "NOTE#000005"},
        ":v2": {"S": "NOTE#000009"},
    }
    begins = json.loads(run("explain", name, "Note.on_topic", "topic=tea", "owner=a*").out)
    assert begins["requests"][0]["ExpressionAttributeValues"][":v1"] == {"S": "a"}
    assert begins["doc"] == "Everybody's notes on one topic."


def test_explain_uses_samples_where_nothing_is_given(run, module):
    result = json.loads(run("explain", module(), "on_topic").out)
    assert result["requests"][0]["ExpressionAttributeValues"] == {":v0": {"S": "TOPIC#topic"}}
    assert result["rcu"] > 0


def test_explain_says_what_the_linter_says(run, module):
    result = json.loads(run("explain", module(HOT), "latest").out)
    assert {entry["code"] for entry in result["findings"]} == {"TAB005", "TAB204"}


def test_physical_names_reach_the_outputs(run, module):
    name = module()
    assert "Default: acme-notes" in run("cfn", name, "--name", "notes=acme-notes").out
    assert json.loads(run("cfn", name, "--format", "json").out)["Resources"]["NotesTable"]
    assert json.loads(run("terraform", name).out)["variable"]["notes_name"]["default"] == "notes"
    assert "table/acme-notes" in run("iam", name, "--name", "notes=acme-notes", "--access", "read-only").out
    assert "dynamodb:Query" in run("iam", name, "--pattern", "on_topic").out


def test_costs_as_text_and_as_json(run, module):
    name = module()
    assert "Note.create" in run("cost", name).out
    assert json.loads(run("cost", name, "--json").out)["actions"] == []


def test_docs_take_a_title(run, module):
    assert run("docs", module(), "--title", "Notes").out.startswith("# Notes\n")


def test_the_module_runs_as_a_command(module):
    command = [sys.executable, "-m", "tablature", "lint", module(CLEAN)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_has_seen_enough_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "tablature", "lint", "--reference"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_in_the_reference(command, capsys):
    page = (ROOT / "docs/reference/tablature-command.md").read_text("utf-8")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    assert f"## tablature {command}" in page
    assert not [option for option in options if f"`{option}" not in page]
