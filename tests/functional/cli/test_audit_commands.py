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
