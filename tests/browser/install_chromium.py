"""Installs Debian's Chromium, and what its driver needs, for the browser tests where this account may; else says so."""

import os
import shutil
import subprocess
import sys

from playwright._impl._driver import compute_driver_executable

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("chromium", "libatomic1")
HINT = f"Browser tests will be skipped: install Chromium (on Debian: apt-get install {' '.join(PACKAGES)}) to run them."


def find() -> str | None:
    """Where a usable browser is."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def can_be_driven() -> bool:
    """Whether the driver starts: it is a program with needs of its own, which a small Debian lacks."""
    program, _ = compute_driver_executable()
    return subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0


def install() -> bool:
    """Try to install what is missing; quiet unless it fails."""
    if find() and can_be_driven():
        return True
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", *PACKAGES]):
        subprocess.run(command, env=environment, capture_output=True, check=False)
    return find() is not None and can_be_driven()


if __name__ == "__main__":
    if not install():
        print(HINT, file=sys.stderr)
