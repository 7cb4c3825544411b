"""`backup`, `backups` and `restore` do what they say, for people and as JSON."""

import pytest

PASSPHRASE = "correct horse battery staple"


def test_a_backup_restores_on_an_empty_machine(machine, bare_machine):
    machine.run("user", "add", "kept@example.org", "--name", "Kept")
    archive = bare_machine.folder / "all.tar.gz"
    assert machine.run("backup", str(archive)).code == 0
    assert bare_machine.run("restore", str(archive), "--check").code == 0
    assert bare_machine.run("restore", str(archive), "--yes").code == 0
    emails = [user["email"] for user in bare_machine.run("user", "list", "--json").json]
    assert "kept@example.org" in emails


def test_restoring_asks_first_and_no_changes_nothing(idle_machine):
    with idle_machine.database_kept_running():
        idle_machine.run("backup", "asked.tar.gz")
        idle_machine.run("user", "add", "after@example.org", "--name", "After")
        refused = idle_machine.run("restore", "asked.tar.gz", given="n\n")
        assert refused.code == 1
        assert "Replace all data" in refused.err
        assert "after@example.org" in idle_machine.run("user", "list").out
        assert idle_machine.run("restore", "asked.tar.gz", given="y\n").code == 0
        assert "after@example.org" not in idle_machine.run("user", "list").out


def test_nothing_is_restored_while_almanac_runs(machine):
    machine.run("backup", "running.tar.gz")
    answer = machine.run("restore", "running.tar.gz", "--yes")
    assert answer.code == 1
    assert "Almanac is still running on this data" in answer.err


def test_a_damaged_archive_is_refused(machine):
    (machine.folder / "bad.tar.gz").write_bytes(b"nonsense")
    answer = machine.run("restore", "bad.tar.gz", "--yes")
    assert answer.code == 2
    assert "Use another one" in answer.err


def test_a_second_backup_never_overwrites_the_first(machine):
    machine.run("backup", "twice.tar.gz")
    assert "exists already" in machine.run("backup", "twice.tar.gz").err


def test_a_folder_that_is_not_there_is_a_sentence_and_is_not_created(machine):
    answer = machine.run("backup", str(machine.folder / "nope" / "x"))
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "There is no folder" in answer.err
    assert not (machine.folder / "nope").exists()


def test_the_report_says_what_was_tried(machine):
    answer = machine.run("backup", "report.tar.gz", "--json").json
    assert answer["tried"]
    assert answer["rows"] > 0
    assert answer["bytes"] == (machine.folder / "report.tar.gz").stat().st_size
    assert "A trial restore of" in machine.run("backup", "sentence.tar.gz").out


def test_backups_are_listed_and_restored_by_name(idle_machine):
    with idle_machine.database_kept_running():
        assert "No backups in" in idle_machine.run("backups").out
        idle_machine.run("user", "add", "kept@example.org", "--name", "Kept")
        assert idle_machine.run("backup").code == 0
        [stored] = idle_machine.run("backups", "--json").json["backups"]
        assert stored["name"] in idle_machine.run("backups").out
        assert stored["bad"] is False
        idle_machine.run("user", "add", "later@example.org", "--name", "Later")
        assert "is intact" in idle_machine.run("restore", stored["name"], "--check").out
        assert idle_machine.run("restore", "latest", "--yes").code == 0
        people = idle_machine.run("user", "list").out
        assert "kept@example.org" in people
        assert "later@example.org" not in people


def test_an_encrypted_backup_in_a_folder_of_ones_own(idle_machine):
    folder = idle_machine.folder / "elsewhere"
    idle_machine.settings |= {"ALMANAC_BACKUP_URL": folder.as_uri(), "ALMANAC_BACKUP_PASSPHRASE": PASSPHRASE}
    with idle_machine.database_kept_running():
        missing = idle_machine.run("backup")
        assert (missing.code, "mount its disk" in missing.err) == (2, True)
        assert not folder.exists()
        assert "mount its disk" in idle_machine.run("doctor").out
        unlisted = idle_machine.run("backups")
        assert (unlisted.code, "mount its disk" in unlisted.err) == (2, True)
        folder.mkdir()
        assert "encrypted" in idle_machine.run("backup").out
        [path] = folder.iterdir()
        assert path.name.endswith(".tar.gz.enc")
        wrong = idle_machine.run("restore", path.name, "--check", ALMANAC_BACKUP_PASSPHRASE="another passphrase")
        assert (wrong.code, "isn't the one it was made with" in wrong.err) == (2, True)
        assert idle_machine.run("restore", path.name, "--yes").code == 0
        assert PASSPHRASE not in idle_machine.run("config").out


def test_a_failed_backup_is_what_the_doctor_says(idle_machine):
    with idle_machine.database_kept_running():
        assert "none yet" in idle_machine.run("doctor").out
        assert idle_machine.run("backup", "nope/x.tar.gz").code == 2
        assert idle_machine.run("doctor").code == 0
        away = (idle_machine.folder / "not-mounted").as_uri()
        assert idle_machine.run("backup", ALMANAC_BACKUP_URL=away).code == 2
        answer = idle_machine.run("doctor")
        assert answer.code == 1
        assert "The last backup failed: There is no folder" in answer.out
        assert idle_machine.run("backup").code == 0
        assert "restored on trial" in idle_machine.run("doctor").out
        [stored] = (idle_machine.folder / "data" / "backups").glob("almanac-*")
        stored.unlink()
        gone = idle_machine.run("doctor")
        assert (gone.code, f"The last good backup ({stored.name}" in gone.out) == (1, True)


@pytest.mark.parametrize("passphrase", ["short"])
def test_a_passphrase_must_be_long(idle_machine, passphrase):
    answer = idle_machine.run("config", ALMANAC_BACKUP_PASSPHRASE=passphrase)
    assert answer.code == 2
    assert "at least 12 characters" in answer.err
