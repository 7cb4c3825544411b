"""Installs Debian's Chromium, and what its driver needs, for the browser tests where this account may; else says so.

The shell without a window is the same engine, and opens a page with a fifth of the work; an older Debian has only the
whole browser.
"""

import os
import shutil
import subprocess
import sys

from playwright._impl._driver import compute_driver_executable

SHELL, WHOLE, NEEDED = "chromium-headless-shell", "chromium", "libatomic1"
NAMES = (SHELL, WHOLE, "chromium-browser", "google-chrome")
HINT = f"Browser tests will be skipped: install Chromium (on Debian: apt-get install {SHELL} {NEEDED}) to run them."


def find() -> str | None:
    """Where a usable browser is."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def can_be_driven() -> bool:
    """Whether the driver starts: it is a program with needs of its own, which a small Debian lacks."""
    program, _ = compute_driver_executable()
    return subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0


def install() -> bool:
    """Try to install what is missing; quiet unless it fails."""
    if os.geteuid() == 0 and shutil.which("apt-get") and not (shutil.which(SHELL) and can_be_driven()):
        _apt("update")
        if not _apt("install", SHELL, NEEDED) and not find():
            _apt("install", WHOLE, NEEDED)
    return find() is not None and can_be_driven()


def _apt(*words: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(["apt-get", "-y", "-qq", *words], env=environment, capture_output=True, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    if not install():
        print(HINT, file=sys.stderr)
