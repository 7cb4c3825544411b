"""A worker and a command load no page, no route and none of another desk's commands."""

import re
import subprocess
import sys

import pytest

SHOWN = re.compile(r"almanac\.(web\.(app|api|pages)|desks\.\w+\.(pages|api|commands))\b|(fastapi|starlette|uvicorn)\b")
LISTING = "import sys, atexit; atexit.register(lambda: print(*sys.modules, sep='\\n', file=sys.stderr));"


def loaded_by(code, *arguments):
    """The modules that a Python process has loaded when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", LISTING + code, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return {name for name in done.stderr.splitlines() if SHOWN.match(name)}


def test_neither_a_worker_nor_the_platform_s_commands_load_what_shows_pages():
    """The module of the command line has everything that these run with."""
    assert loaded_by("import almanac.cli.main") == set()


@pytest.mark.parametrize("desk", ["news"])
def test_a_desk_s_commands_load_no_other_desk_s(desk):
    loaded = loaded_by("import runpy; runpy.run_module('almanac', run_name='__main__')", desk, "--help")
    own = f"almanac.desks.{desk}.commands"
    assert own in loaded
    assert {name for name in loaded if not f"{name}.".startswith(f"{own}.")} == set()
