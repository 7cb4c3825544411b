"""The Debian packages that tests need beside Python's, and the script of `make test` that installs what is missing.

Only root on a Debian can install; everywhere else, and where a package can't be had, the script prints a line for each
program and tests skip with the same line (the fixture `debian_program`). To need another program, add it to PROGRAMS.
No service is started or left enabled, and a PostgreSQL server that exists is neither upgraded nor restarted.
"""

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# Debian keeps servers out of the search path of ordinary accounts.
_SERVER_FOLDERS = ("/usr/sbin", "/sbin")
_POLICY = Path("/usr/sbin/policy-rc.d")


@dataclass(frozen=True, slots=True)
class Program:
    """A program or another file, and the packages that hold it.

    Each entry of `packages` is a choice, the first that exists is taken. `paths` are names in the search path or
    patterns below the root. `services` are the units that the packages enable.
    """

    name: str
    paths: tuple[str, ...]
    packages: tuple[tuple[str, ...], ...]
    services: tuple[str, ...] = ()

    def find(self) -> str | None:
        """Where it is; with several versions, the newest of the first pattern that fits."""
        folders = os.pathsep.join((os.environ.get("PATH", ""), *_SERVER_FOLDERS))
        for path in self.paths:
            if "/" not in path:
                if place := shutil.which(path, path=folders):
                    return place
            elif places := sorted(Path("/").glob(path), key=_version):
                return str(places[-1])
        return None

    def missing(self) -> str:
        """The line that a test skips with."""
        return f"{self.name} is missing: install it (on Debian: apt-get install {' '.join(self.packages[0])})."


def _version(path: Path) -> tuple[int, str]:
    return max((int(part) for part in path.parts if part.isdecimal()), default=0), str(path)


class Chromium(Program):
    """The browser counts only together with its driver, a program whose library a small Debian lacks.

    The shell without a window is the same engine, and opens a page with a fifth of the work; an older Debian has only
    the whole browser.
    """

    __slots__ = ()

    def find(self) -> str | None:
        browser = Program.find(self)
        return browser if browser and _can_be_driven() else None


def _can_be_driven() -> bool:
    program, _ = importlib.import_module("playwright._impl._driver").compute_driver_executable()
    return subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0


PROGRAMS = (
    Chromium(
        "Chromium",
        ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
        (("chromium-headless-shell", "libatomic1"), ("chromium", "libatomic1")),
    ),
    Program(
        "PostgreSQL",
        ("usr/lib/postgresql/*/bin/postgres",),
        (("postgresql",),),
        services=("postgresql",),
    ),
    Program("nginx", ("nginx",), (("nginx",), ("nginx-light",)), services=("nginx",)),
    Program("promtool", ("promtool",), (("prometheus",),), services=("prometheus",)),
    Program("systemd-analyze", ("systemd-analyze",), (("systemd",),)),
    # Not a program but a file of it: without one, Japanese and Chinese are drawn as empty boxes.
    Program("a font with Han characters", ("usr/share/fonts/**/NotoSansCJK*",), (("fonts-noto-cjk",),)),
)


def program(name: str) -> Program:
    return next(program for program in PROGRAMS if program.name == name)


def install(programs: Iterable[Program] = PROGRAMS) -> list[Program]:
    """Install what is missing in one run of apt; returns what is missing still."""
    missing = [program for program in programs if program.find() is None]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        _apt("update")
        chosen = {program.name: packages for program in missing if (packages := _available(program))}
        with _no_service_started():
            # One package that can't be configured must not keep the others away.
            if chosen and not _apt("install", *sorted({name for names in chosen.values() for name in names})):
                for packages in chosen.values():
                    _apt("install", *packages)
        _disable(service for program in missing if program.name in chosen for service in program.services)
    return [program for program in missing if program.find() is None]


def _available(wanted: Program) -> Sequence[str]:
    """The first choice whose packages this Debian has; empty if it has none."""
    for packages in wanted.packages:
        shown = subprocess.run(["apt-cache", "show", *packages], capture_output=True, check=False)
        if shown.returncode == 0:
            return packages
    return ()


def _apt(command: str, *packages: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    options = ["-y", "-qq", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends", "--no-upgrade"]
    done = subprocess.run(["apt-get", *options, command, *packages], env=environment, capture_output=True, check=False)
    return done.returncode == 0


@contextmanager
def _no_service_started() -> Iterator[None]:
    """Debian's packages ask policy-rc.d before they start or restart a service; a policy that exists is put back."""
    former = (_POLICY.read_bytes(), _POLICY.stat().st_mode) if _POLICY.exists() else None
    _write_policy(b"#!/bin/sh\nexit 101\n", 0o755)
    try:
        yield
    finally:
        if former is None:
            _POLICY.unlink()
        else:
            _write_policy(*former)


def _write_policy(content: bytes, mode: int) -> None:
    _POLICY.write_bytes(content)
    _POLICY.chmod(mode)


def _disable(services: Iterable[str]) -> None:
    """Nothing that was installed for tests starts with the machine."""
    if shutil.which("systemctl"):
        for service in services:
            subprocess.run(["systemctl", "disable", "--quiet", service], capture_output=True, check=False)


if __name__ == "__main__":
    for program_missing in install():
        print(f"{program_missing.missing()} Tests that need it will be skipped.", file=sys.stderr)
