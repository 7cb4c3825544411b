"""Every command in broken situations: a sentence and an exit code, and no word of where in the program it happened."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import typer

from almanac.cli.main import app

KEYS = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}
DATABASE_DOWN = {"ALMANAC_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
UNWRITABLE = {"ALMANAC_DATA": "/proc/almanac"}
TABLES_DOWN = {"ALMANAC_DYNAMODB_ENDPOINT": "http://127.0.0.1:1", "ALMANAC_DYNAMODB_REGION": "us-east-1", **KEYS}
NEEDS_NOTHING = {("config",), ("verify",), ("news", "templates"), ("backups",), ("tables", "history")}
FEW = [
    ("demo",),
    ("backup",),
    ("knowledge", "add", "note.txt"),
    ("news", "tasks"),
    ("newsletter", "list"),
    ("newsletter", "create", "--title", "Weekly"),
    ("reminders", "plan"),
    ("reminders", "customer", "list"),
    ("habits", "list"),
    ("migrate",),
]


def leaves(command, path=()) -> Iterator[tuple[str, ...]]:
    """The path of every command, with a word for each argument that it must have."""
    if hasattr(command, "commands"):
        for name in command.commands:
            yield from leaves(command.commands[name], (*path, name))
        return
    given = [
        word
        for parameter in command.params
        if parameter.required
        for word in ([parameter.opts[0], "1"] if parameter.param_type_name == "option" else ["1"])
    ]
    yield (*path, *given)


COMMANDS = list(leaves(typer.main.get_command(app)))


class NoSuchBucket(BaseHTTPRequestHandler):
    """An S3 without the bucket."""

    def answer(self):
        body = b"<Error><Code>NoSuchBucket</Code><Message>The bucket does not exist</Message></Error>"
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def __getattr__(self, name):
        """One answer to every method."""
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def bucketless():
    server = ThreadingHTTPServer(("127.0.0.1", 0), NoSuchBucket)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    yield {"ALMANAC_OBJECTS_URL": f"s3://none?endpoint={address}&region=us-east-1", **KEYS}
    server.shutdown()
    server.server_close()


def assert_told(answer, command, *, codes=(1, 2)):
    text = answer.out + answer.err
    assert "Traceback" not in text, (command, text)
    assert 'File "' not in text, (command, text)
    assert "unexpected" not in text, (command, text)
    assert answer.code in codes, (command, answer.code, text)
    assert len(answer.err.splitlines()) < 12, (command, answer.err)


def test_all_commands_are_walked():
    assert len(COMMANDS) > 140


@pytest.mark.parametrize("situation", [DATABASE_DOWN, UNWRITABLE], ids=["database down", "data folder unwritable"])
def test_without_the_stores_every_command_is_a_sentence(bare_machine, situation):
    for command in COMMANDS:
        if command[:1] in NEEDS_NOTHING or command[:2] in NEEDS_NOTHING:
            continue
        answer = bare_machine.run(*command, **situation)
        assert_told(answer, command)
        assert answer.err.strip() or answer.out.strip(), command


def test_wrong_arguments_are_a_usage_error(bare_machine):
    for command in COMMANDS:
        answer = bare_machine.run(*command, "--nonsense", **DATABASE_DOWN)
        assert_told(answer, command, codes=(2,))
        assert "--nonsense" in answer.err, command


@pytest.mark.parametrize("command", FEW, ids=" ".join)
def test_tables_that_do_not_answer_are_a_sentence(installed_machine, command):
    (installed_machine.folder / "note.txt").write_text("Fees are due in March.")
    assert_told(installed_machine.run(*command, **TABLES_DOWN), command, codes=(0, 1, 2))


@pytest.mark.parametrize("command", FEW, ids=" ".join)
def test_a_missing_bucket_is_a_sentence(installed_machine, bucketless, command):
    (installed_machine.folder / "note.txt").write_text("Fees are due in March.")
    assert_told(installed_machine.run(*command, **bucketless), command, codes=(0, 1, 2))


@pytest.mark.parametrize("command", [("demo", "--remove"), ("restore", "none.tar.gz"), ("serve",)])
def test_a_running_server_is_no_trouble(machine, command):
    port = machine.started[0].url.rpartition(":")[2].rstrip("/")
    assert_told(machine.run(*command, ALMANAC_PORT=port), command, codes=(0, 1, 2))
