"""Follows a page of docs/deploy on one machine: its blocks are run as they stand, but for a declared table of words.

A block says in its first line where it belongs: `sh on web-1 web-2` are commands, `text in /etc/almanac.env` is content
of a file, `sh restart …` is run when a test asks for it. Only `systemctl` is no command here: it starts what the unit
of deploy/systemd says, with its environment, as a process that `Deployment` watches over, `systemd-run` runs its
command, and `journalctl` shows what a unit has printed.
"""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import dropwhile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UNITS = ROOT / "deploy" / "systemd"
# In the table, the folder of the machine in question.
MACHINE = "{machine}"
SECONDS_TO_START, SECONDS_TO_STOP = 90, 60
_FENCE = re.compile(r"^```(sh|text) (on|in|restart) ([^\n]+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block that says where it belongs."""

    kind: str
    places: tuple[str, ...]
    text: str


def read_blocks(page: Path) -> list[Block]:
    """The blocks of a page that can be followed, in their order."""
    matches = _FENCE.findall(page.read_text("utf-8"))
    return [Block(kind, tuple(places.split()), text) for _, kind, places, text in matches]


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


@dataclass
class Deployment:
    """Machines that are folders, and what runs on them.

    `words` is the table: what a page says, and what stands for it here. A machine's own words come first. Commands that
    begin with one of `left_out` are not run.
    """

    folder: Path
    words: dict[str, str]
    own_words: dict[str, dict[str, str]] = field(default_factory=dict)
    more_settings: dict[str, str] = field(default_factory=dict)
    search_path: str = ""
    users: dict[str, str] = field(default_factory=dict)
    environments: dict[str, dict[str, str]] = field(default_factory=dict)
    processes: dict[tuple[str, str], subprocess.Popen[bytes]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    printed: str = ""

    def here(self, machine: str, text: str) -> str:
        """A text of the page with the words of this machine; the longest word wins where several fit."""
        words = {**self.words, **self.own_words.get(machine, {})}
        pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        return re.sub(pattern, lambda match: words[match[0]].replace(MACHINE, str(self.folder / machine)), text)

    def follow(self, blocks: list[Block], machines: tuple[str, ...]) -> None:
        """Carry out every block that isn't for later; a file of settings belongs to each of `machines`."""
        for block in blocks:
            if block.kind == "on":
                for machine in block.places:
                    self.run(machine, block.text)
            elif block.kind == "in":
                self._write(block, machines)

    def _write(self, block: Block, machines: tuple[str, ...]) -> None:
        [place] = block.places
        if "nginx" in place:
            file = Path(self.here("proxy", place))
            file.write_text(self.here("proxy", file.read_text().replace("    listen 80;\n", block.text)))
            return
        for machine in machines:
            file = Path(self.here(machine, place))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                self.here(machine, block.text) + "".join(f"{k}={v}\n" for k, v in self.more_settings.items())
            )

    def run(self, machine: str, commands: str) -> str:
        """Run the lines of a block on a machine; each must end well. Returns what they print."""
        printed = ""
        for line in commands.splitlines():
            words = shlex.split(line)
            if words[0] == "systemctl":
                self._systemctl(machine, words[1:])
            elif words[0] == "systemd-run":
                command = shlex.join(dropwhile(lambda word: word.startswith("--"), words[1:]))
                printed += self._shell(machine, self.here(machine, command))
            elif words[:2] == ["journalctl", "--unit"]:
                printed += self.log(machine, words[2]).read_text()
            elif not line.startswith(self.left_out):
                printed += self._shell(machine, self.here(machine, line))
        self.printed += printed
        return printed

    def _shell(self, machine: str, command: str) -> str:
        done = subprocess.run(
            ["bash", "-ec", command],
            env=self.environment(machine),
            cwd=self.folder,
            user=self.users.get(machine),
            capture_output=True,
            text=True,
            timeout=SECONDS_TO_START,
            check=False,
        )
        assert done.returncode == 0, f"{machine}: {command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def environment(self, machine: str) -> dict[str, str]:
        """What a command of this machine finds: the search path, and the settings of its file."""
        programs = {"PATH": self.search_path, "PYTHONPATH": str(ROOT / "src"), "HOME": str(self.folder)}
        settings = Path(self.here(machine, "/etc/almanac.env"))
        more = {"ALMANAC_DATA": self.here(machine, "/var/lib/almanac")}
        read = read_environment(settings) if settings.is_file() else {}
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        return {**kept, **programs, **more, **read, **self.environments.get(machine, {})}

    def _systemctl(self, machine: str, words: list[str]) -> None:
        match words:
            case ["enable", "--now", unit] | ["start", unit]:
                self.start(machine, unit)
            case ["restart", unit]:
                self.stop(machine, unit)
                self.start(machine, unit)
            case ["reload", "nginx"]:
                self.start_nginx()
            case _:
                raise AssertionError(f"systemctl {' '.join(words)} isn't understood here")

    def start(self, machine: str, unit: str) -> None:
        """Start what a unit says, with its environment."""
        text = self.here(machine, (UNITS / f"{re.sub('@.*', '@', unit)}.service").read_text("utf-8"))
        lines = dict(re.findall(r"^(ExecStart|Environment|StateDirectory)=(.*)$", text, re.MULTILINE))
        data = Path(self.here(machine, f"/var/lib/{lines['StateDirectory']}"))
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        name, _, value = lines.get("Environment", "").partition("=")
        self.spawn(machine, unit, shlex.split(lines["ExecStart"]), {**self.environment(machine), name or "LANG": value})

    def start_nginx(self) -> None:
        self.spawn("proxy", "nginx", shlex.split(self.here("proxy", "nginx")), self.environment("proxy"))

    def spawn(self, machine: str, name: str, command: list[str], environment: Mapping[str, str]) -> None:
        with self.log(machine, name).open("ab") as log:
            self.processes[machine, name] = subprocess.Popen(
                command,
                env=environment,
                cwd=self.folder,
                user=self.users.get(machine),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def log(self, machine: str, name: str) -> Path:
        return self.folder / f"{machine}-{name.replace('@', '-')}.log"

    def stop(self, machine: str, name: str) -> None:
        """As systemd does it: SIGTERM, and time to end."""
        process = self.processes[machine, name]
        process.send_signal(signal.SIGTERM)
        # One that has barely begun to start ends by the signal itself, which systemd counts as well too.
        assert process.wait(SECONDS_TO_STOP) in (0, -signal.SIGTERM), self.log(machine, name).read_text()[-3000:]

    def close(self) -> None:
        """End everything, whatever state it is in; what was started last goes first."""
        for process in reversed(self.processes.values()):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def logs(self) -> str:
        return "\n".join(f"--- {log.name}\n{log.read_text()[-3000:]}" for log in sorted(self.folder.glob("*.log")))


def read_environment(file: Path) -> dict[str, str]:
    """A file of settings as systemd reads it."""
    lines = [line for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def wait_until_listening(*ports: int) -> None:
    """Wait until somebody takes connections at each port."""
    end = time.monotonic() + SECONDS_TO_START
    for port in ports:
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert time.monotonic() < end, f"nobody listens on {port}"
            time.sleep(0.05)


def start_postgres(deployment: Deployment, server: str, port: int) -> None:
    """A cluster as Debian's package makes it, with a folder and a port of its own; never one that exists."""
    data, programs = deployment.folder / "database" / "data", Path(server).parent
    data.parent.mkdir(parents=True)
    if os.geteuid() == 0:
        deployment.users["database"] = "postgres"
        shutil.chown(data.parent, "postgres")
    deployment.environments["database"] = {
        "PATH": f"{programs}:{deployment.search_path}",
        "PGHOST": str(data.parent),
        "PGPORT": str(port),
        "PGUSER": "postgres",
    }
    deployment.run(
        "database",
        f"initdb --pgdata={data} --username=postgres --auth-local=trust --auth-host=scram-sha-256 --no-sync >/dev/null",
    )
    options = ["-D", str(data), "-p", str(port), "-k", str(data.parent), "-c", "listen_addresses=127.0.0.1"]
    deployment.spawn("database", "postgresql", [server, *options], deployment.environment("database"))
    wait_until_listening(port)


def start_objects(deployment: Deployment, port: int) -> None:
    """A service that speaks S3: moto."""
    command = [sys.executable, "-W", "ignore", "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    deployment.spawn("objects", "moto", command, deployment.environment("objects"))


def prepare_nginx(deployment: Deployment, program: str) -> None:
    """The parts of Debian's nginx.conf around conf.d, in a folder of its own, and a certificate."""
    folder = deployment.folder / "proxy"
    (folder / "nginx" / "conf.d").mkdir(parents=True)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log stderr warn; {'user root;' if os.geteuid() == 0 else ''}\n"
        "events { worker_connections 1024; }\n"
        "http {\n"
        "log_format upstream '$request_method $uri $status $upstream_addr $upstream_status $request_time';\n"
        f"access_log {folder}/access.log upstream;\n{places}include {folder}/nginx/conf.d/*.conf;\n}}\n"
    )
    deployment.own_words["proxy"] = {
        **deployment.own_words.get("proxy", {}),
        "/etc/nginx": f"{folder}/nginx",
        "nginx": f"{program} -c {folder}/nginx.conf",
        "nginx.conf": "nginx.conf",
    }
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/nginx/almanac.key"),
            *("-out", f"{folder}/nginx/almanac.pem"),
        ],
        check=True,
        capture_output=True,
    )
