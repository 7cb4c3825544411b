"""Nobody but the account that runs Almanac reads its files, whatever the umask and whatever was there before."""

import os
import subprocess
from pathlib import Path

import pytest

from almanac.kit.private_files import close_exposed

NOBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="Only root can try to read as another account.")
TRY = """
while IFS= read -r path; do
  if [ -d "$path" ]; then ls -a "$path" >/dev/null 2>&1 && echo "$path"
  elif [ -S "$path" ]; then [ -w "$path" ] && echo "$path"
  else head -c 1 "$path" >/dev/null 2>&1 && echo "$path"; fi
done
"""


def readable_by_nobody(folder: Path) -> list[str]:
    """The paths that another account really opens, of all that there are."""
    every_path = [str(folder), *(str(path) for path in folder.rglob("*"))]
    assert len(every_path) > 10
    tried = subprocess.run(
        ["sh", "-c", TRY + "true"],
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd="/",
        input="\n".join(every_path) + "\n",
        text=True,
        capture_output=True,
        check=True,
    )
    return tried.stdout.splitlines()


def open_to_others(folder: Path) -> list[str]:
    return [
        f"{path} {path.stat().st_mode:o}"
        for path in folder.rglob("*")
        if not path.is_symlink() and not path.is_socket() and path.stat().st_mode & 0o077
    ]


@pytest.fixture
def reachable(bare_machine):
    """A machine to whose folder everybody has a way, with a careless umask."""
    before = os.umask(0)
    bare_machine.folder.chmod(0o755)
    yield bare_machine
    os.umask(before)


@pytest.fixture
def filled(reachable):
    """The data folder of a running installation with a reset link in its outbox, an object and a backup."""
    served = reachable.serve()
    reachable.run("user", "add", "ann@example.org", "--name", "Ann")
    (reachable.folder / "note.txt").write_text("Members' fees are due in March.")
    assert reachable.run("knowledge", "add", "note.txt").code == 0
    assert reachable.run("backup").code == 0
    yield reachable.folder / "data"
    served.stop()


@as_root
@pytest.mark.lengthy
def test_another_account_reads_nothing_of_a_running_installation(filled):
    assert {"tables.db", "tables.db-wal", "outbox", "objects", "backups", "secret.key", "postgres"} <= {
        path.name for path in filled.iterdir()
    }
    assert readable_by_nobody(filled) == []
    assert open_to_others(filled) == []
    assert filled.stat().st_mode & 0o067 == 0


@as_root
def test_what_an_older_version_left_open_is_closed_at_the_start_with_a_warning(idle_machine):
    data = idle_machine.folder / "data"
    idle_machine.folder.chmod(0o755)
    (data / "outbox").mkdir(exist_ok=True)
    mail = data / "outbox" / "1@example.org.eml"
    mail.write_text("Reset your password: https://…")
    for path in (data, data / "outbox", data / "objects"):
        path.chmod(0o755)
    for path in (mail, data / "tables.db"):
        path.chmod(0o644)
    assert str(mail) in readable_by_nobody(data)
    with idle_machine.database_kept_running():
        answer = idle_machine.run("user", "list")
        assert "Other accounts of this machine could read" in answer.err
        assert readable_by_nobody(data) == []
        assert open_to_others(data) == []
        assert "Other accounts" not in idle_machine.run("user", "list").err


def test_the_doctor_finds_an_open_file(installed_machine):
    assert installed_machine.run("doctor").code == 0
    opened = installed_machine.folder / "data" / "objects" / "files" / "report.pdf"
    opened.parent.mkdir(exist_ok=True)
    opened.touch(0o644)
    opened.chmod(0o644)
    answer = installed_machine.run("doctor")
    assert answer.code == 1
    assert f"{opened} can be read by other accounts" in answer.out
    opened.chmod(0o600)
    assert installed_machine.run("doctor").code == 0


def test_a_folder_that_everybody_may_write_is_not_closed(tmp_path):
    tmp_path.chmod(0o1777)
    (tmp_path / "tables.db").touch(0o644)
    close_exposed(tmp_path)
    assert tmp_path.stat().st_mode & 0o7777 == 0o1777
    assert (tmp_path / "tables.db").stat().st_mode & 0o777 == 0o600
