"""A real installation: `almanac serve` as its own process on a free port, and the `almanac` command beside it."""

import asyncio
import contextlib
import importlib.util
import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import pytest

from almanac.cli.main import main
from almanac.errors import Unavailable
from almanac.jobs import InlineLedger
from almanac.relational import EmbeddedPostgres

SECONDS_TO_START = 60
ALMANAC = [sys.executable, "-m", "almanac"]


@dataclass
class Answer:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@dataclass
class Served:
    """A running `almanac serve`."""

    process: subprocess.Popen
    lines: list[str] = field(default_factory=list)
    ready: threading.Event = field(default_factory=threading.Event)
    listener: threading.Thread | None = None

    @property
    def text(self):
        return "".join(self.lines)

    @property
    def url(self):
        return re.search(r"Almanac is at (\S+)\.", self.text)[1]

    @property
    def link(self):
        match = re.search(r"(http\S+/link/\S+)", self.text)
        return match and match[1]

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(30)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(30)


@dataclass
class Machine:
    """A folder with an environment, in which commands are run as a person would."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)
    started: list[Served] = field(default_factory=list)

    @property
    def environment(self):
        plain = {name: value for name, value in os.environ.items() if not name.startswith("ALMANAC_")}
        return {
            **plain,
            "ALMANAC_DATA": str(self.folder / "data"),
            "ALMANAC_PORT": "0",
            "ALMANAC_DEMO": "no",
            "NO_COLOR": "1",
            "COLUMNS": "200",
            **self.settings,
        }

    def run(self, *arguments, given="", **settings):
        """Run a command in this process: the same code as the console script, without its start-up time."""
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.environment | settings, clear=True),
            mock.patch.object(sys, "argv", ["almanac", *arguments]),
            mock.patch.object(sys, "stdin", io.StringIO(given)),
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            pytest.raises(SystemExit) as ended,
            keeping_logging(),
        ):
            main()
        return Answer(ended.value.code, out.getvalue(), err.getvalue())

    def run_apart(self, *arguments, **settings):
        """Run a command as a process of its own."""
        done = subprocess.run(
            [*ALMANAC, *arguments],
            cwd=self.folder,
            env=self.environment | settings,
            stdin=subprocess.DEVNULL,
            text=True,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    @contextlib.contextmanager
    def database_kept_running(self):
        """Commands join this PostgreSQL instead of starting one each."""
        server = EmbeddedPostgres(self.folder / "data" / "postgres")
        asyncio.run(server.start())
        try:
            yield
        finally:
            asyncio.run(server.stop())

    def serve(self, *, until="Almanac is at", **settings):
        process = subprocess.Popen(
            [*ALMANAC, "serve"],
            cwd=self.folder,
            env=self.environment | settings,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        served = Served(process)
        self.started.append(served)
        served.listener = threading.Thread(target=self._listen, args=(served,))
        served.listener.start()
        assert served.ready.wait(SECONDS_TO_START), served.text
        assert until in served.text, served.text
        return served

    def _listen(self, served):
        """The greeting ends the wait, and so does the end of output."""
        with served.process.stdout as output:
            for line in output:
                served.lines.append(line)
                if "Almanac is at" in line:
                    served.ready.set()
        served.ready.set()

    def close(self):
        for served in self.started:
            served.stop()
            served.listener.join(30)


@dataclass(frozen=True)
class PowerCut(InlineLedger):
    """Nobody watches a run that stops when this much of it is done."""

    at: int

    async def progress(self, done, total, doing):
        if done >= self.at:
            raise Unavailable("The power went.")


@pytest.fixture(scope="session")
def power_cut():
    return lambda services, at: PowerCut(services.database, at)


@pytest.fixture(scope="session")
def module_at():
    """Loads a program that stands beside the tests, to use what it is made of."""

    def load(path):
        name = f"{path.parent.name}_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture
def start_program():
    """Starts programs of ours; whatever is left of them at the end is killed."""
    started = []

    def start(script, *arguments):
        started.append(subprocess.Popen([sys.executable, script, *map(str, arguments)]))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()


@contextlib.contextmanager
def keeping_logging():
    """A command sets up logging for its own process; here that must not outlive it."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:], root.level = handlers, level


@contextlib.contextmanager
def a_machine():
    """Not below pytest's own folder: as root, PostgreSQL's account must be able to pass through."""
    with tempfile.TemporaryDirectory(prefix="almanac-cli-", ignore_cleanup_errors=True) as folder:
        machine = Machine(Path(folder))
        try:
            yield machine
        finally:
            machine.close()


@pytest.fixture(scope="session")
def made_data():
    """The data folder of an installation that holds nothing yet, to copy from."""
    with a_machine() as machine:
        assert machine.run("migrate").code == 0
        yield machine.folder / "data"


def install(machine, made_data):
    """What a first start does, without its time. The copy keeps the owner, who may not be us."""
    subprocess.run(["cp", "-a", made_data, machine.folder / "data"], check=True)


@pytest.fixture(scope="module")
def machine(made_data):
    """One installation that runs for all tests of a file."""
    with a_machine() as machine:
        install(machine, made_data)
        machine.serve()
        yield machine


@pytest.fixture(scope="module")
def installed_machine(made_data):
    """One installation for all tests of a file of which only the database runs: all that most commands need."""
    with a_machine() as machine:
        install(machine, made_data)
        with machine.database_kept_running():
            yield machine


@pytest.fixture
def idle_machine(made_data):
    """An installation that holds nothing and doesn't run."""
    with a_machine() as machine:
        install(machine, made_data)
        yield machine


@pytest.fixture
def bare_machine():
    """A machine on which nothing has run yet."""
    with a_machine() as machine:
        yield machine


@pytest.fixture(scope="module")
def lasting_machine():
    """A machine on which nothing has run yet, the same for all tests of a file."""
    with a_machine() as machine:
        yield machine
