"""`almanac serve` on the data of an older version backs it up, migrates it and shows it; newer data is left alone."""

import json
import sqlite3
import urllib.request

import psycopg
import pytest

from almanac.backup import verify_archive
from almanac.relational import EmbeddedPostgres

TOKEN = "a-fixed-token-for-automation"
LAST_THEN = "0010.knowledge"


@pytest.fixture(scope="module")
def upgraded(lasting_machine, older_backups, leave_older_data):
    """An older data folder, on which today's program was simply started."""
    leave_older_data(lasting_machine, older_backups[LAST_THEN])
    lasting_machine.settings |= {"ALMANAC_ADMIN_TOKEN": TOKEN, "ALMANAC_WORKER": "no", "ALMANAC_LOG_LEVEL": "warning"}
    lasting_machine.serve()
    return lasting_machine


def asked(machine, path):
    request = urllib.request.Request(machine.started[0].url + path, headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_a_backup_of_the_older_data_is_kept(upgraded):
    (archive,) = (upgraded.folder / "data" / "backups").glob("before-upgrade-*.tar.gz")
    assert verify_archive(archive).migrations[-1] == LAST_THEN
    assert archive.name in upgraded.started[0].text


def test_what_was_there_is_there_and_what_came_since_works(upgraded):
    assert upgraded.run("newsletter", "list", "--json").json
    sources = asked(upgraded, "/api/v1/knowledge")["items"]
    assert len(sources) >= 10
    assert {source["status"] for source in sources} == {"ready"}
    assert asked(upgraded, "/api/v1/search?q=drought")["items"]
    assert asked(upgraded, "/api/v1/habits")["items"] == []


def test_the_audit_log_of_the_older_version_still_holds(upgraded):
    assert asked(upgraded, "/api/v1/audit/check")["intact"]


def test_a_second_start_backs_nothing_up(upgraded):
    assert upgraded.run("migrate", "--json").json == {"applied": [], "warnings": []}
    assert len(list((upgraded.folder / "data" / "backups").glob("*.tar.gz"))) == 1


def test_a_restored_backup_of_an_older_version_is_ready_to_use(bare_machine, older_backups):
    with bare_machine.database_kept_running():
        answer = bare_machine.run("restore", str(older_backups["0005.news"]))
        assert answer.code == 0, answer.err
        people = {user["email"] for user in bare_machine.run("user", "list", "--json").json}
        assert people == {"ada@example.org", "grace@example.org"}
        assert bare_machine.run("backups", "--json").json["backups"] == []
        health = bare_machine.run("doctor").out.splitlines()
        # The restored data is as old as its archive, so the doctor may ask for a backup, and for nothing else.
        assert len(health) > 10
        faults = [line for line in health if not line.startswith("OK ")]
        assert [line for line in faults if not line.startswith("failed backups: No backup has been made yet")] == []


class TestNewerData:
    @pytest.fixture
    def newer(self, idle_machine):
        """A data folder on which a version that is not written yet has run."""
        server = EmbeddedPostgres(idle_machine.folder / "data" / "postgres")
        with idle_machine.database_kept_running():
            with psycopg.connect(server.url()) as connection:
                connection.execute(
                    "INSERT INTO _yoyo_migration SELECT 'future', '9999.future', applied_at_utc"
                    " FROM _yoyo_migration LIMIT 1"
                )
            yield idle_machine

    def test_it_is_refused_in_one_sentence(self, newer):
        for command in ("migrate", "doctor"):
            answer = newer.run(command)
            assert answer.code == 1
            assert "belongs to a newer version of Almanac" in answer.out + answer.err
            assert "9999.future" in answer.out + answer.err


def test_a_table_file_of_a_newer_version_is_refused(idle_machine):
    with sqlite3.connect(idle_machine.folder / "data" / "tables.db") as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    answer = idle_machine.run("migrate")
    assert answer.code == 1
    assert "written by a newer version" in answer.err
