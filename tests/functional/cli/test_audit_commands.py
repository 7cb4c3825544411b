"""`almanac audit`: exported, verified without the installation, and noticed when the file was changed."""

import csv

import pytest


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_an_export_is_verified_and_a_change_noticed(installed_machine, form):
    installed_machine.run("user", "add", f"{form}@example.org", "--name", "Grace")
    assert "Wrote" in installed_machine.run("audit", "export", f"log.{form}", "--form", form).out
    checked = installed_machine.run("audit", "verify", f"log.{form}")
    assert checked.code == 0, checked.err
    assert "none was changed or removed" in checked.out
    if form == "csv":
        with (installed_machine.folder / "log.csv").open(encoding="utf-8", newline="") as rows:
            made = next(row for row in csv.DictReader(rows) if row["object_name"] == "Grace")
        assert (made["action"], made["actor_id"], made["object_id"] != "Grace") == ("user.created", "console", True)
    file = installed_machine.folder / f"log.{form}"
    file.write_text(file.read_text("utf-8").replace("console", "nobody", 1), "utf-8")
    changed = installed_machine.run("audit", "verify", f"log.{form}")
    assert (changed.code, "was changed after it was written" in changed.out) == (1, True)


def test_entries_are_listed_by_filters(installed_machine):
    installed_machine.run("user", "add", "ada@example.org", "--name", "Ada")
    assert "user Ada" in installed_machine.run("audit", "list", "--action", "user.created").out
    assert "audit.exported" not in installed_machine.run("audit", "list", "--action", "user.invited").out
    assert "No entries." in installed_machine.run("audit", "list", "--until", "2020-01-01").out
    assert installed_machine.run("audit", "list", "--since", "soon").code == 2


def test_a_file_that_can_not_be_told_whole_has_an_exit_code_of_its_own(installed_machine):
    for number in range(3):
        installed_machine.run("user", "add", f"whole{number}@example.org", "--name", "Ada")
    installed_machine.run("audit", "export", "whole.jsonl")
    file = installed_machine.folder / "whole.jsonl"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    for kept, words in ((lines[:1] + lines[2:], "2 pieces"), (lines[1:], "from entry 2 on"), ([], "no entry")):
        file.write_text("".join(kept), "utf-8")
        answer = installed_machine.run("audit", "verify", "whole.jsonl")
        assert (answer.code, words in answer.out) == (3, True), answer.out


def test_a_file_that_is_no_text_is_a_sentence(installed_machine):
    (installed_machine.folder / "picture").write_bytes(b"\x89PNG\xff\xfe\x00")
    answer = installed_machine.run("audit", "verify", "picture")
    assert (answer.code, "This isn't an export of the audit log" in answer.err) == (2, True)
