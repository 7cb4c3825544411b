"""Installs Debian's Chromium for the browser tests when it is missing and this account may; else says so."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
HINT = "Browser tests will be skipped: install Chromium (on Debian: apt-get install chromium) to run them."


def find() -> str | None:
    """Where a usable browser is."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install() -> bool:
    """Try to install it; quiet unless it fails."""
    if find():
        return True
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
        subprocess.run(command, env=environment, capture_output=True, check=False)
    return find() is not None


if __name__ == "__main__":
    if not install():
        print(HINT, file=sys.stderr)
