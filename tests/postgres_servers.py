"""PostgreSQL servers of every version at hand: Debian's, and those in the wheel of the embedded one."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from almanac.relational.server_programs import ServerAccount, choose_server_account, find_installation

SPEED = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c autovacuum=off -c listen_addresses="
OWNER = "almanac"


def list_servers() -> dict[int, Path]:
    """The folder of the programs of each version that is installed on this machine."""
    wheel = find_installation().programs.parent.parent
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *wheel.glob("pginstall*/bin")]
    return dict(sorted({_version(place): place for place in places if (place / "initdb").exists()}.items()))


def _version(programs: Path) -> int:
    answer = subprocess.run([programs / "postgres", "--version"], capture_output=True, check=True, text=True)
    return int(answer.stdout.split(") ")[1].split(".")[0])


@contextmanager
def running_server(programs: Path, folder: Path) -> Iterator[str]:
    """A new server in a folder; the answer is the address of an empty database.

    Its role owns the database and may do nothing else: no superuser, no right to create databases.
    """
    folder.mkdir()
    data = folder / "data"
    account = choose_server_account(data)
    if account.user is not None:
        subprocess.run(["chown", f"{account.user}:{account.group}", folder], check=True)
    _run(account, programs / "initdb", "-D", data, "--username=postgres", "--auth=trust", "-E", "utf8", "--locale=C")
    _run(account, programs / "pg_ctl", "-w", "-D", data, "-l", folder / "log", "-o", f"{SPEED} -k {folder}", "start")
    try:
        with psycopg.connect(f"postgresql://postgres@/postgres?host={folder}", autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {OWNER} LOGIN")
            connection.execute(f"CREATE DATABASE {OWNER} OWNER {OWNER}")
        yield f"postgresql://{OWNER}@/{OWNER}?host={folder}"
    finally:
        _run(account, programs / "pg_ctl", "-w", "-m", "immediate", "-D", data, "stop")


def _run(account: ServerAccount, *command: str | Path) -> None:
    subprocess.run(
        command,
        user=account.user,
        group=account.group,
        extra_groups=[] if account.user is not None else None,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
